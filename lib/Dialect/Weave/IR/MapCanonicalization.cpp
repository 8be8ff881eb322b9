// SPDX-License-Identifier: Apache-2.0
//
// Canonicalisations of weave.pmap and weave.vmap: what nobody needs goes, and
// what is the same on every lane, or an input as it is, is no result.

#include "Extents.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace scanweave;

/// The number of lanes as a value.
static Value createLanes(OpBuilder &builder, MapOpInterface map) {
  Operation *op = map;
  int64_t lanes = map.getStaticLanes();
  if (map.getLanes() && (ShapedType::isDynamic(lanes) ||
                         getStaticExtent(map.getLanes()) == lanes))
    return map.getLanes();
  Value input;
  int64_t dim = 0;
  for (auto [candidate, axis] :
       llvm::zip_equal(map.getInputs(), map.getInAxes()))
    if (!input ||
        cast<RankedTensorType>(candidate.getType()).getDimSize(axis) == lanes) {
      input = candidate;
      dim = axis;
    }
  return createExtent(builder, op->getLoc(), input, dim);
}

namespace {

/// Unused results go, and inputs that nothing reads. The number of lanes
/// stays.
template <typename MapOp>
struct DropUnusedParts final : OpRewritePattern<MapOp> {
  using OpRewritePattern<MapOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(MapOp op,
                                PatternRewriter &rewriter) const override {
    llvm::BitVector inputs(op.getInputs().size()), results(op.getNumResults());
    for (auto [i, slice] : llvm::enumerate(op.getSliceArgs()))
      inputs[i] = !slice.use_empty();
    for (auto [i, result] : llvm::enumerate(op.getResults()))
      results[i] = !result.use_empty();
    if (inputs.all() && results.all())
      return failure();

    int64_t lanes = op.getStaticLanes();
    bool isKnown = (op.getLanes() && getStaticExtent(op.getLanes()) == lanes) ||
                   llvm::any_of(inputs.set_bits(), [&](unsigned i) {
                     auto type =
                         cast<RankedTensorType>(op.getInputs()[i].getType());
                     return type.getDimSize(op.getInAxes()[i]) == lanes;
                   });
    Value lanesValue =
        isKnown ? Value(op.getLanes()) : createLanes(rewriter, op);
    auto replacement = MapOp::create(
        rewriter, op.getLoc(),
        TypeRange(keepOnly(op.getResultTypes(), results)),
        keepOnly(op.getInputs(), inputs), lanesValue,
        keepOnly(op.getInAxes(), inputs), keepOnly(op.getOutAxes(), results));
    replacement.setSchedule(op.getSchedule());
    copyAttributes(op, replacement, results);

    auto yield = cast<YieldOp>(op.getBody()->getTerminator());
    auto values = keepOnly(yield.getValues(), results);
    rewriter.modifyOpInPlace(yield,
                             [&] { yield.getValuesMutable().assign(values); });
    llvm::BitVector dropped(1 + inputs.size());
    for (unsigned i = 0; i < inputs.size(); ++i)
      dropped[i + 1] = !inputs[i];
    replacement.getRegion().takeBody(op.getRegion());
    replacement.getBody()->eraseArguments(dropped);
    replaceKept(rewriter, op, replacement, results);
    return success();
  }
};

/// A result that yields an input's slice as it is, is the input; one that
/// yields a value from outside of the map is that value for each lane; equal
/// results are one, and an input that is mapped twice is mapped once.
template <typename MapOp>
struct ForwardResults final : OpRewritePattern<MapOp> {
  using OpRewritePattern<MapOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(MapOp op,
                                PatternRewriter &rewriter) const override {
    bool changed = false;
    auto replace = [&](Value from, Value to) {
      if (from.use_empty() || from.getType() != to.getType())
        return;
      rewriter.replaceAllUsesWith(from, to);
      changed = true;
    };
    auto inputs = llvm::zip_equal(op.getInputs(), op.getInAxes());
    for (auto [i, input] : llvm::enumerate(inputs))
      for (auto [j, other] : llvm::enumerate(inputs)) {
        if (j >= i)
          break;
        if (input == other)
          replace(op.getSliceArgs()[i], op.getSliceArgs()[j]);
      }
    OperandRange yielded = op.getYielded();
    for (auto [i, value] : llvm::enumerate(yielded)) {
      Value result = op.getResult(i);
      int64_t axis = op.getOutAxes()[i];
      for (unsigned j = 0; j < i; ++j)
        if (yielded[j] == value && op.getOutAxes()[j] == axis)
          replace(result, op.getResult(j));
      auto argument = dyn_cast<BlockArgument>(value);
      if (argument && argument.getOwner() == op.getBody()) {
        unsigned input = argument.getArgNumber() - 1;
        if (op.getInAxes()[input] == axis)
          replace(result, op.getInputs()[input]);
      } else if (!result.use_empty() && hasOneExtent(result, axis) &&
                 !op.getRegion().isAncestor(value.getParentRegion())) {
        replace(result, broadcast(rewriter, op, value, result, axis));
      }
    }
    return success(changed);
  }

private:
  static Value broadcast(PatternRewriter &rewriter, MapOp op, Value value,
                         Value result, int64_t axis) {
    auto type = cast<RankedTensorType>(result.getType());
    SmallVector<Value> extents;
    if (type.isDynamicDim(axis))
      extents.push_back(createLanes(rewriter, op));
    if (!isa<RankedTensorType>(value.getType()))
      return tensor::SplatOp::create(rewriter, op.getLoc(), value, type,
                                     extents);
    Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), type, extents);
    return linalg::BroadcastOp::create(rewriter, op.getLoc(), value, empty,
                                       axis)
        ->getResult(0);
  }
};

/// A known number of lanes makes inputs and results static; no lanes give
/// empty results.
template <typename MapOp>
struct FoldStaticLanes final : OpRewritePattern<MapOp> {
  using OpRewritePattern<MapOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(MapOp op,
                                PatternRewriter &rewriter) const override {
    bool changed = false;
    for (auto [input, axis] :
         llvm::zip_equal(op.getInputsMutable(), op.getInAxes()))
      if (Value source = lookThroughCast(input.get(), axis)) {
        int64_t lanes = op.getStaticLanes();
        int64_t extent =
            cast<RankedTensorType>(source.getType()).getDimSize(axis);
        if (!ShapedType::isDynamic(lanes) && lanes != extent)
          continue;
        rewriter.modifyOpInPlace(op, [&] { input.set(source); });
        changed = true;
      }
    int64_t lanes = op.getStaticLanes();
    if (ShapedType::isDynamic(lanes))
      return success(changed);
    auto results = llvm::zip_equal(op.getResults(), op.getOutAxes());
    if (lanes == 0 && llvm::all_of(results, [](auto pair) {
          auto [result, axis] = pair;
          return hasOneExtent(result, axis);
        })) {
      SmallVector<Value> values;
      for (auto [result, axis] : results)
        values.push_back(createEmpty(rewriter, result, axis));
      rewriter.replaceOp(op, values);
      return success();
    }
    rewriter.setInsertionPointAfter(op);
    for (auto [result, axis] : results) {
      auto type = cast<RankedTensorType>(result.getType());
      if (!type.isDynamicDim(axis))
        continue;
      refineType(rewriter, result, withExtent(type, axis, lanes));
      changed = true;
    }
    return success(changed);
  }
};

} // namespace

template <typename MapOp>
static void addPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<DropUnusedParts<MapOp>, ForwardResults<MapOp>,
               FoldStaticLanes<MapOp>>(context);
}

void PMapOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  addPatterns<PMapOp>(patterns, context);
}

void VMapOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  addPatterns<VMapOp>(patterns, context);
}
