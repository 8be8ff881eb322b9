// SPDX-License-Identifier: Apache-2.0
//
// Batching of the tensor dialect: one more dimension in front. Where lanes
// access different places of a tensor, reading is a gather; writing runs lane
// by lane.

#include "Rules.h"

#include "scanweave/Dialect/Weave/Transforms/Slices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace scanweave;

/// Puts `front` before the values.
static SmallVector<OpFoldResult> prepend(OpFoldResult front,
                                         ArrayRef<OpFoldResult> values) {
  SmallVector<OpFoldResult> all{front};
  llvm::append_range(all, values);
  return all;
}

static bool anyBatched(Batcher &batcher, ValueRange values) {
  return llvm::any_of(values, [&](Value v) { return batcher.isBatched(v); });
}

Value scanweave::stackElements(Batcher &batcher, Location loc,
                               RankedTensorType type,
                               ValueRange batchedElements) {
  OpBuilder &b = batcher.b;
  SmallVector<Value> dynamic;
  if (batcher.hasDynamicLanes())
    dynamic.push_back(batcher.getLanes(loc));
  Value stack = tensor::EmptyOp::create(b, loc, type, dynamic);
  SmallVector<OpFoldResult> sizes(type.getRank(), b.getIndexAttr(1));
  SmallVector<OpFoldResult> ones = sizes;
  sizes.front() = batcher.getLanesSize();
  ArrayRef<int64_t> shape = type.getShape().drop_front();
  for (auto [i, element] : llvm::enumerate(batchedElements)) {
    SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
    int64_t rest = i;
    for (int64_t dim = shape.size() - 1; dim >= 0; --dim) {
      offsets[dim + 1] = b.getIndexAttr(rest % shape[dim]);
      rest /= shape[dim];
    }
    stack = createInsertSlice(b, loc, element, stack, offsets, sizes, ones);
  }
  return stack;
}

namespace {

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// result[l, r...] = tensor[l, at(l, r)...] for a tensor that is batched,
/// without the l if it is not. `at` gives indices from the lane's values of
/// `perLane`.
Value gather(
    Batcher &batcher, Location loc, Value tensor, RankedTensorType type,
    ArrayRef<OpFoldResult> extents, ValueRange perLane,
    function_ref<SmallVector<Value>(OpBuilder &, ValueRange, ValueRange)> at) {
  OpBuilder &b = batcher.b;
  Value source = batcher.lookup(tensor);
  Value empty = tensor::EmptyOp::create(b, loc, extents, type.getElementType());
  AffineMap lane =
      AffineMap::get(type.getRank(), 0, b.getAffineDimExpr(0), b.getContext());
  SmallVector<AffineMap> maps(perLane.size(), lane);
  maps.push_back(b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, loc, TypeRange{empty.getType()}, perLane, ValueRange{empty}, maps,
      iterators, [&](OpBuilder &body, Location, ValueRange arguments) {
        SmallVector<Value> position;
        for (int64_t dim = 0; dim < type.getRank(); ++dim)
          position.push_back(linalg::IndexOp::create(body, loc, dim));
        SmallVector<Value> indices =
            at(body, arguments.drop_back(), ValueRange(position).drop_front());
        if (batcher.isBatched(tensor))
          indices.insert(indices.begin(), position.front());
        Value element = tensor::ExtractOp::create(body, loc, source, indices);
        linalg::YieldOp::create(body, loc, element);
      });
  return generic.getResult(0);
}

struct ExtractRule
    : BatchableOpInterface::ExternalModel<ExtractRule, tensor::ExtractOp> {
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    auto extract = cast<tensor::ExtractOp>(op);
    OpBuilder &b = batcher.b;
    Location loc = op->getLoc();
    auto type = batcher.getBatchedType(extract.getType());
    if (!anyBatched(batcher, extract.getIndices())) {
      Value tensor = batcher.lookup(extract.getTensor());
      auto indices = getAsOpFoldResult(batcher.lookup(extract.getIndices()));
      SmallVector<OpFoldResult> ones(indices.size(), b.getIndexAttr(1));
      Value column = tensor;
      if (!indices.empty())
        column = createExtractSlice(b, loc, type, tensor,
                                    prepend(b.getIndexAttr(0), indices),
                                    prepend(batcher.getLanesSize(), ones),
                                    prepend(b.getIndexAttr(1), ones));
      batcher.map(extract, column);
      return success();
    }
    SmallVector<Value> perLane;
    for (Value index : extract.getIndices())
      if (batcher.isBatched(index))
        perLane.push_back(batcher.lookup(index));
    auto at = [&](OpBuilder &, ValueRange ofLane, ValueRange) {
      SmallVector<Value> indices;
      for (Value index : extract.getIndices()) {
        bool isBatched = batcher.isBatched(index);
        indices.push_back(isBatched ? ofLane.front() : batcher.lookup(index));
        if (isBatched)
          ofLane = ofLane.drop_front();
      }
      return indices;
    };
    batcher.map(extract, gather(batcher, loc, extract.getTensor(), type,
                                batcher.getLanesSize(), perLane, at));
    return success();
  }
};

struct InsertRule
    : BatchableOpInterface::ExternalModel<InsertRule, tensor::InsertOp> {
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    auto insert = cast<tensor::InsertOp>(op);
    if (anyBatched(batcher, insert.getIndices()))
      return failure();
    OpBuilder &b = batcher.b;
    auto indices = getAsOpFoldResult(batcher.lookup(insert.getIndices()));
    SmallVector<OpFoldResult> ones(indices.size(), b.getIndexAttr(1));
    Value scalar = batcher.getBatched(insert.getScalar());
    Value dest = batcher.getBatched(insert.getDest());
    batcher.map(insert, createInsertSlice(b, op->getLoc(), scalar, dest,
                                          prepend(b.getIndexAttr(0), indices),
                                          prepend(batcher.getLanesSize(), ones),
                                          prepend(b.getIndexAttr(1), ones)));
    return success();
  }
};

struct FromElementsRule
    : BatchableOpInterface::ExternalModel<FromElementsRule,
                                          tensor::FromElementsOp> {
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    auto elements = cast<tensor::FromElementsOp>(op);
    SmallVector<Value> batched;
    for (Value element : elements.getElements())
      batched.push_back(batcher.getBatched(element));
    auto type = batcher.getBatchedType(elements.getType());
    batcher.map(elements,
                type.getRank() == 1
                    ? batched.front()
                    : stackElements(batcher, op->getLoc(), type, batched));
    return success();
  }
};

struct SplatRule
    : BatchableOpInterface::ExternalModel<SplatRule, tensor::SplatOp> {
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    auto splat = cast<tensor::SplatOp>(op);
    if (anyBatched(batcher, splat.getDynamicSizes()))
      return failure();
    SmallVector<Value> sizes = batcher.lookup(splat.getDynamicSizes());
    SmallVector<OpFoldResult> extents{batcher.getLanesSize()};
    llvm::append_range(extents, getMixedValues(splat.getType().getShape(),
                                               sizes, op->getContext()));
    auto newDims = llvm::to_vector(llvm::seq<int64_t>(1, extents.size()));
    batcher.map(splat, createBroadcast(batcher.b, op->getLoc(),
                                       batcher.lookup(splat.getInput()),
                                       extents, newDims));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

struct ExtractSliceRule
    : BatchableOpInterface::ExternalModel<ExtractSliceRule,
                                          tensor::ExtractSliceOp> {
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    auto slice = cast<tensor::ExtractSliceOp>(op);
    OpBuilder &b = batcher.b;
    Location loc = op->getLoc();
    if (anyBatched(batcher, slice.getSizes()) ||
        anyBatched(batcher, slice.getStrides()))
      return failure();
    auto type = batcher.getBatchedType(slice.getType());
    if (anyBatched(batcher, slice.getOffsets()))
      return gatherSlices(slice, type, batcher);
    batcher.map(slice, createExtractSlice(
                           b, loc, type, batcher.lookup(slice.getSource()),
                           prepend(b.getIndexAttr(0),
                                   batcher.lookup(slice.getMixedOffsets())),
                           prepend(batcher.getLanesSize(),
                                   batcher.lookup(slice.getMixedSizes())),
                           prepend(b.getIndexAttr(1),
                                   batcher.lookup(slice.getMixedStrides()))));
    return success();
  }

  /// Each lane takes its slice from another place.
  static LogicalResult gatherSlices(tensor::ExtractSliceOp slice,
                                    RankedTensorType type, Batcher &batcher) {
    Location loc = slice.getLoc();
    SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
    SmallVector<OpFoldResult> strides = batcher.lookup(slice.getMixedStrides());
    SmallVector<OpFoldResult> sizes = batcher.lookup(slice.getMixedSizes());
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    SmallVector<OpFoldResult> extents{batcher.getLanesSize()};
    SmallVector<Value> perLane;
    for (auto [dim, offset] : llvm::enumerate(offsets)) {
      if (!dropped.test(dim))
        extents.push_back(sizes[dim]);
      if (auto value = dyn_cast<Value>(offset);
          value && batcher.isBatched(value))
        perLane.push_back(batcher.lookup(value));
    }
    auto at = [&](OpBuilder &body, ValueRange ofLane, ValueRange position) {
      SmallVector<Value> indices;
      for (auto [dim, offset] : llvm::enumerate(offsets)) {
        Value start;
        auto value = dyn_cast<Value>(offset);
        if (value && batcher.isBatched(value)) {
          start = ofLane.front();
          ofLane = ofLane.drop_front();
        } else {
          start = getValueOrCreateConstantIndexOp(
              body, loc, batcher.lookup(ArrayRef(offset)).front());
        }
        if (!dropped.test(dim)) {
          Value stride =
              getValueOrCreateConstantIndexOp(body, loc, strides[dim]);
          Value by = arith::MulIOp::create(body, loc, position.front(), stride);
          start = arith::AddIOp::create(body, loc, start, by);
          position = position.drop_front();
        }
        indices.push_back(start);
      }
      return indices;
    };
    batcher.map(slice, gather(batcher, loc, slice.getSource(), type, extents,
                              perLane, at));
    return success();
  }
};

struct InsertSliceRule
    : BatchableOpInterface::ExternalModel<InsertSliceRule,
                                          tensor::InsertSliceOp> {
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    auto slice = cast<tensor::InsertSliceOp>(op);
    OpBuilder &b = batcher.b;
    if (anyBatched(batcher, slice.getOffsets()) ||
        anyBatched(batcher, slice.getSizes()) ||
        anyBatched(batcher, slice.getStrides()))
      return failure();
    Value source = batcher.getBatched(slice.getSource());
    Value dest = batcher.getBatched(slice.getDest());
    batcher.map(slice, createInsertSlice(
                           b, op->getLoc(), source, dest,
                           prepend(b.getIndexAttr(0),
                                   batcher.lookup(slice.getMixedOffsets())),
                           prepend(batcher.getLanesSize(),
                                   batcher.lookup(slice.getMixedSizes())),
                           prepend(b.getIndexAttr(1),
                                   batcher.lookup(slice.getMixedStrides()))));
    return success();
  }
};

struct ConcatRule
    : BatchableOpInterface::ExternalModel<ConcatRule, tensor::ConcatOp> {
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    auto concat = cast<tensor::ConcatOp>(op);
    SmallVector<Value> inputs;
    for (Value input : concat.getInputs())
      inputs.push_back(batcher.getBatched(input));
    batcher.map(concat, tensor::ConcatOp::create(batcher.b, op->getLoc(),
                                                 concat.getDim() + 1, inputs));
    return success();
  }
};

struct PadRule : BatchableOpInterface::ExternalModel<PadRule, tensor::PadOp> {
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    auto pad = cast<tensor::PadOp>(op);
    Value value = pad.getConstantPaddingValue();
    if (!value || batcher.isBatched(value) ||
        anyBatched(batcher, pad.getLow()) || anyBatched(batcher, pad.getHigh()))
      return failure();
    OpBuilder &b = batcher.b;
    // The constant may be in the body.
    if (pad.getRegion().isAncestor(value.getParentRegion()))
      value = b.clone(*value.getDefiningOp())->getResult(0);
    else
      value = batcher.lookup(value);
    batcher.map(
        pad,
        tensor::PadOp::create(
            b, op->getLoc(), batcher.getBatchedType(pad.getType()),
            batcher.lookup(pad.getSource()),
            prepend(b.getIndexAttr(0), batcher.lookup(pad.getMixedLowPad())),
            prepend(b.getIndexAttr(0), batcher.lookup(pad.getMixedHighPad())),
            value, pad.getNofold()));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Groups of dimensions, the lanes in front. A tensor of rank 0 has no groups:
/// all dimensions then go with the lanes.
SmallVector<ReassociationIndices>
withLanes(ArrayRef<ReassociationIndices> groups, int64_t wideRank) {
  SmallVector<ReassociationIndices> all{{0}};
  if (groups.empty())
    for (int64_t dim = 0; dim < wideRank; ++dim)
      all.front().push_back(dim + 1);
  for (const ReassociationIndices &group : groups) {
    ReassociationIndices &shifted = all.emplace_back();
    for (int64_t dim : group)
      shifted.push_back(dim + 1);
  }
  return all;
}

struct CollapseRule
    : BatchableOpInterface::ExternalModel<CollapseRule,
                                          tensor::CollapseShapeOp> {
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    auto collapse = cast<tensor::CollapseShapeOp>(op);
    auto groups = withLanes(collapse.getReassociationIndices(),
                            collapse.getSrcType().getRank());
    batcher.map(collapse, tensor::CollapseShapeOp::create(
                              batcher.b, op->getLoc(),
                              batcher.getBatchedType(collapse.getType()),
                              batcher.lookup(collapse.getSrc()), groups));
    return success();
  }
};

struct ExpandRule
    : BatchableOpInterface::ExternalModel<ExpandRule, tensor::ExpandShapeOp> {
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    auto expand = cast<tensor::ExpandShapeOp>(op);
    if (anyBatched(batcher, expand.getOutputShape()))
      return failure();
    auto groups =
        withLanes(expand.getReassociationIndices(), expand.getType().getRank());
    SmallVector<OpFoldResult> shape =
        prepend(batcher.getLanesSize(),
                batcher.lookup(getMixedValues(expand.getStaticOutputShape(),
                                              expand.getOutputShape(),
                                              op->getContext())));
    batcher.map(expand, tensor::ExpandShapeOp::create(
                            batcher.b, op->getLoc(),
                            batcher.getBatchedType(expand.getType()),
                            batcher.lookup(expand.getSrc()), groups, shape));
    return success();
  }
};

struct CastRule
    : BatchableOpInterface::ExternalModel<CastRule, tensor::CastOp> {
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    batcher.map(op->getResult(0), batcher.lookup(op->getOperand(0)));
    return success();
  }
};

struct BitcastRule
    : BatchableOpInterface::ExternalModel<BitcastRule, tensor::BitcastOp> {
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    batcher.map(op->getResult(0), batcher.cloneBatched(op)->getResult(0));
    return success();
  }
};

/// Shapes are the same on all lanes.
struct DimRule : BatchableOpInterface::ExternalModel<DimRule, tensor::DimOp> {
  void propagateBatched(Operation *op, BatchAnalysis &analysis) const {
    auto dim = cast<tensor::DimOp>(op);
    if (analysis.isBatched(dim.getIndex()))
      analysis.setBatched(dim);
  }

  LogicalResult batch(Operation *op, Batcher &batcher) const {
    auto dim = cast<tensor::DimOp>(op);
    if (batcher.isBatched(dim.getIndex()))
      return failure();
    OpBuilder &b = batcher.b;
    Value index = batcher.lookup(dim.getIndex());
    Value one = arith::ConstantIndexOp::create(b, op->getLoc(), 1);
    index = b.createOrFold<arith::AddIOp>(op->getLoc(), index, one);
    batcher.map(dim,
                tensor::DimOp::create(b, op->getLoc(),
                                      batcher.lookup(dim.getSource()), index));
    return success();
  }
};

struct GenerateRule
    : BatchableOpInterface::ExternalModel<GenerateRule, tensor::GenerateOp> {
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    auto generate = cast<tensor::GenerateOp>(op);
    if (anyBatched(batcher, generate.getDynamicExtents()))
      return failure();
    OpBuilder &b = batcher.b;
    Location loc = op->getLoc();
    SmallVector<Value> extents;
    if (batcher.hasDynamicLanes())
      extents.push_back(batcher.getLanes(loc));
    llvm::append_range(extents, batcher.lookup(generate.getDynamicExtents()));
    auto type = batcher.getBatchedType(generate.getType());
    auto made = tensor::GenerateOp::create(b, loc, type, extents);
    OpBuilder::InsertionGuard guard(b);
    SmallVector<Type> indexTypes(type.getRank(), b.getIndexType());
    SmallVector<Location> locs(type.getRank(), loc);
    Block *body = b.createBlock(&made.getBody(), {}, indexTypes, locs);
    Value lane = body->getArgument(0);
    if (failed(batcher.cloneBlockForLane(generate.getBody().front(),
                                         body->getArguments().drop_front(),
                                         lane)))
      return failure();
    batcher.map(generate, made);
    return success();
  }
};

} // namespace

void scanweave::registerTensorBatching(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::ExtractOp::attachInterface<ExtractRule>(*context);
    tensor::InsertOp::attachInterface<InsertRule>(*context);
    tensor::FromElementsOp::attachInterface<FromElementsRule>(*context);
    tensor::SplatOp::attachInterface<SplatRule>(*context);
    tensor::ExtractSliceOp::attachInterface<ExtractSliceRule>(*context);
    tensor::InsertSliceOp::attachInterface<InsertSliceRule>(*context);
    tensor::ConcatOp::attachInterface<ConcatRule>(*context);
    tensor::PadOp::attachInterface<PadRule>(*context);
    tensor::CollapseShapeOp::attachInterface<CollapseRule>(*context);
    tensor::ExpandShapeOp::attachInterface<ExpandRule>(*context);
    tensor::CastOp::attachInterface<CastRule>(*context);
    tensor::BitcastOp::attachInterface<BitcastRule>(*context);
    tensor::DimOp::attachInterface<DimRule>(*context);
    tensor::GenerateOp::attachInterface<GenerateRule>(*context);
  });
}
