// SPDX-License-Identifier: Apache-2.0
//
// Reductions whose order of evaluation is part of their meaning.

#ifndef SCANWEAVE_DIALECT_WEAVE_IR_WEAVEREDUCEOPS_TD
#define SCANWEAVE_DIALECT_WEAVE_IR_WEAVEREDUCEOPS_TD

include "scanweave/Dialect/Weave/IR/WeaveLoopOps.td"

class Weave_StructuredReduceOp<string mnemonic> : Weave_Op<mnemonic, [
    Pure, SingleBlockImplicitTerminator<"YieldOp">]> {
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let regions = (region SizedRegion<1>:$region);
  let extraClassDeclaration = [{
    /// The iteration dimension that is cut into grains: the first reduction dimension.
    unsigned getGrainDim();
    bool isReductionDim(unsigned dim);
    /// The map of an input, or of the result where `operand` is the number of inputs.
    ::mlir::AffineMap getMap(unsigned operand);
    ::mlir::AffineMap getResultMap() { return getMap(getInputs().size()); }
  }];
}

def Weave_ReduceOp : Weave_StructuredReduceOp<"reduce"> {
  let summary = "reduction in the fixed order: chains in grains, a tree over grains";
  let description = [{
    Like a `linalg.generic` with one result, but the order of evaluation is
    part of its meaning. The iteration space has parallel and reduction
    dimensions (`iterators`); `maps` are projected permutations, one per input
    and a last one for the init and result. The body gets one element of each
    input and the accumulator, and yields the next accumulator.

    The first reduction dimension, of extent n, is cut into grains of G
    consecutive indices, G the smallest power of two with ceil(n/G) <= 128.
    Within a grain the accumulator starts at the identity of `kind` and takes
    the elements in ascending order (further reduction dimensions innermost,
    in ascending order). Grain results combine in a binary tree: neighbours
    first, one without a neighbour moves up unchanged. The result is
    combine(init, tree). It depends on n alone, never on workers or target.

        %g = weave.reduce <add> maps [affine_map<(d0, d1) -> (d0)>,
              affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>]
            iterators ["reduction", "parallel"]
            ins(%y, %z : tensor<4xf32>, tensor<4x10xf32>) init(%zero : tensor<10xf32>) {
          ^bb0(%a: f32, %b: f32, %acc: f32):
            %r = math.fma %a, %b, %acc : f32
            weave.yield %r : f32
        } -> tensor<10xf32>

    Rules:
    * F1: one map per input and one for the result, all projected permutations
      over as many dimensions as there are iterators.
    * F2: at least one reduction dimension; the result's map has the parallel
      dimensions and no others.
    * F3: every dimension is read by some operand, with agreeing extents.
    * F4: the body's arguments are the operands' element types; it yields the result's.
    * F5: the element type has the kind's combination (no bitwise ones for floats).
  }];
  let arguments = (ins Weave_CombineKindAttr:$kind, AffineMapArrayAttr:$maps, StrArrayAttr:$iterators,
                       Variadic<AnyRankedTensor>:$inputs, AnyRankedTensor:$init);
  let results = (outs AnyRankedTensor:$result);
}

def Weave_PartialReduceOp : Weave_StructuredReduceOp<"partial_reduce"> {
  let summary = "the grains' results of a reduction over a part of the grains";
  let description = [{
    The chains of a `weave.reduce`, for the grains of a range that begins and
    ends on grain borders of a reduction over `extent` elements. Row r of the
    result holds the result of the range's grain r; the result's map leaves the
    row dimension, which is always the first, out.

        %rows = weave.partial_reduce <add> maps [...] iterators [...] extent(%n)
            ins(%y, %z : tensor<?xf32>, tensor<?x10xf32>) {
          ...
        } -> tensor<?x10xf32>

    Rules: F1 to F5 of `weave.reduce`, the result's map counted without its rows.
  }];
  let arguments = (ins Weave_CombineKindAttr:$kind, AffineMapArrayAttr:$maps, StrArrayAttr:$iterators,
                       Variadic<AnyRankedTensor>:$inputs, Index:$extent);
  let results = (outs AnyRankedTensor:$result);
}

#endif // SCANWEAVE_DIALECT_WEAVE_IR_WEAVEREDUCEOPS_TD
