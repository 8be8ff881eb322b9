// SPDX-License-Identifier: Apache-2.0
//
// Emits the batched form of a map's body: finds each operation's rule, keeps
// what does not differ from lane to lane as it is, and runs what has no rule in
// a loop over lanes.

#include "Rules.h"

#include "scanweave/Dialect/Weave/Transforms/Slices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

#include "scanweave/Dialect/Weave/Transforms/BatchingInterface.cpp.inc"

using namespace mlir;
using namespace scanweave;

//===----------------------------------------------------------------------===//
// Forms of values
//===----------------------------------------------------------------------===//

Batcher::Batcher(OpBuilder &builder, MapOpInterface map,
                 const BatchAnalysis &analysis)
    : b(builder), analysis(analysis), axis(map.getAxis()),
      lanes(map.getLanes()), staticLanes(map.getStaticLanes()) {
  if (hasDynamicLanes() && !lanes)
    lanes = tensor::DimOp::create(b, map.getLoc(), map.getInputs().front(),
                                  map.getInAxes().front());
}

bool Batcher::hasDynamicLanes() const {
  return ShapedType::isDynamic(staticLanes);
}

Value Batcher::getLanes(Location loc) {
  if (hasDynamicLanes())
    return lanes;
  return arith::ConstantIndexOp::create(b, loc, staticLanes);
}

OpFoldResult Batcher::getLanesSize() const {
  if (hasDynamicLanes())
    return lanes;
  return b.getIndexAttr(staticLanes);
}

Value Batcher::lookup(Value value) const {
  return mapping.lookupOrDefault(value);
}

SmallVector<Value> Batcher::lookup(ValueRange values) const {
  return llvm::map_to_vector(values, [&](Value v) { return lookup(v); });
}

SmallVector<OpFoldResult> Batcher::lookup(ArrayRef<OpFoldResult> values) const {
  return llvm::map_to_vector(values, [&](OpFoldResult v) -> OpFoldResult {
    if (auto value = dyn_cast<Value>(v))
      return lookup(value);
    return v;
  });
}

Value Batcher::get(Value value, bool batched) {
  return batched ? getBatched(value) : lookup(value);
}

Value Batcher::getBatched(Value value) {
  Value form = lookup(value);
  if (isBatched(value))
    return form;
  Location loc = value.getLoc();
  RankedTensorType type = getBatchedType(value.getType());
  Attribute constant;
  if (type.hasStaticShape() && matchPattern(form, m_Constant(&constant))) {
    if (auto splat = dyn_cast<SplatElementsAttr>(constant))
      constant = splat.getSplatValue<Attribute>();
    if (isa<IntegerAttr, FloatAttr>(constant))
      return arith::ConstantOp::create(b, loc,
                                       DenseElementsAttr::get(type, constant));
  }
  auto tensor = dyn_cast<RankedTensorType>(form.getType());
  if (!tensor)
    return tensor::SplatOp::create(b, loc, form, type.getShape(),
                                   hasDynamicLanes() ? ValueRange{lanes}
                                                     : ValueRange());
  SmallVector<OpFoldResult> extents = getExtents(b, loc, form);
  extents.insert(extents.begin(), getLanesSize());
  if (form.getDefiningOp<tensor::EmptyOp>())
    return tensor::EmptyOp::create(b, loc, extents, type.getElementType());
  return createBroadcast(b, loc, form, extents, /*newDims=*/{0});
}

void Batcher::map(Value value, Value form) {
  if (isBatched(value))
    form = castTo(b, value.getLoc(), form, getBatchedType(value.getType()));
  else
    form = castTo(b, value.getLoc(), form, value.getType());
  mapping.map(value, form);
}

RankedTensorType Batcher::getBatchedType(Type type) const {
  if (type.isIntOrIndexOrFloat())
    return RankedTensorType::get({staticLanes}, type);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getEncoding())
    return {};
  SmallVector<int64_t> shape{staticLanes};
  llvm::append_range(shape, tensor.getShape());
  return RankedTensorType::get(shape, tensor.getElementType());
}

Type Batcher::getType(Value value, bool batched) const {
  return batched ? getBatchedType(value.getType()) : value.getType();
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

namespace {
/// Erases what was emitted since its construction, if told to.
class Emission {
public:
  explicit Emission(OpBuilder &builder)
      : guard(builder), block(builder.getInsertionBlock()),
        end(builder.getInsertionPoint()),
        before(end == block->begin() ? nullptr : &*std::prev(end)) {}

  void erase() {
    while (true) {
      Operation *last = end == block->begin() ? nullptr : &*std::prev(end);
      if (last == before)
        return;
      last->erase();
    }
  }

private:
  OpBuilder::InsertionGuard guard;
  Block *block;
  Block::iterator end;
  Operation *before;
};
} // namespace

FailureOr<SmallVector<Value>> Batcher::batchMap(MapOpInterface map) {
  Emission emission(b);
  Location loc = map.getLoc();
  for (auto [slice, input, inAxis] :
       llvm::zip_equal(map.getSliceArgs(), map.getInputs(), map.getInAxes()))
    this->map(slice, moveDim(b, loc, input, inAxis, 0));
  if (failed(batchBlock(map.getRegion().front()))) {
    emission.erase();
    return failure();
  }
  SmallVector<Value> results;
  for (auto [yielded, outAxis, type] : llvm::zip_equal(
           map.getYielded(), map.getOutAxes(), map->getResultTypes())) {
    Value front = getBatched(yielded);
    results.push_back(castTo(b, loc, moveDim(b, loc, front, 0, outAxis), type));
  }
  return results;
}

LogicalResult Batcher::batchBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(batchOp(&op)))
      return failure();
  return success();
}

LogicalResult Batcher::batchOp(Operation *op) {
  if (!usesBatched(op)) {
    b.clone(*op, mapping);
    return success();
  }
  for (Value result : op->getResults())
    if (isBatched(result) && !getBatchedType(result.getType())) {
      op->emitRemark()
          << "the vmap runs lane by lane: there is no batched form "
             "of a value of type "
          << result.getType();
      return failure();
    }
  if (succeeded(applyRule(op)))
    return success();
  if (failed(runByLane(op))) {
    op->emitRemark() << "the vmap runs lane by lane: '" << op->getName()
                     << "' cannot be batched";
    return failure();
  }
  op->emitRemark() << "'" << op->getName()
                   << "' runs lane by lane: it cannot be batched";
  return success();
}

LogicalResult Batcher::applyRule(Operation *op) {
  Emission emission(b);
  LogicalResult result = failure();
  if (auto batchable = dyn_cast<BatchableOpInterface>(op))
    result = batchable.batch(*this);
  else if (OpTrait::hasElementwiseMappableTraits(op))
    result = batchElementwise(op, *this);
  else if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    result = batchStructured(structured, *this);
  if (failed(result))
    emission.erase();
  return result;
}

LogicalResult Batcher::runByLane(Operation *op) {
  Emission emission(b);
  Location loc = op->getLoc();
  SmallVector<Value> inits;
  for (Value result : op->getResults()) {
    auto tensor = dyn_cast<RankedTensorType>(result.getType());
    bool isStatic = !tensor || tensor.hasStaticShape();
    if (!isBatched(result) || !isStatic) {
      emission.erase();
      return failure();
    }
    inits.push_back(tensor::EmptyOp::create(
        b, loc, getBatchedType(result.getType()),
        hasDynamicLanes() ? ValueRange{lanes} : ValueRange()));
  }
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  auto loop = scf::ForOp::create(b, loc, zero, getLanes(loc), one, inits);
  Value lane = loop.getInductionVar();
  b.setInsertionPointToStart(loop.getBody());
  FailureOr<Operation *> clone = cloneForLane(op, lane);
  if (failed(clone)) {
    emission.erase();
    return failure();
  }
  SmallVector<Value> nexts;
  for (auto [value, dest] :
       llvm::zip_equal((*clone)->getResults(), loop.getRegionIterArgs()))
    nexts.push_back(insertLane(loc, value, dest, lane));
  if (!nexts.empty())
    scf::YieldOp::create(b, loc, nexts);
  mapping.map(op->getResults(), loop.getResults());
  return success();
}

FailureOr<IRMapping> Batcher::sliceForLane(Location loc, ValueRange used,
                                           Value lane) {
  IRMapping local = mapping;
  for (Value value : used) {
    if (!isBatched(value) || value == axis)
      continue;
    if (!getBatchedType(value.getType()))
      return failure();
    local.map(value, extractLane(loc, lookup(value), value.getType(), lane));
  }
  return local;
}

FailureOr<Operation *> Batcher::cloneForLane(Operation *op, Value lane) {
  SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  FailureOr<IRMapping> local =
      sliceForLane(op->getLoc(), used.getArrayRef(), lane);
  if (failed(local))
    return failure();
  Operation *clone = b.clone(*op, *local);
  if (failed(replaceAxis(clone, lane)))
    return failure();
  return clone;
}

LogicalResult Batcher::cloneBlockForLane(Block &block, ValueRange arguments,
                                         Value lane) {
  SetVector<Value> used;
  getUsedValuesDefinedAbove(*block.getParent(), used);
  FailureOr<IRMapping> local =
      sliceForLane(block.getParentOp()->getLoc(), used.getArrayRef(), lane);
  if (failed(local))
    return failure();
  local->map(block.getArguments(), arguments);
  for (Operation &op : block)
    if (failed(replaceAxis(b.clone(op, *local), lane)))
      return failure();
  return success();
}

LogicalResult Batcher::replaceAxis(Operation *root, Value lane) {
  WalkResult result = root->walk([&](Operation *op) {
    if (!llvm::is_contained(op->getOperands(), axis))
      return WalkResult::advance();
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPoint(op);
    if (isa<AxisIndexOp>(op)) {
      op->getResult(0).replaceAllUsesWith(lane);
    } else if (isa<AxisSizeOp>(op)) {
      op->getResult(0).replaceAllUsesWith(getLanes(op->getLoc()));
    } else {
      return WalkResult::interrupt();
    }
    op->erase();
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

Operation *Batcher::cloneBatched(Operation *op) {
  Operation *clone = b.clone(*op, mapping);
  for (auto [result, made] :
       llvm::zip_equal(op->getResults(), clone->getResults()))
    if (isBatched(result))
      made.setType(getBatchedType(result.getType()));
  return clone;
}

//===----------------------------------------------------------------------===//
// Lanes
//===----------------------------------------------------------------------===//

Value Batcher::createIota(Location loc) {
  auto type = RankedTensorType::get({staticLanes}, b.getIndexType());
  Value empty = tensor::EmptyOp::create(b, loc, ArrayRef{getLanesSize()},
                                        type.getElementType());
  auto generic = linalg::GenericOp::create(
      b, loc, TypeRange{empty.getType()}, ValueRange(), ValueRange{empty},
      ArrayRef{b.getMultiDimIdentityMap(1)},
      ArrayRef{utils::IteratorType::parallel},
      [](OpBuilder &body, Location bodyLoc, ValueRange) {
        Value lane = linalg::IndexOp::create(body, bodyLoc, 0);
        linalg::YieldOp::create(body, bodyLoc, lane);
      });
  return generic.getResult(0);
}

/// Offsets, sizes and strides of one lane of a tensor.
static void sliceOfLane(OpBuilder &b, Location loc, Value batched, Value lane,
                        SmallVectorImpl<OpFoldResult> &offsets,
                        SmallVectorImpl<OpFoldResult> &sizes,
                        SmallVectorImpl<OpFoldResult> &strides) {
  sizes = getExtents(b, loc, batched);
  sizes.front() = b.getIndexAttr(1);
  offsets.assign(sizes.size(), b.getIndexAttr(0));
  offsets.front() = lane;
  strides.assign(sizes.size(), b.getIndexAttr(1));
}

Value Batcher::extractLane(Location loc, Value batched, Type type, Value lane) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return tensor::ExtractOp::create(b, loc, batched, lane);
  SmallVector<OpFoldResult> offsets, sizes, strides;
  sliceOfLane(b, loc, batched, lane, offsets, sizes, strides);
  return createExtractSlice(b, loc, tensor, batched, offsets, sizes, strides);
}

Value Batcher::insertLane(Location loc, Value value, Value batched,
                          Value lane) {
  if (!isa<RankedTensorType>(value.getType()))
    return tensor::InsertOp::create(b, loc, value, batched, lane);
  SmallVector<OpFoldResult> offsets, sizes, strides;
  sliceOfLane(b, loc, batched, lane, offsets, sizes, strides);
  return createInsertSlice(b, loc, value, batched, offsets, sizes, strides);
}

//===----------------------------------------------------------------------===//
// Building blocks of rules
//===----------------------------------------------------------------------===//

OpFoldResult scanweave::getExtent(OpBuilder &builder, Location loc,
                                  Value tensor, int64_t dim) {
  return tensor::getMixedSize(builder, loc, tensor, dim);
}

SmallVector<OpFoldResult> scanweave::getExtents(OpBuilder &builder,
                                                Location loc, Value tensor) {
  return tensor::getMixedSizes(builder, loc, tensor);
}

Value scanweave::createTranspose(OpBuilder &builder, Location loc, Value tensor,
                                 ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> composed(permutation);
  if (auto earlier = tensor.getDefiningOp<linalg::TransposeOp>()) {
    for (int64_t &dim : composed)
      dim = earlier.getPermutation()[dim];
    tensor = earlier.getInput();
  }
  if (llvm::equal(composed, llvm::seq<int64_t>(0, composed.size())))
    return tensor;
  SmallVector<OpFoldResult> extents;
  for (int64_t dim : composed)
    extents.push_back(getExtent(builder, loc, tensor, dim));
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  Value empty = tensor::EmptyOp::create(builder, loc, extents, element);
  return linalg::TransposeOp::create(builder, loc, tensor, empty, composed)
      ->getResult(0);
}

Value scanweave::moveDim(OpBuilder &builder, Location loc, Value tensor,
                         int64_t from, int64_t to) {
  if (from == to)
    return tensor;
  SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(
      0, cast<RankedTensorType>(tensor.getType()).getRank()));
  permutation.erase(permutation.begin() + from);
  permutation.insert(permutation.begin() + to, from);
  return createTranspose(builder, loc, tensor, permutation);
}

Value scanweave::createBroadcast(OpBuilder &builder, Location loc, Value tensor,
                                 ArrayRef<OpFoldResult> extents,
                                 ArrayRef<int64_t> newDims) {
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  if (newDims.empty())
    return tensor;
  Value empty = tensor::EmptyOp::create(builder, loc, extents, element);
  return linalg::BroadcastOp::create(builder, loc, tensor, empty, newDims)
      ->getResult(0);
}

Value scanweave::castTo(OpBuilder &builder, Location loc, Value tensor,
                        Type type) {
  if (tensor.getType() == type)
    return tensor;
  return tensor::CastOp::create(builder, loc, type, tensor);
}

void scanweave::registerBatchingRules(DialectRegistry &registry) {
  registerArithBatching(registry);
  registerTensorBatching(registry);
  registerControlFlowBatching(registry);
  registerWeaveLoopBatching(registry);
  registerRandomBatching(registry);
  registerReduceBatching(registry);
}
