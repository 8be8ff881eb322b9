// SPDX-License-Identifier: Apache-2.0
//
// Passes that lower maps, scans, draws and reductions to loops, in the order
// in which the pipelines run them.

#ifndef SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_LOOPPASSES_TD
#define SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_LOOPPASSES_TD

include "mlir/Pass/PassBase.td"

def LowerMaps : Pass<"weave-lower-maps"> {
  let summary = "lower pmap and vmap to loops over lanes";
  let description = [{
    Requires maps without collectives (weave-split-collectives).

    Each map becomes an `scf.for` over its lanes that takes the lane's slices
    and puts what it yields into the results, in place. In an spmd region the
    lanes are the worker's own.

        %ys = weave.pmap %i (%z = %zs : tensor<4x10xf32>) {
          ...
          weave.yield %y : f32
        } -> tensor<4xf32>

    becomes

        %e = tensor.empty() : tensor<4xf32>
        %ys = scf.for %lane = %c0 to %c4 step %c1 iter_args(%d = %e) -> (tensor<4xf32>) {
          %z = tensor.extract_slice %zs[%lane, 0] [1, 10] [1, 1] : tensor<4x10xf32> to tensor<10xf32>
          ...
          %r = tensor.insert %y into %d[%lane] : tensor<4xf32>
          scf.yield %r : tensor<4xf32>
        }
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def LowerScan : Pass<"weave-lower-scan"> {
  let summary = "lower weave.scan to scf.for";
  let description = [{
    Each scan becomes an `scf.for` over its steps, or over its `range`. A next
    carry is tied to the buffer of the carry by
    `bufferization.materialize_in_destination`; a stacked output is put into
    its destination, in place, as soon as it is there. Keys that only the scan
    takes (`weave.random.split`) are made step by step instead of stored.

        %x, %xs = weave.scan carry(%c = %x0 : tensor<10xf32>) length(%n) {
          ...
          weave.yield carry(%next : tensor<10xf32>) ys(%c : tensor<10xf32>)
        } -> tensor<10xf32>, tensor<?x10xf32>

    becomes

        %e = tensor.empty(%n) : tensor<?x10xf32>
        %x, %xs = scf.for %t = %c0 to %n step %c1 iter_args(%c = %x0, %d = %e)
            -> (tensor<10xf32>, tensor<?x10xf32>) {
          %d1 = tensor.insert_slice %c into %d[%t, 0] [1, 10] [1, 1]
              : tensor<10xf32> into tensor<?x10xf32>
          ...
          %c1 = bufferization.materialize_in_destination %next in %c
              : (tensor<10xf32>, tensor<10xf32>) -> tensor<10xf32>
          scf.yield %c1, %d1 : tensor<10xf32>, tensor<?x10xf32>
        }
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::cf::ControlFlowDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ExpandRandom : Pass<"weave-expand-random"> {
  let summary = "lower random keys and draws to loops over counters";
  let description = [{
    Requires: nothing; runs after the passes that cut draws to what each worker
    needs (weave-hoist-partition).

    Each of `weave.random.bits`, `uniform` and `normal` becomes one
    `linalg.generic`, whose body hashes the element's counter with threefry2x32
    and makes the number from the hash: straight code without a branch or a call,
    fit for vectors. The key's words are read once, outside; those of batched
    keys are inputs. Counters are computed in 32 bits where none can exceed them;
    consecutive ones in one loop, even of several dimensions, where rows are
    shorter than 64 elements, for vectors to take more than one row.
    `key`, `fold_in` and a `split` into a single key become a `tensor.from_elements`
    of two words; other splits are generics, too.

    Leaves alone: everything else.

        %z = weave.random.normal %key : tensor<2xi32> -> tensor<4x100xf32>

    becomes

        %k0 = tensor.extract %key[%c0] : tensor<2xi32>    // k1 likewise
        %empty = tensor.empty() : tensor<4x100xf32>
        %z = linalg.generic {...} outs(%empty : tensor<4x100xf32>) {
        ^bb0(%out: f32):
          %i = linalg.index 0 : index                     // j likewise
          %counter = ...                                  // 100 * i + j
          %x0 = arith.addi %counter, %k1 : i32            // 20 rounds follow
          ...
          linalg.yield %number : f32
        } -> tensor<4x100xf32>
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

def ExpandReductions : Pass<"weave-expand-reductions"> {
  let summary = "lower fixed reductions to loops and linalg, keeping their order";
  let description = [{
    Requires: nothing; runs after everything that splits reductions
    (weave-hoist-partition).

    Lowers `weave.reduce`, `weave.partial_reduce`, `weave.tree_reduce` and
    `weave.grain`. A reduction of at most `unroll` elements becomes straight
    code: one parallel `linalg.generic` on slices of the inputs, or for a number
    arith ops alone. Else every grain's chain is an ascending `linalg.generic`
    that writes one row of a tensor of rows (with one element per grain, one op
    writes all rows); rows combine in place, neighbours at strides 1, 2, 4, ...
    Buffers of rows have a static size also where the extent is dynamic. An
    init that is the identity is not added.

    Leaves alone: everything else.

        %r = weave.reduce <add> maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>]
            iterators ["reduction"] ins(%a : tensor<3xf32>) init(%init : tensor<f32>) {
        ^bb0(%x: f32, %acc: f32):
          %next = arith.addf %x, %acc : f32
          weave.yield %next : f32
        } -> tensor<f32>

    becomes

        %a0 = tensor.extract %a[%c0] : tensor<3xf32>    // a1, a2 likewise
        %i = tensor.extract %init[] : tensor<f32>
        %g0 = arith.addf %a0, %identity : f32           // g1, g2 likewise
        %t0 = arith.addf %g0, %g1 : f32
        %t1 = arith.addf %t0, %g2 : f32
        %s = arith.addf %i, %t1 : f32
        %r = tensor.from_elements %s : tensor<f32>
  }];
  let options = [
    Option<"unroll", "unroll", "int64_t", /*default=*/"16",
           "the longest reduction that becomes straight code">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_LOOPPASSES_TD
