// SPDX-License-Identifier: Apache-2.0
//
// Getting the part of a value that an op needs, and cloning whole ops, maps
// and scans. Cut ops are in LocalizeCut.cpp.

#include "Localizer.h"

#include "scanweave/Analysis/Roots.h"
#include "scanweave/Dialect/Weave/Transforms/Slices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace scanweave;

//===----------------------------------------------------------------------===//
// Parts of values
//===----------------------------------------------------------------------===//

/// The dimension that a result of a scan is cut along, by its annotation.
std::optional<int64_t> scanweave::placedDim(ScanOp scan, unsigned result) {
  auto placements = scan->getAttrOfType<ArrayAttr>(placementAttrName);
  if (!placements)
    return std::nullopt;
  auto placement = cast<PlacementAttr>(placements[result]);
  return placement.isSharded() ? std::optional(placement.getDim())
                               : std::nullopt;
}

RankedTensorType scanweave::partType(Type type, int64_t dim) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  shape[dim] = ShapedType::kDynamic;
  return RankedTensorType::get(shape, tensor.getElementType());
}

ShardRangeOp Localizer::range(Value extent, Location loc) {
  return ShardRangeOp::create(builder, loc, team, extent);
}

Value Localizer::extent(Value global, int64_t dim, Location loc) {
  auto type = cast<RankedTensorType>(global.getType());
  if (!type.isDynamicDim(dim))
    return arith::ConstantIndexOp::create(builder, loc, type.getDimSize(dim));
  auto it = locals.find(global);
  if (it == locals.end())
    return tensor::DimOp::create(builder, loc, global, dim);
  if (it->second.dim == dim)
    return it->second.extent;
  return tensor::DimOp::create(builder, loc, it->second.value, dim);
}

Value Localizer::slice(Value whole, int64_t dim, Value extent) {
  Location loc = whole.getLoc();
  auto type = cast<RankedTensorType>(whole.getType());
  ShardRangeOp shard = range(extent, loc);
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, whole);
  offsets[dim] = shard.getOffset();
  sizes[dim] = shard.getSize();
  return createExtractSlice(builder, loc, partType(type, dim), whole, offsets,
                            sizes, strides);
}

Value Localizer::part(Value global, int64_t dim) {
  auto it = locals.find(global);
  if (it != locals.end() && it->second.dim == dim)
    return it->second.value;
  Value extent = this->extent(global, dim, global.getLoc());
  // What is cheap to make in part is not made whole first.
  if (Operation *op = global.getDefiningOp();
      isa_and_nonnull<tensor::EmptyOp>(op) && it != locals.end() &&
      !it->second.dim) {
    auto type = partType(global.getType(), dim);
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(builder, op->getLoc(), it->second.value);
    sizes[dim] = range(extent, op->getLoc()).getSize();
    return tensor::EmptyOp::create(builder, op->getLoc(), sizes,
                                   type.getElementType());
  }
  return slice(whole(global), dim, extent);
}

Value Localizer::whole(Value global) {
  auto it = locals.find(global);
  if (it == locals.end())
    return global;
  if (!it->second.dim)
    return it->second.value;
  if (Value made = wholes.lookup(global))
    return made;
  Local local = it->second;
  Value made = canRecompute(global) ? recompute(global) : gather(global, local);
  wholes[global] = made;
  return made;
}

/// Whether a value that is only there in part can be made whole without an
/// exchange: it is a draw, or elementwise work on draws and whole values.
bool Localizer::canRecompute(Value global) {
  Operation *op = global.getDefiningOp();
  if (!op || op->getNumRegions() || !isPure(op) ||
      !(isDraw(op) || OpTrait::hasElementwiseMappableTraits(op)))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    auto it = locals.find(operand);
    return it == locals.end() || !it->second.dim || canRecompute(operand);
  });
}

Value Localizer::recompute(Value global) {
  Operation *op = global.getDefiningOp();
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, whole(operand));
  Operation *clone = builder.clone(*op, mapping);
  clone->removeAttr(placementAttrName);
  return clone->getResult(cast<OpResult>(global).getResultNumber());
}

Value Localizer::gather(Value global, const Local &local) {
  Location loc = global.getLoc();
  auto type = cast<RankedTensorType>(global.getType());
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, local.value);
  sizes[*local.dim] = type.isDynamicDim(*local.dim)
                          ? OpFoldResult(local.extent)
                          : builder.getIndexAttr(type.getDimSize(*local.dim));
  Value dest =
      tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  return GatherShardsOp::create(builder, loc, type, team, local.value,
                                *local.dim, dest)
      .getResult();
}

//===----------------------------------------------------------------------===//
// Whole ops
//===----------------------------------------------------------------------===//

void Localizer::mapCaptured(Operation *op, IRMapping &mapping) {
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    mapping.map(value, whole(value));
}

void Localizer::localizeWhole(Operation *op) {
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, whole(operand));
  mapCaptured(op, mapping);
  Operation *clone = builder.clone(*op, mapping);
  clone->removeAttr(placementAttrName);
  for (auto [global, local] :
       llvm::zip_equal(op->getResults(), clone->getResults()))
    bind(global, {local, std::nullopt, Value()});
}

/// The cut that an op's placement attribute stands for.
std::optional<Cut> Localizer::cutOf(Operation *op) {
  auto placements = op->getAttrOfType<ArrayAttr>(placementAttrName);
  if (!placements)
    return std::nullopt;
  for (auto [i, attribute] : llvm::enumerate(placements)) {
    auto placement = cast<PlacementAttr>(attribute);
    if (placement.isPartial())
      return cutAtGrains(op);
    if (placement.isSharded())
      return cutAtResult(op, i, placement.getDim());
  }
  return std::nullopt;
}

void Localizer::localize(Operation *op) {
  // The whole extent of a part, not the part's.
  if (auto dimOp = dyn_cast<tensor::DimOp>(op)) {
    auto it = locals.find(dimOp.getSource());
    std::optional<int64_t> dim = dimOp.getConstantIndex();
    if (it != locals.end() && dim && it->second.dim == *dim)
      return bind(dimOp, {it->second.extent, std::nullopt, Value()});
  }
  if (auto scan = dyn_cast<ScanOp>(op)) {
    SmallVector<Local> inits;
    for (auto [i, init] : llvm::enumerate(scan.getInits())) {
      std::optional<int64_t> dim = placedDim(scan, i);
      inits.push_back({dim ? part(init, *dim) : whole(init), dim,
                       dim ? extent(init, *dim, scan.getLoc()) : Value()});
    }
    localizeScan(scan, inits);
    return;
  }
  std::optional<Cut> cut = cutOf(op);
  if (!cut)
    return localizeWhole(op);
  if (auto map = dyn_cast<PMapOp>(op))
    return localizeMap(map);
  localizeCut(op, *cut);
}

void Localizer::localizeBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    localize(&op);
  }
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

void Localizer::localizeMap(PMapOp map) {
  Location loc = map.getLoc();
  Value lanes = map.getLanes() ? whole(map.getLanes())
                               : extent(map.getInputs().front(),
                                        map.getInAxes().front(), loc);
  ShardRangeOp shard = range(lanes, loc);
  SmallVector<Value> inputs;
  for (auto [input, axis] : llvm::zip_equal(map.getInputs(), map.getInAxes()))
    inputs.push_back(part(input, axis));
  SmallVector<Type> types;
  for (auto [type, axis] :
       llvm::zip_equal(map.getResultTypes(), map.getOutAxes()))
    types.push_back(partType(type, axis));

  IRMapping mapping;
  mapCaptured(map, mapping);
  auto local = PMapOp::create(builder, loc, types, inputs, shard.getSize(),
                              map.getInAxes(), map.getOutAxes());
  local.setSchedule(map.getSchedule());
  for (auto [from, to] : llvm::zip_equal(map.getBody()->getArguments(),
                                         local.getBody()->getArguments()))
    mapping.map(from, to);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(local.getBody());
  for (Operation &op : *map.getBody())
    builder.clone(op, mapping);
  // A lane's number counts all workers' lanes.
  local.walk([&](AxisIndexOp index) {
    if (index.getAxis() != local.getBody()->getArgument(0))
      return;
    builder.setInsertionPointAfter(index);
    auto sum = arith::AddIOp::create(builder, index.getLoc(), index,
                                     shard.getOffset());
    index.getResult().replaceAllUsesExcept(sum, sum);
  });
  local.walk([&](AxisSizeOp size) {
    if (size.getAxis() == local.getBody()->getArgument(0))
      size.getResult().replaceAllUsesWith(lanes);
  });
  for (auto [global, result, axis] :
       llvm::zip_equal(map.getResults(), local.getResults(), map.getOutAxes()))
    bind(global, {result, axis, lanes});
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

/// The whole extent of an inner scan's stacked output's cut dimension. The ops
/// that give it go before the scan in the program and are then localized.
Value Localizer::stackedExtent(ScanOp scan, unsigned result, int64_t dim) {
  OpBuilder before(scan);
  Operation *last = scan->getPrevNode();
  OpFoldResult extent =
      extentOutside(scan.getResult(result), dim, Root(scan), before);
  assert(extent && "outputs of unknown extent are stacked whole");
  for (Operation *op = last ? last->getNextNode() : &scan->getBlock()->front();
       op != scan; op = op->getNextNode())
    localize(op);
  if (auto attribute = dyn_cast<Attribute>(extent))
    return arith::ConstantIndexOp::create(
        builder, scan.getLoc(), cast<IntegerAttr>(attribute).getInt());
  return whole(cast<Value>(extent));
}

ScanOp Localizer::localizeScan(ScanOp scan, ArrayRef<Local> inits,
                               const Destinations *destinations) {
  Location loc = scan.getLoc();
  unsigned carries = scan.getNumCarries();
  SmallVector<Value> operands, xsOperands;
  for (const Local &init : inits)
    operands.push_back(init.value);
  SmallVector<Local> xs;
  for (Value x : scan.getXs()) {
    auto it = locals.find(x);
    bool isCut = it != locals.end() && it->second.dim && *it->second.dim > 0;
    xs.push_back(isCut ? it->second : Local{whole(x), std::nullopt, Value()});
    xsOperands.push_back(xs.back().value);
  }
  Value length = scan.getLength() ? whole(scan.getLength()) : Value();
  SmallVector<Type> types = llvm::to_vector(TypeRange(ValueRange(operands)));
  SmallVector<Local> stacked;
  for (unsigned i = carries; i < scan->getNumResults(); ++i) {
    std::optional<int64_t> dim = placedDim(scan, i);
    Type type = scan.getResult(i).getType();
    types.push_back(dim ? partType(type, *dim) : type);
    Value extent;
    if (dim)
      extent = destinations ? destinations->extents[i - carries]
                            : stackedExtent(scan, i, *dim);
    stacked.push_back({Value(), dim, extent});
  }

  auto local = ScanOp::create(builder, loc, types, operands, xsOperands, length,
                              scan.getReverse());
  if (scan.getUnroll())
    local.setUnrollAttr(scan.getUnrollAttr());
  if (destinations) {
    local.getFirstMutable().assign(destinations->first);
    local.getLastMutable().assign(destinations->last);
    local.getDestsMutable().assign(destinations->dests);
    local.getStoreIfMutable().assign(destinations->storeIf);
  }
  for (auto [i, argument] : llvm::enumerate(scan.getCarryArgs()))
    bind(argument, {local.getCarryArgs()[i], inits[i].dim, inits[i].extent});
  for (auto [i, argument] : llvm::enumerate(scan.getSliceArgs())) {
    std::optional<int64_t> dim;
    if (xs[i].dim)
      dim = *xs[i].dim - 1;
    bind(argument, {local.getSliceArgs()[i], dim, xs[i].extent});
  }
  localizeScanBody(scan, local);
  for (auto [i, result] : llvm::enumerate(scan.getFinalCarries()))
    bind(result, {local.getResult(i), inits[i].dim, inits[i].extent});
  for (auto [i, result] : llvm::enumerate(scan.getStacked()))
    bind(result,
         {local.getResult(carries + i), stacked[i].dim, stacked[i].extent});
  return local;
}

void Localizer::localizeScanBody(ScanOp scan, ScanOp local) {
  // Wholes made in the body are not there after it.
  llvm::DenseMap<Value, Value> outerWholes = wholes;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(local.getBody());
  localizeBlock(*scan.getBody());
  YieldOp yield = scan.getYield();
  SmallVector<Value> next, values;
  for (auto [i, value] : llvm::enumerate(yield.getCarries())) {
    std::optional<int64_t> dim = placedDim(scan, i);
    next.push_back(dim ? part(value, *dim) : whole(value));
  }
  for (auto [i, value] : llvm::enumerate(yield.getValues())) {
    std::optional<int64_t> dim = placedDim(scan, scan.getNumCarries() + i);
    values.push_back(dim ? part(value, *dim - 1) : whole(value));
  }
  YieldOp::create(builder, yield.getLoc(), next, values);
  wholes = std::move(outerWholes);
}
