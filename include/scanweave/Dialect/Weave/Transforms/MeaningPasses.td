// SPDX-License-Identifier: Apache-2.0
//
// Passes that fix what a program means, to the bit, in the order
// in which the pipelines run them.

#ifndef SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_MEANINGPASSES_TD
#define SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_MEANINGPASSES_TD

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
    divisions, comparisons, selections and integer operations: exponentials,
    logarithms, powers, roots, error functions, trigonometric and hyperbolic
    functions and their inverse functions, each within 1 ulp, subnormal operands
    and results included. They work on f32 and f64, and on
    f16 and bf16 by way of f32; on a tensor the arithmetic is the body of a
    `linalg.generic`. docs/numerics.md has a table of them.

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
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"
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

#endif // SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_MEANINGPASSES_TD
