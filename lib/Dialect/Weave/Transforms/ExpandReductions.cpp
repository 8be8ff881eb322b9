// SPDX-License-Identifier: Apache-2.0
//
// weave-expand-reductions: fixed reductions become loops and linalg ops that
// keep their order.

#include "ReductionLoops.h"

#include "scanweave/Dialect/Weave/Transforms/Combine.h"
#include "scanweave/Dialect/Weave/Transforms/Partition.h"
#include "scanweave/Dialect/Weave/Transforms/Passes.h"
#include "scanweave/Runtime/Partition.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

namespace scanweave {
#define GEN_PASS_DEF_EXPANDREDUCTIONS
#include "scanweave/Dialect/Weave/Transforms/Passes.h.inc"
} // namespace scanweave

using namespace mlir;
using namespace scanweave;

/// The extents of a row, from the init if there is one, else from the inputs.
static FailureOr<SmallVector<OpFoldResult>>
getRowSizes(OpBuilder &builder, Operation *op, const Reduction &reduction,
            Value init) {
  if (init)
    return tensor::getMixedSizes(builder, op->getLoc(), init);
  SmallVector<OpFoldResult> sizes;
  for (auto [expr, extent] : llvm::zip_equal(reduction.resultMap.getResults(),
                                             reduction.rowType.getShape())) {
    OpFoldResult size;
    if (!ShapedType::isDynamic(extent))
      size = builder.getIndexAttr(extent);
    for (auto [input, map] : llvm::zip_equal(reduction.inputs, reduction.maps))
      if (std::optional<unsigned> axis = map.getResultPosition(expr);
          axis && !size)
        size = tensor::getMixedSize(builder, op->getLoc(), input, *axis);
    if (!size)
      return op->emitOpError()
             << "has no input that gives the extent of dimension "
             << cast<AffineDimExpr>(expr).getPosition() << " of its rows";
    sizes.push_back(size);
  }
  return sizes;
}

template <typename Op>
static FailureOr<Reduction> getReduction(OpBuilder &builder, Op op, Value init,
                                         RankedTensorType rowType) {
  Reduction reduction;
  reduction.kind = op.getKind();
  for (unsigned i = 0; i < op.getInputs().size(); ++i)
    reduction.maps.push_back(op.getMap(i));
  reduction.resultMap = op.getResultMap();
  for (unsigned dim = 0; dim < op.getIterators().size(); ++dim)
    reduction.iterators.push_back(op.isReductionDim(dim)
                                      ? utils::IteratorType::reduction
                                      : utils::IteratorType::parallel);
  reduction.grainDim = op.getGrainDim();
  reduction.inputs = llvm::to_vector(op.getInputs());
  reduction.body = op.getBody();
  reduction.rowType = rowType;
  FailureOr<SmallVector<OpFoldResult>> sizes =
      getRowSizes(builder, op, reduction, init);
  if (failed(sizes))
    return failure();
  reduction.rowSizes = *sizes;
  return reduction;
}

/// `value`, with its type as precise as `type` is.
static Value castTo(OpBuilder &builder, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return tensor::CastOp::create(builder, value.getLoc(), type, value);
}

/// Combines `dest` with `value`, in place.
static Value combineInto(OpBuilder &builder, Location loc, CombineKind kind,
                         Value value, Value dest) {
  unsigned rank = cast<RankedTensorType>(dest.getType()).getRank();
  SmallVector<AffineMap> maps(2, builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, dest.getType(), value, dest, maps, iterators,
             [&](OpBuilder &nested, Location loc, ValueRange elements) {
               linalg::YieldOp::create(
                   nested, loc,
                   buildCombine(nested, loc, kind, elements[1], elements[0]));
             })
      .getResult(0);
}

/// A reduction of `extent` elements, one per grain, as straight code.
static Value expandStraight(OpBuilder &builder, Location loc,
                            const Reduction &reduction, int64_t extent,
                            Value init) {
  SmallVector<OpFoldResult> grains;
  for (int64_t grain = 0; grain < extent; ++grain)
    grains.push_back(builder.getIndexAttr(grain));
  Value result = buildUnrolled(builder, loc, reduction, grains, init, {});
  if (isa<RankedTensorType>(result.getType()))
    return result;
  return tensor::FromElementsOp::create(builder, loc, reduction.rowType,
                                        result);
}

namespace {
class ExpandReductions final
    : public scanweave::impl::ExpandReductionsBase<ExpandReductions> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<ReduceOp, PartialReduceOp, TreeReduceOp, GrainOp>(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops) {
      rewriter.setInsertionPoint(op);
      Value value = llvm::TypeSwitch<Operation *, Value>(op)
                        .Case<ReduceOp, PartialReduceOp, TreeReduceOp, GrainOp>(
                            [&](auto op) { return expand(rewriter, op); });
      if (!value)
        return signalPassFailure();
      rewriter.replaceOp(op,
                         castTo(rewriter, value, op->getResult(0).getType()));
    }
  }

  Value expand(IRRewriter &rewriter, ReduceOp op) {
    Location loc = op.getLoc();
    Value init = op.getInit();
    FailureOr<Reduction> reduction = getReduction(
        rewriter, op, init, cast<RankedTensorType>(op.getResult().getType()));
    if (failed(reduction))
      return {};
    OpFoldResult extent = reduction->buildExtent(rewriter, loc);
    std::optional<int64_t> n = getConstantIntValue(extent);
    if (n == 0)
      return init;
    if (n && *n <= std::min<int64_t>(unroll, runtime::maxGrains) &&
        reduction->hasOneReductionDim())
      return expandStraight(rewriter, loc, *reduction, *n, init);
    Rows rows = buildRows(rewriter, loc, *reduction, extent,
                          buildGrainSizes(rewriter, loc, extent),
                          /*fillFirst=*/!n);
    return buildTree(rewriter, loc, op.getKind(), rows, init);
  }

  Value expand(IRRewriter &rewriter, PartialReduceOp op) {
    Location loc = op.getLoc();
    auto type = cast<RankedTensorType>(op.getResult().getType());
    FailureOr<Reduction> reduction =
        getReduction(rewriter, op, {},
                     RankedTensorType::get(type.getShape().drop_front(),
                                           type.getElementType()));
    if (failed(reduction))
      return {};
    GrainSizes grains =
        buildGrainSizes(rewriter, loc, getAsOpFoldResult(op.getExtent()));
    Rows rows = buildRows(rewriter, loc, *reduction,
                          reduction->buildExtent(rewriter, loc), grains,
                          /*fillFirst=*/false);
    if (llvm::is_contained(op.getInputs(), rows.tensor))
      return rows.tensor;
    return takeRows(rewriter, loc, rows);
  }

  Value expand(IRRewriter &rewriter, TreeReduceOp op) {
    Location loc = op.getLoc();
    Value rows = op.getRows();
    OpFoldResult count = tensor::getMixedSize(rewriter, loc, rows, 0);
    std::optional<int64_t> staticCount = getConstantIntValue(count);
    if (staticCount && *staticCount > 0)
      return buildTree(rewriter, loc, op.getKind(), {rows, count}, {});

    // Without rows, the identity.
    auto type = cast<RankedTensorType>(op.getResult().getType());
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, rows);
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, ArrayRef(sizes).drop_front(), type.getElementType());
    Value identity =
        buildIdentity(rewriter, loc, op.getKind(), type.getElementType());
    Value none =
        linalg::FillOp::create(rewriter, loc, identity, empty).getResult(0);
    if (staticCount)
      return none;
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    Value tree = buildTreeInPlace(rewriter, loc, op.getKind(), {rows, count});
    Value any = arith::MinSIOp::create(rewriter, loc, cast<Value>(count), one);
    return scf::ForOp::create(
               rewriter, loc, zero, any, one, none,
               [&](OpBuilder &nested, Location loc, Value row,
                   ValueRange carried) {
                 Value first = extractRow(nested, loc, tree, row);
                 scf::YieldOp::create(nested, loc,
                                      combineInto(nested, loc, op.getKind(),
                                                  first, carried.front()));
               })
        .getResult(0);
  }

  Value expand(IRRewriter &rewriter, GrainOp op) {
    return buildGrains(rewriter, op.getLoc(), op.getExtent()).size;
  }
};
} // namespace
