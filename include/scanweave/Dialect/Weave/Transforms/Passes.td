// SPDX-License-Identifier: Apache-2.0
//
// Passes over the weave dialect, in the order in which the pipelines run them.

#ifndef SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_PASSES_TD
#define SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def SpecialiseResults : Pass<"weave-specialise-results", "::mlir::ModuleOp"> {
  let summary = "make a variant of @main for each set of results asked for";
  let description = [{
    Requires `@main` with a `weave.name` on each argument and result.

    A result of a dynamic shape, such as all of a scan's states, is optional. For
    up to two optional results there is a variant of `@main` for each subset of
    them, else one without, one for each alone and one with all. Each variant
    is a function `@main_variant_N` with the numbers of its results in
    `weave.results`; what it need not compute, canonicalisation removes.
    `@main` itself goes. A program without `@main`, or with an argument or
    result that has no name or a type that has no form on the command line, is
    refused.

        func.func @main(%n: index {weave.name = "n"})
            -> (f32 {weave.name = "x"}, tensor<?xf32> {weave.name = "xs"})

    becomes

        func.func @main_variant_0(%n: index {weave.name = "n"})
            -> (f32 {weave.name = "x"}) attributes {weave.results = array<i64: 0>}
        func.func @main_variant_1(%n: index {weave.name = "n"})
            -> (f32 {weave.name = "x"}, tensor<?xf32> {weave.name = "xs"})
            attributes {weave.results = array<i64: 0, 1>}
  }];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def MakeTotal : Pass<"weave-make-total"> {
  let summary = "give every operation that arith leaves undefined JAX's value";
  let description = [{
    Requires: nothing. It must run before the first canonicalisation, which would
    fold what is undefined (and delete an unused division by zero).

    An integer division by zero gives all ones (-1 where signed), its remainder the
    dividend; the least integer divided by -1 is itself, with remainder 0. Ceiling
    and floor divisions likewise. A shift by the width or more gives 0, an
    arithmetic right shift the sign; a negative amount counts as a large one. A
    float that is out of the integer's range gives the nearest integer, NaN 0.
    `arith.maxnumf` and `arith.minnumf` choose between zeros as IEEE's maximum and
    minimum do. Promises of the program that make a result undefined when they are
    broken (no wrap-around, exactness, fast-math) are dropped. All this on scalars,
    tensors and vectors, on index and in the index dialect, whose operations of this
    kind become arith's.

    Leaves alone what is defined already: divisors and shift amounts that are
    constant and safe, and operations that the pass has guarded before, which bear
    the attribute `weave.total`.

        // before
        %q = arith.divui %a, %b : i32
        // after
        %zero = arith.constant 0 : i32
        %is_zero = arith.cmpi eq, %b, %zero : i32
        %one = arith.constant 1 : i32
        %safe = arith.select %is_zero, %one, %b : i32
        %quotient = arith.divui %a, %safe {weave.total} : i32
        %ones = arith.constant -1 : i32
        %q = arith.select %is_zero, %ones, %quotient : i32
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::tensor::TensorDialect"];
}

def ExpandMath : Pass<"weave-expand-math"> {
  let summary = "turn functions of the math dialect into exactly rounded arithmetic";
  let description = [{
    Requires: nothing. It must run before the first canonicalisation, which would
    evaluate a function of a constant with the host's library, to other bits.

    Functions that a target, a library or an optimisation level could round
    differently become additions, multiplications, fused multiply-adds,
    divisions, comparisons, selections and integer operations: `math.exp`,
    `expm1`, `log` and `log1p`, each within 1 ulp, and `tanh`, within 3, subnormal
    operands and results included. They work on f32 and f64; on a tensor the
    arithmetic is the body of a `linalg.generic`.

    Leaves alone what has one right result already: `math.fma`, `sqrt`, `absf`,
    `copysign`, `ceil`, `floor`, `round`, `roundeven`, `trunc`, the tests for NaN
    and the like, and functions of integers. All else is an error.

        // before
        %y = math.exp %x : f32
        // after, in short
        %n = ...                            // x / log(2), rounded to an integer
        %r = math.fma %minus_n, %ln2, %x : f32
        %p0 = math.fma %c5, %r, %c4 : f32   // a polynomial in r
        ...
        %y = arith.mulf %p, %power_of_two : f32
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
}

def FixReductions : Pass<"weave-fix-reductions"> {
  let summary = "make the order of every reduction part of the program";
  let description = [{
    Requires: tensors. Runs before lanes are batched or split, so that all
    forms of a program get the same order. What math ops and integer division
    mean is decided before (weave-make-total, weave-expand-math).

    Every linalg op on tensors with a reduction iterator, named or generic, at
    any depth, becomes one of two things, decided by the op and its maps alone:

    * `weave.reduce`, whose order can be split over workers and vectorised,
      where there is one result, all maps are projected permutations, one
      input has all parallel dimensions that inputs have (reductions, dot,
      matvec, vecmat), and the body is combine(acc, f(elements)), with acc used
      once and a combination of weave.reduce;
    * otherwise (matmul, convolutions, several results, `linalg.index`, other
      bodies) a `linalg.generic`, run in ascending order of its reduction
      dimensions: one chain per result.

    In both, the sum of the accumulator and a product becomes a `math.fma`.

    Leaves alone: ops without reduction iterators.

        %r = linalg.dot ins(%a, %b : tensor<10xf32>, tensor<10xf32>)
               outs(%zero : tensor<f32>) -> tensor<f32>

    becomes

        %r = weave.reduce <add> maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>,
                                      affine_map<(d0) -> ()>] iterators ["reduction"]
               ins(%a, %b : tensor<10xf32>, tensor<10xf32>) init(%zero : tensor<f32>) {
        ^bb0(%x: f32, %y: f32, %acc: f32):
          %next = math.fma %x, %y, %acc : f32
          weave.yield %next : f32
        } -> tensor<f32>
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::scanweave::WeaveDialect"];
}

def SplitCollectives : Pass<"weave-split-collectives"> {
  let summary = "split maps at collectives";
  let description = [{
    Requires: nothing; runs before lanes are batched, looped over or partitioned
    (weave-batch-vmap, weave-lower-maps, weave-infer-placement).

    Removes psum, pmean, pmax, pmin, all_gather and axis_size. A map with a
    collective over its axis becomes a sequence of maps of the same kind: the
    first computes the collective's operand for all lanes, a `weave.reduce` over
    the lanes follows, the next map captures its result. Independent
    collectives share one split. What is the same for all lanes is computed
    once, between the maps; a lane's value that is needed after a split is
    stacked by one map and mapped by the next, or computed again if that is
    cheaper.

    A loop around a collective is interchanged with the map: a scan (or
    scf.for, scf.while, scf.if) of maps, whose carries get a dimension of lanes
    in front if they differ between lanes. The number of steps and the
    conditions must be the same for all lanes; anything else is an error. A
    collective over an outer axis in an inner map is taken out of the inner map
    first, for all of its lanes at once.

    Leaves alone: maps without collectives, and axis_index.

        %ys = weave.pmap %i (%x = %xs : tensor<4xf32>) {
          %s = weave.psum %x over %i : f32
          %y = arith.divf %x, %s : f32
          weave.yield %y : f32
        } -> tensor<4xf32>

    becomes

        %t = weave.reduce <add> ... ins(%xs : tensor<4xf32>) init(%identity : tensor<f32>) ...
        %s = tensor.extract %t[] : tensor<f32>
        %ys = weave.pmap %i (%x = %xs : tensor<4xf32>) {
          %y = arith.divf %x, %s : f32
          weave.yield %y : f32
        } -> tensor<4xf32>
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

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

def ExpandRandom : Pass<"weave-expand-random"> {
  let summary = "lower random keys and draws to loops over counters";
  let description = [{
    Requires: nothing; runs after the passes that cut draws to what each worker
    needs (weave-hoist-partition).

    Each of `weave.random.bits`, `uniform` and `normal` becomes one
    `linalg.generic`, whose body hashes the element's counter with threefry2x32
    and makes the number from the hash: straight code without a branch or a call,
    fit for vectors. The key's words are read once, outside; those of batched
    keys are inputs. Counters are computed in 32 bits where none can exceed them.
    `key`, `fold_in` and a `split` into a single key become a `tensor.from_elements`
    of two words; other splits are generics, too.

    Leaves alone: everything else.

        %z = weave.random.normal %key : tensor<2xi32> -> tensor<4x10xf32>

    becomes

        %k0 = tensor.extract %key[%c0] : tensor<2xi32>    // k1 likewise
        %empty = tensor.empty() : tensor<4x10xf32>
        %z = linalg.generic {...} outs(%empty : tensor<4x10xf32>) {
        ^bb0(%out: f32):
          %i = linalg.index 0 : index                     // j likewise
          %counter = ...                                  // 10 * i + j
          %x0 = arith.addi %counter, %k1 : i32            // 20 rounds follow
          ...
          linalg.yield %number : f32
        } -> tensor<4x10xf32>
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"
  ];
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

def OutlineWorkers : Pass<"weave-outline-workers", "::mlir::ModuleOp"> {
  let summary = "make each weave.spmd body a function that every worker runs";
  let description = [{
    Requires: tensors (runs before bufferization), maps lowered.

    The body of a `weave.spmd` becomes a private function without results,
    whose arguments are the team, with `steps` the first and last step, the
    captured values, then the inits. Tensors become memrefs that don't alias
    (`llvm.noalias`), read through `bufferization.to_tensor`. To one-shot
    bufferization a captured value or replicated init is read-only, so that a
    worker which changes it gets a private copy, once a chunk; an init that is
    written in place, or of which the worker only reads and writes its own
    shard, is writable. Constants, empty tensors and fills are cloned next to
    their uses instead of captured, extents are passed as numbers.

    `weave.finish` becomes stores into the inits: what the worker owns first,
    then, behind a `weave.barrier`, the replicated values by worker 0. The
    region itself becomes a `weave.launch` in destination style.

    Left alone: everything else in the body, and the program around it.

    Before:

        %r = weave.spmd steps(%n) inits(%x : tensor<10xf32>) {
        ^bb0(%team: !weave.team, %first: index, %last: index, %c: tensor<10xf32>):
          %y = scf.for %i = %first to %last step %c1 iter_args(%a = %c) -> (tensor<10xf32>) {...}
          weave.finish %y replicated : tensor<10xf32>
        } -> tensor<10xf32>

    After:

        %r = weave.launch @main_worker_0 steps(%n) inits(%x : tensor<10xf32>) -> tensor<10xf32>

        func.func private @main_worker_0(%team: !weave.team, %first: index, %last: index,
                                         %m: memref<10xf32> {llvm.noalias}) {
          %c = bufferization.to_tensor %m restrict : memref<10xf32> to tensor<10xf32>
          %y = scf.for %i = %first to %last step %c1 iter_args(%a = %c) -> (tensor<10xf32>) {...}
          weave.barrier %team
          scf.if %is_worker_0 {
            bufferization.materialize_in_destination %y in writable %m
          }
          return
        }
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def SettleCarries : Pass<"weave-settle-carries"> {
  let summary = "give each carry a buffer that bufferization can keep it in";
  let description = [{
    Requires: tensors, scans lowered (their `scf.for` ties each next carry to
    the carry's buffer by `bufferization.materialize_in_destination`). Runs after
    elementwise ops are fused, right before bufferization: canonicalisation in
    between would undo copies that it makes.

    Ties of loops that canonicalisation or unrolling has dissolved are dropped.
    A next carry can be computed in the carry's own buffer if nothing reads the
    carry after, or while, it is written, but elementwise. Such loops are left
    alone. Otherwise the carry rotates: its next value goes to the buffer of
    another carry that is free then, or to a scratch buffer, and is back after
    as many steps as the rotation is long. The loop runs so many steps at a
    time, so that each buffer has a fixed name in each of them: no step copies
    or allocates. Up to `max-period` - 1 steps that are left over, loops whose
    rotation is longer than `max-period`, and `scf.while` copy.

    Before:

        %r = scf.for %i = %lo to %hi step %c1 iter_args(%u = %u0) -> (tensor<8xf32>) {
          %v = linalg.generic {... reads %u's neighbours ...}
          %t = bufferization.materialize_in_destination %v in %u
          scf.yield %t
        }

    After:

        %s0 = tensor.empty() : tensor<8xf32>
        %r:2 = scf.for %i = %lo to %even step %c2 iter_args(%u = %u0, %s = %s0) {
          %v = linalg.generic {... reads %u's neighbours ...}
          %t = bufferization.materialize_in_destination %v in %s
          %w = linalg.generic {... reads %t's neighbours ...}
          %q = bufferization.materialize_in_destination %w in %u
          scf.yield %q, %t
        }
        // ... and a loop over the step that may be left, which copies.
  }];
  let options = [
    Option<"maxPeriod", "max-period", "unsigned", "4",
           "Longest rotation that is unrolled; 1 copies always">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def MergeSlices : Pass<"weave-merge-slices"> {
  let summary = "use one value for equal slices of a tensor";
  let description = [{
    Runs between eliminate-empty-tensors and one-shot-bufferize. The former
    computes a value in a slice of its destination, and that may be the slice
    that the value is computed from. Bufferization sees that an elementwise op
    may read and write one place only if it is one value; else it would copy it
    first. Unlike `cse` this leaves fills and empty tensors alone, which want a
    buffer each.

    Before:

        %a = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1]
        %b = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1]
        %c = linalg.generic ins(%a) outs(%b) {...}

    After:

        %a = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1]
        %c = linalg.generic ins(%a) outs(%a) {...}
  }];
}

def LowerElementwise : Pass<"weave-lower-elementwise"> {
  let summary = "lower arithmetic on tensors to linalg.generic";
  let description = [{
    Requires: nothing; runs shortly before bufferization.

    Each elementwise op on ranked tensors, of any dialect, becomes a
    `linalg.generic` into a destination of its own, a `tensor.empty`; also a
    selection between tensors by one condition, which would be either of two
    buffers. Operands whose dynamic extents are not known to agree are compared
    at run time (`cf.assert`).

    Leaves alone: everything else.

        %c = arith.addf %a, %b : tensor<4xf32>

    becomes

        %e = tensor.empty() : tensor<4xf32>
        %c = linalg.generic {indexing_maps = [...], iterator_types = ["parallel"]}
            ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) {
        ^bb0(%x: f32, %y: f32, %out: f32):
          %z = arith.addf %x, %y : f32
          linalg.yield %z : f32
        } -> tensor<4xf32>
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def VectorizeElementwise : Pass<"weave-vectorize-elementwise"> {
  let summary = "lower linalg ops on buffers to loops over vectors";
  let description = [{
    Requires: buffers; runs in place of convert-linalg-to-loops for the ops that
    it can take, right before that pass takes the others.

    An op has lanes if one of its parallel loops is the last dimension of each
    operand that depends on it, with stride 1 there, and its body is arithmetic
    on numbers that memory and registers hold alike (not i1, not complex).
    The innermost such loop is cut into blocks of `vectors` registers of the
    widest number that varies along it, `vector-bytes` each; what does not vary
    stays scalar. Reduction loops run inside a block, in their order, with what
    they accumulate in registers. A static remainder becomes blocks of falling
    powers of two, or one masked block where the body is long and that takes no
    more registers. A dynamic remainder becomes masked vectors, or single
    elements if the body has an op that must not run for no element.

    The numbers are those of the loops, to the bit: each element goes through
    the same operations.

    Leaves alone: ops without lanes; everything, if `vector-bytes` is 0.

        linalg.generic {... d0 -> d0 ...} ins(%a : memref<40xf32>) outs(%b : memref<40xf32>) {
        ^bb0(%x: f32, %out: f32):
          %y = math.sqrt %x : f32
          linalg.yield %y : f32
        }

    becomes, with 32 bytes,

        %0 = vector.load %a[%c0] : memref<40xf32>, vector<32xf32>
        %1 = math.sqrt %0 : vector<32xf32>
        vector.store %1, %b[%c0] : memref<40xf32>, vector<32xf32>
        %2 = vector.load %a[%c32] : memref<40xf32>, vector<8xf32>
        %3 = math.sqrt %2 : vector<8xf32>
        vector.store %3, %b[%c32] : memref<40xf32>, vector<8xf32>
  }];
  let options = [
    Option<"vectorBytes", "vector-bytes", "int64_t", "32",
           "Size of a vector register; 0 leaves all ops alone">,
    Option<"vectors", "vectors", "int64_t", "4",
           "How many registers a block takes">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"
  ];
}

#endif // SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_PASSES_TD
