// SPDX-License-Identifier: Apache-2.0
//
// Decides at which level of the sequence each op of a map's body runs, and
// which values the map of each level stacks.

#include "MapSplitter.h"

#include "LaneCollectives.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace scanweave;

MapSplitter::Role MapSplitter::getRole(Operation *op) const {
  if (variance.isUniform(op))
    return Role::uniform;
  if (isCollective(op))
    return Role::collective;
  return hasCollective(op) ? Role::loop : Role::lanes;
}

/// Lane numbers and conversions of them are cheaper to compute again in every
/// map than to stack.
bool MapSplitter::isRecomputed(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op || !variance.isVarying(value))
    return false;
  if (isa<AxisIndexOp>(op))
    return true;
  return isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
             arith::ExtUIOp, arith::TruncIOp, arith::SIToFPOp, arith::UIToFPOp>(
             op) &&
         !isa<ShapedType>(value.getType()) && isRecomputed(op->getOperand(0));
}

/// Places to write to belong to the map that writes them.
bool MapSplitter::isRematerialized(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op || !body.isAncestor(op->getParentRegion()) ||
      variance.isVarying(value))
    return false;
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return isRematerialized(fill.getOutputs().front());
  return isa<tensor::EmptyOp>(op);
}

SmallVector<MapSplitter::Demand> MapSplitter::getFlows(ValueRange values,
                                                       ValueRange flowTo,
                                                       int64_t axis) const {
  SmallVector<Demand> demands;
  for (auto [value, target] : llvm::zip_equal(values, flowTo))
    if (variance.isVarying(target))
      demands.push_back({value, axis});
  return demands;
}

SmallVector<MapSplitter::Demand> MapSplitter::getDemands(Operation *op,
                                                         Role role) const {
  SmallVector<Demand> demands;
  if (role == Role::collective) {
    bool isOwn = getCollectiveAxis(op) == token;
    demands.push_back({op->getOperand(0), isOwn ? getStackingAxis(op) : 0});
    return demands;
  }
  if (role == Role::loop)
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](ScanOp scan) {
          demands = getFlows(scan.getInits(), scan.getCarryArgs());
          demands.append(getFlows(scan.getXs(), scan.getSliceArgs(), 1));
        })
        .Case([&](scf::ForOp loop) {
          demands = getFlows(loop.getInitArgs(), loop.getRegionIterArgs());
        })
        .Case([&](scf::WhileOp loop) {
          demands = getFlows(loop.getInits(), loop.getBeforeArguments());
        });
  llvm::SetVector<Value> used;
  if (role == Role::loop)
    getUsedValuesDefinedAbove(op->getRegions(), used);
  else
    used = getUsedValues(op);
  for (Value value : used)
    if (variance.isVarying(value) && value != token)
      demands.push_back({value, std::nullopt});
  return demands;
}

/// The axis along which a varying result of a collective or loop is stacked.
static int64_t getResultAxis(OpResult result) {
  auto scan = dyn_cast<ScanOp>(result.getOwner());
  return scan && result.getResultNumber() >= scan.getNumCarries() ? 1 : 0;
}

void MapSplitter::addExport(Plan &plan, Demand demand, int64_t level) const {
  Value value = demand.value;
  auto fits = [&](int64_t axis) {
    return !demand.axis || *demand.axis == axis;
  };
  if (!demand.axis && isRecomputed(value))
    return;
  if (auto known = stacks.find(value);
      known != stacks.end() && llvm::any_of(known->second, [&](Stack stack) {
        return fits(stack.axis);
      }))
    return;
  if (auto result = dyn_cast<OpResult>(value);
      result && variance.isVarying(value)) {
    auto role = plan.roles.find(result.getOwner());
    if (role != plan.roles.end()) {
      if (role->second != Role::lanes) {
        if (fits(getResultAxis(result)))
          return;
      } else if (!isRecomputed(value)) {
        level = plan.levels.lookup(result.getOwner());
      }
    }
  }
  SmallVector<Demand> &exports = plan.exports[level];
  if (llvm::none_of(exports, [&](Demand known) {
        return known.value == value && fits(*known.axis);
      }))
    exports.push_back({value, demand.axis.value_or(0)});
}

MapSplitter::Plan MapSplitter::makePlan(Block &block,
                                        ArrayRef<Demand> results) const {
  Plan plan;
  int64_t lastEffect = 0;
  for (Operation &op : block.without_terminator()) {
    Role role = getRole(&op);
    int64_t level = 0;
    for (Value value : getUsedValues(&op))
      level = std::max(level, plan.available.lookup(value));
    if (role == Role::lanes && !isMemoryEffectFree(&op))
      lastEffect = level = std::max(level, lastEffect);
    plan.roles[&op] = role;
    plan.levels[&op] = level;
    bool isBetween = role == Role::collective || role == Role::loop;
    for (Value result : op.getResults())
      plan.available[result] = level + isBetween;
    plan.lastLevel = std::max(plan.lastLevel, level + isBetween);
  }

  plan.exports.resize(plan.lastLevel + 1);
  for (Operation &op : block.without_terminator()) {
    Role role = plan.roles.lookup(&op);
    if (role == Role::uniform)
      continue;
    int64_t level = plan.levels.lookup(&op);
    for (Demand demand : getDemands(&op, role)) {
      Operation *source = demand.value.getDefiningOp();
      bool isSameMap = role == Role::lanes && source &&
                       plan.roles.contains(source) &&
                       plan.levels.lookup(source) == level &&
                       plan.roles.lookup(source) == Role::lanes;
      if (!isSameMap)
        addExport(plan, demand, level);
    }
  }
  for (Demand demand : results)
    addExport(plan, demand, plan.lastLevel);
  return plan;
}
