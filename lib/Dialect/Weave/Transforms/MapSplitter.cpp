// SPDX-License-Identifier: Apache-2.0
//
// Emits the sequence of maps and collectives that a map becomes.

#include "MapSplitter.h"

#include "LaneCollectives.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace scanweave;

MapSplitter::MapSplitter(RewriterBase &builder, MapOpInterface map)
    : builder(builder), map(map), body(map.getRegion()), token(map.getAxis()),
      variance(map), staticLanes(map.getStaticLanes()) {}

//===----------------------------------------------------------------------===//
// Values outside of maps
//===----------------------------------------------------------------------===//

/// Whether values of this type are stacked as numbers.
static bool isRankZero(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() == 0;
}

FailureOr<RankedTensorType> MapSplitter::getStackType(Value value,
                                                      int64_t axis) const {
  Type type = value.getType();
  if (isRankZero(type))
    type = cast<RankedTensorType>(type).getElementType();
  auto shaped = dyn_cast<ShapedType>(type);
  RankedTensorType stacked;
  if (!shaped || (shaped.hasRank() && shaped.hasStaticShape()))
    stacked = getStackedType(type, axis, staticLanes);
  if (!stacked)
    return emitError(value.getLoc())
           << "a value that is needed on both sides of a collective must be a "
              "number or a tensor of static shape, found "
           << value.getType();
  return stacked;
}

Value MapSplitter::getStack(Value value, int64_t axis) const {
  for (Stack stack : stacks.lookup(value))
    if (stack.axis == axis)
      return stack.tensor;
  llvm_unreachable("the plan stacks what is wanted");
}

void MapSplitter::cloneRematerialized(Value value, IRMapping &mapping) {
  if (!isRematerialized(value))
    return;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    cloneRematerialized(operand, mapping);
  builder.clone(*op, mapping);
}

Value MapSplitter::getUniform(Value value) {
  IRMapping mapping = uniform;
  cloneRematerialized(value, mapping);
  return mapping.lookupOrDefault(value);
}

SmallVector<Value> MapSplitter::getOuters(ValueRange values, ValueRange flowTo,
                                          int64_t axis) {
  SmallVector<Value> outer;
  for (auto [value, target] : llvm::zip_equal(values, flowTo))
    outer.push_back(variance.isVarying(target) ? getStack(value, axis)
                                               : getUniform(value));
  return outer;
}

void MapSplitter::setOuters(ValueRange values, ValueRange outer, int64_t axis) {
  for (auto [value, replacement] : llvm::zip_equal(values, outer)) {
    if (variance.isVarying(value))
      stacks[value].push_back({replacement, axis});
    else
      uniform.map(value, replacement);
  }
}

Value scanweave::buildLaneCount(OpBuilder &builder, MapOpInterface map) {
  if (Value lanes = map.getLanes())
    return lanes;
  int64_t lanes = map.getStaticLanes();
  if (!ShapedType::isDynamic(lanes))
    return arith::ConstantIndexOp::create(builder, map.getLoc(), lanes);
  return tensor::DimOp::create(builder, map.getLoc(), map.getInputs().front(),
                               map.getInAxes().front());
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

template <typename MapOp>
MapOp MapSplitter::createMap(TypeRange types, ValueRange inputs,
                             ArrayRef<int64_t> inAxes,
                             ArrayRef<int64_t> outAxes) {
  Value lanes = inputs.empty() ? laneCount : Value();
  auto part = MapOp::create(builder, map.getLoc(), types, inputs, lanes, inAxes,
                            outAxes);
  part.setSchedule(cast<MapOp>(map.getOperation()).getSchedule());
  part->setDiscardableAttrs(map->getDiscardableAttrDictionary());
  return part;
}

LogicalResult MapSplitter::emitMap(Block &block, const Plan &plan,
                                   int64_t level) {
  SmallVector<Operation *> ops;
  bool hasEffects = false;
  for (Operation &op : block.without_terminator()) {
    if (plan.roles.lookup(&op) != Role::lanes ||
        plan.levels.lookup(&op) != level)
      continue;
    ops.push_back(&op);
    hasEffects |= !isMemoryEffectFree(&op);
  }
  ArrayRef<Demand> exports = plan.exports[level];
  if (exports.empty() && !hasEffects)
    return success();

  // What comes from other maps, in slices of stacks.
  llvm::SetVector<Value> imports;
  llvm::SmallPtrSet<Operation *, 16> here(ops.begin(), ops.end());
  std::function<void(Value)> import = [&](Value value) {
    if (!variance.isVarying(value) || value == token ||
        here.contains(value.getDefiningOp()))
      return;
    if (isRecomputed(value))
      import(value.getDefiningOp()->getOperand(0));
    else
      imports.insert(value);
  };
  for (Operation *op : ops)
    llvm::for_each(getUsedValues(op), import);
  for (Demand demand : exports)
    import(demand.value);

  SmallVector<Value> inputs;
  SmallVector<int64_t> inAxes, outAxes;
  SmallVector<Type> types;
  for (Value value : imports) {
    if (failed(getStackType(value, 0)))
      return failure();
    Stack stack = stacks.lookup(value).front();
    inputs.push_back(stack.tensor);
    inAxes.push_back(stack.axis);
  }
  for (Demand demand : exports) {
    FailureOr<RankedTensorType> type = getStackType(demand.value, *demand.axis);
    if (failed(type))
      return failure();
    types.push_back(*type);
    outAxes.push_back(*demand.axis);
  }
  auto part = isa<PMapOp>(map)
                  ? cast<MapOpInterface>(
                        createMap<PMapOp>(types, inputs, inAxes, outAxes)
                            .getOperation())
                  : cast<MapOpInterface>(
                        createMap<VMapOp>(types, inputs, inAxes, outAxes)
                            .getOperation());

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&part.getRegion().front());
  IRMapping mapping = uniform;
  mapping.map(token, part.getAxis());
  for (auto [value, slice] : llvm::zip_equal(imports, part.getSliceArgs())) {
    Value argument = slice;
    if (isRankZero(value.getType()))
      argument = tensor::FromElementsOp::create(
          builder, value.getLoc(), cast<RankedTensorType>(value.getType()),
          argument);
    mapping.map(value, argument);
  }
  // What is cheaper, or has, to be made here again.
  llvm::SmallDenseSet<Value> made;
  std::function<void(Value)> make = [&](Value value) {
    Operation *op = value.getDefiningOp();
    bool isMadeAgain =
        isRematerialized(value) || (isRecomputed(value) && !here.contains(op));
    if (!isMadeAgain || !made.insert(value).second)
      return;
    llvm::for_each(op->getOperands(), make);
    builder.clone(*op, mapping);
  };
  for (Operation *op : ops) {
    llvm::for_each(getUsedValues(op), make);
    builder.clone(*op, mapping);
  }
  SmallVector<Value> yielded;
  for (Demand demand : exports) {
    make(demand.value);
    Value value = mapping.lookupOrDefault(demand.value);
    if (isRankZero(value.getType()))
      value = tensor::ExtractOp::create(builder, value.getLoc(), value,
                                        ValueRange());
    yielded.push_back(value);
  }
  YieldOp::create(builder, map.getLoc(), ValueRange(), yielded);
  for (auto [demand, stack] : llvm::zip_equal(exports, part->getResults()))
    stacks[demand.value].push_back({stack, *demand.axis});
  return success();
}

//===----------------------------------------------------------------------===//
// Between maps
//===----------------------------------------------------------------------===//

void MapSplitter::emitUniform(Operation *op) {
  if (llvm::any_of(op->getResults(),
                   [&](Value result) { return isRematerialized(result); }))
    return;
  IRMapping mapping = uniform;
  for (Value value : getUsedValues(op))
    cloneRematerialized(value, mapping);
  Operation *once = builder.clone(*op, mapping);
  setOuters(op->getResults(), once->getResults());
}

void MapSplitter::emitCollective(Operation *op) {
  Value operand = op->getOperand(0), result = op->getResult(0);
  if (getCollectiveAxis(op) == token) {
    Value stack = getStack(operand, getStackingAxis(op));
    uniform.map(result, buildOverLanes(builder, op, stack, laneCount));
    return;
  }
  // Over an outer axis: for the values of all of this map's lanes at once.
  Value stack = getStack(operand, 0);
  Type element = getElementTypeOrSelf(result.getType());
  RankedTensorType type =
      cast<RankedTensorType>(stack.getType()).clone(element);
  Operation *outer = builder.clone(*op, uniform);
  outer->setOperand(0, stack);
  if (auto gather = dyn_cast<AllGatherOp>(outer)) {
    gather.setDim(gather.getDim() + 1);
    type = getStackedType(result.getType(), 0, staticLanes);
  }
  outer->getResult(0).setType(type);
  stacks[result].push_back({outer->getResult(0), 0});
}

LogicalResult MapSplitter::emitLoop(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ScanOp scan) { return emitScan(scan); })
      .Case([&](scf::ForOp loop) { return emitFor(loop); })
      .Case([&](scf::IfOp conditional) { return emitIf(conditional); })
      .Case([&](scf::WhileOp loop) { return emitWhile(loop); });
}

LogicalResult MapSplitter::splitBlock(Block &block, ArrayRef<Demand> results) {
  Plan plan = makePlan(block, results);
  auto forEach = [&](int64_t level, Role role,
                     llvm::function_ref<LogicalResult(Operation *)> emit) {
    for (Operation &op : block.without_terminator())
      if (plan.roles.lookup(&op) == role && plan.levels.lookup(&op) == level &&
          failed(emit(&op)))
        return failure();
    return success();
  };
  for (int64_t level = 0; level <= plan.lastLevel; ++level) {
    if (failed(forEach(level, Role::uniform,
                       [&](Operation *op) {
                         emitUniform(op);
                         return success();
                       })) ||
        failed(emitMap(block, plan, level)) ||
        failed(forEach(level, Role::collective,
                       [&](Operation *op) {
                         emitCollective(op);
                         return success();
                       })) ||
        failed(forEach(level, Role::loop,
                       [&](Operation *op) { return emitLoop(op); })))
      return failure();
  }
  return success();
}

LogicalResult MapSplitter::split() {
  builder.setInsertionPoint(map);
  laneCount = buildLaneCount(builder, map);
  for (auto [slice, input, axis] :
       llvm::zip_equal(map.getSliceArgs(), map.getInputs(), map.getInAxes()))
    stacks[slice].push_back({input, axis});
  SmallVector<Demand> results;
  for (auto [value, axis] : llvm::zip_equal(map.getYielded(), map.getOutAxes()))
    results.push_back({value, axis});
  if (failed(splitBlock(body.front(), results)))
    return failure();
  SmallVector<Value> replacements;
  for (auto [demand, type] : llvm::zip_equal(results, map->getResultTypes())) {
    Value stack = getStack(demand.value, *demand.axis);
    if (stack.getType() != type)
      stack = tensor::CastOp::create(builder, map.getLoc(), type, stack);
    replacements.push_back(stack);
  }
  builder.replaceOp(map, replacements);
  if (Operation *count = laneCount.getDefiningOp();
      count && isOpTriviallyDead(count))
    builder.eraseOp(count);
  return success();
}
