// SPDX-License-Identifier: Apache-2.0
//
// Fixed reductions of few elements as straight code.

#include "ReductionLoops.h"

#include "scanweave/Dialect/Weave/Transforms/Combine.h"
#include "scanweave/Dialect/Weave/Transforms/Slices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace scanweave;

namespace {
/// An input's element in a grain: a number, or an element of a slice.
struct Element {
  Value number;
  size_t slice = 0;
};

/// What the straight code of some grains works on.
struct Operands {
  /// For every grain, one element of each input.
  SmallVector<SmallVector<Element>> elements;
  SmallVector<Value> slices;
  /// One map per slice, over the parallel dimensions.
  SmallVector<AffineMap> maps;
};
} // namespace

/// The map over one dimension less.
static AffineMap dropDimension(AffineMap map, unsigned dim) {
  SmallVector<AffineExpr> results;
  for (AffineExpr expr : map.getResults()) {
    unsigned position = cast<AffineDimExpr>(expr).getPosition();
    if (position != dim)
      results.push_back(
          getAffineDimExpr(position - (position > dim), map.getContext()));
  }
  return AffineMap::get(map.getNumDims() - 1, 0, results, map.getContext());
}

/// The slice of `input` at `position` of `axis`, without that axis.
static Value extractSlice(OpBuilder &builder, Location loc, Value input,
                          int64_t axis, OpFoldResult position) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, input);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  sizes[axis] = builder.getIndexAttr(1);
  offsets[axis] = position;
  auto type = cast<RankedTensorType>(input.getType());
  return createExtractSlice(builder, loc,
                            cast<RankedTensorType>(getSliceType(type, axis)),
                            input, offsets, sizes, strides);
}

static Operands collectOperands(OpBuilder &builder, Location loc,
                                const Reduction &reduction,
                                ArrayRef<OpFoldResult> grains) {
  Operands operands;
  operands.elements.resize(grains.size());
  for (auto [i, input] : llvm::enumerate(reduction.inputs)) {
    int64_t axis = reduction.getGrainAxis(i);
    AffineMap map = dropDimension(reduction.maps[i], reduction.grainDim);
    Element element;
    for (auto [grain, elements] : llvm::zip_equal(grains, operands.elements)) {
      bool isNew = axis >= 0 || elements.data() == operands.elements[0].data();
      if (isNew && map.getNumResults() == 0) {
        SmallVector<Value> index;
        if (axis >= 0)
          index.push_back(getValueOrCreateConstantIndexOp(builder, loc, grain));
        element.number = tensor::ExtractOp::create(builder, loc, input, index);
      } else if (isNew) {
        element.slice = operands.slices.size();
        operands.maps.push_back(map);
        operands.slices.push_back(
            axis < 0 ? input : extractSlice(builder, loc, input, axis, grain));
      }
      elements.push_back(element);
    }
  }
  return operands;
}

/// Combines neighbours until one value is left.
static Value combineTree(OpBuilder &builder, Location loc, CombineKind kind,
                         SmallVector<Value> values) {
  while (values.size() > 1) {
    SmallVector<Value> next;
    for (size_t i = 0; i + 1 < values.size(); i += 2)
      next.push_back(
          buildCombine(builder, loc, kind, values[i], values[i + 1]));
    if (values.size() % 2)
      next.push_back(values.back());
    values = std::move(next);
  }
  return values.front();
}

Value scanweave::buildUnrolled(OpBuilder &builder, Location loc,
                               const Reduction &reduction,
                               ArrayRef<OpFoldResult> grains, Value init,
                               Value dest) {
  Operands operands = collectOperands(builder, loc, reduction, grains);
  bool isNumber = reduction.rowType.getRank() == 0;
  // An identity init changes nothing; a number that fills it needs no tensor.
  Value initNumber;
  bool hasInit = init && !isIdentity(reduction.kind, init);
  if (hasInit)
    initNumber = getSplatScalar(builder, init);
  if (hasInit && !initNumber) {
    if (isNumber) {
      initNumber = tensor::ExtractOp::create(builder, loc, init, ValueRange());
    } else {
      operands.slices.push_back(init);
      operands.maps.push_back(
          dropDimension(reduction.resultMap, reduction.grainDim));
    }
  }

  // `arguments` are the elements of the slices.
  auto body = [&](OpBuilder &nested, ValueRange arguments) {
    SmallVector<Value> rows;
    for (SmallVector<Element> &elements : operands.elements) {
      SmallVector<Value> values;
      for (Element element : elements)
        values.push_back(element.number ? element.number
                                        : arguments[element.slice]);
      Value identity = buildIdentity(nested, loc, reduction.kind,
                                     reduction.rowType.getElementType());
      rows.push_back(reduction.cloneBody(nested, values, identity));
    }
    Value result = combineTree(nested, loc, reduction.kind, rows);
    if (!hasInit)
      return result;
    Value first = initNumber ? initNumber : arguments.back();
    return buildCombine(nested, loc, reduction.kind, first, result);
  };
  if (isNumber)
    return body(builder, ValueRange());

  if (!dest)
    dest = tensor::EmptyOp::create(builder, loc, reduction.rowSizes,
                                   reduction.rowType.getElementType());
  operands.maps.push_back(
      dropDimension(reduction.resultMap, reduction.grainDim));
  SmallVector<utils::IteratorType> iterators(reduction.iterators.size() - 1,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, dest.getType(), operands.slices, dest, operands.maps,
             iterators,
             [&](OpBuilder &nested, Location loc, ValueRange arguments) {
               linalg::YieldOp::create(nested, loc,
                                       body(nested, arguments.drop_back()));
             })
      .getResult(0);
}
