// SPDX-License-Identifier: Apache-2.0
//
// Passes that batch vmaps and partition scans over workers, in the order
// in which the pipelines run them.

#ifndef SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_PARTITIONPASSES_TD
#define SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_PARTITIONPASSES_TD

include "mlir/Pass/PassBase.td"

def BatchVmap : Pass<"weave-batch-vmap"> {
  let summary = "turn vmaps into operations on all lanes at once";
  let description = [{
    Requires: no collectives in a vmap but `weave.axis_index` and `weave.axis_size`
    (weave-split-collectives). weave-make-total should have run, since both branches
    of a condition that differs from lane to lane may run for all lanes.

    Each operation of a vmap's body becomes one on the values of all lanes, stacked
    along dimension 0. What is the same on all lanes stays as it is and is computed
    once. Elementwise operations stay elementwise, linalg's and `weave.reduce` get one
    more parallel dimension, scans and loops batched carries, draws a batch of keys.
    A condition that differs from lane to lane becomes a selection if both branches
    may run for every lane. Other dialects add rules by BatchableOpInterface.

    An operation that has no rule, or none for its operands (a loop whose bounds
    differ from lane to lane), runs in a loop over the lanes; a remark names it. A
    vmap whose body has effects or values that no tensor can hold is left alone, with
    a remark, and lowered by weave-lower-maps. The values are those of one lane after
    the other, to the bit.

        // before
        %ys = weave.vmap %i (%x = %xs : tensor<4xf32>) {
          %y = arith.mulf %x, %scale : f32
          weave.yield %y : f32
        } -> tensor<4xf32>
        // after
        %scales = tensor.splat %scale : tensor<4xf32>
        %ys = arith.mulf %xs, %scales : tensor<4xf32>
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def InferPlacement : Pass<"weave-infer-placement"> {
  let summary = "decide how values live across workers";
  let description = [{
    Requires maps without collectives (weave-split-collectives) and reductions
    in the fixed order (weave-fix-reductions).

    For every outermost scan with a pmap in it, and every pmap in no such scan,
    finds the placement of each value across workers and writes it on the op
    that makes it, as `weave.placement`: one of `replicated`, `sharded(d)` and,
    for a reduction over a cut dimension, `partial`. Ops that every worker runs
    whole get no attribute. Changes nothing else.

    Results of pmaps are sharded; so is what is computed elementwise from them,
    and what only such ops use. A carry is sharded if its next values are. A
    pmap under an scf op stays whole; a remark says so.

        %zs = weave.random.normal %k {weave.placement = [#weave.placement<sharded(0)>]}
        %ys = weave.pmap ... attributes {weave.placement = [#weave.placement<sharded(0)>]}
        %g = weave.reduce <add> ... attributes {weave.placement = [#weave.placement<partial>]}
  }];
}

def HoistPartition : Pass<"weave-hoist-partition"> {
  let summary = "move the partitioning over workers out of scans";
  let description = [{
    Requires the placements of weave-infer-placement.

    Each outermost scan or pmap becomes one `weave.spmd` region in which every
    worker runs it on its own lanes: a pmap maps the worker's lanes, a sharded
    op computes the worker's range, a draw is offset to it, and a partial
    reduction becomes `weave.partial_reduce` and `weave.all_reduce`. A sharded
    value that an op needs whole is drawn again or gathered. Replicated stacked
    outputs are stored by worker 0, sharded ones by their owners.

    A root whose results have extents that are only known inside of it stays
    as it is, with a remark.

        %x = weave.scan carry(%c = %x0 : tensor<10xf32>) ...

    becomes

        %x = weave.spmd steps(%n) inits(%x0 : tensor<10xf32>) {
        ^bb0(%team: !weave.team, %first: index, %last: index, %x1: tensor<10xf32>):
          %r = weave.scan carry(%c = %x1 : tensor<10xf32>) ... range(%first to %last) ...
          weave.finish %r replicated : tensor<10xf32>
        } -> tensor<10xf32>
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

#endif // SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_PARTITIONPASSES_TD
