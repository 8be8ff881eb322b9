// SPDX-License-Identifier: Apache-2.0
//
// Which values of a map's body differ between the lanes of the map: a fixed
// point over loop-carried values, from below.

#include "scanweave/Analysis/LaneVariance.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace scanweave;

bool scanweave::isCollective(Operation *op) {
  return isa<PSumOp, PMeanOp, PMaxOp, PMinOp, AllGatherOp>(op);
}

Value scanweave::getCollectiveAxis(Operation *op) { return op->getOperand(1); }

bool scanweave::hasCollective(Operation *op) {
  return op
      ->walk([](Operation *nested) {
        return isCollective(nested) ? WalkResult::interrupt()
                                    : WalkResult::advance();
      })
      .wasInterrupted();
}

llvm::SetVector<Value> scanweave::getUsedValues(Operation *op) {
  llvm::SetVector<Value> values;
  getUsedValuesDefinedAbove(op->getRegions(), values);
  values.insert(op->operand_begin(), op->operand_end());
  return values;
}

LaneVariance::LaneVariance(MapOpInterface map) : axis(map.getAxis()) {
  Block &body = map.getRegion().front();
  varying.insert(body.args_begin(), body.args_end());
  do {
    changed = false;
    visit(body);
  } while (changed);
}

bool LaneVariance::isUniform(Operation *op) const {
  return isMemoryEffectFree(op) && isSpeculatable(op) &&
         llvm::none_of(getUsedValues(op),
                       [&](Value value) { return isVarying(value); });
}

void LaneVariance::setVarying(Value value) {
  changed |= varying.insert(value).second;
}

void LaneVariance::join(Value target, Value source) {
  if (isVarying(source))
    setVarying(target);
}

void LaneVariance::visit(Block &block) {
  for (Operation &op : block.without_terminator()) {
    if (isCollective(&op)) {
      if (getCollectiveAxis(&op) != axis)
        join(op.getResult(0), op.getOperand(0));
    } else if (hasCollective(&op)) {
      visitRegions(&op);
    } else if (!isUniform(&op)) {
      for (Value result : op.getResults())
        setVarying(result);
    }
  }
}

void LaneVariance::visitRegions(Operation *op) {
  auto joinAll = [&](ValueRange targets, ValueRange sources) {
    for (auto [target, source] : llvm::zip_equal(targets, sources))
      join(target, source);
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ScanOp scan) {
        joinAll(scan.getCarryArgs(), scan.getInits());
        joinAll(scan.getSliceArgs(), scan.getXs());
        visit(*scan.getBody());
        joinAll(scan.getCarryArgs(), scan.getYield().getCarries());
        joinAll(scan.getFinalCarries(), scan.getCarryArgs());
        joinAll(scan.getStacked(), scan.getYield().getValues());
      })
      .Case([&](scf::ForOp loop) {
        joinAll(loop.getRegionIterArgs(), loop.getInitArgs());
        visit(*loop.getBody());
        joinAll(loop.getRegionIterArgs(), loop.getYieldedValues());
        joinAll(loop.getResults(), loop.getRegionIterArgs());
      })
      .Case([&](scf::IfOp conditional) {
        for (Region &region : op->getRegions()) {
          if (region.empty())
            continue;
          visit(region.front());
          joinAll(op->getResults(),
                  region.front().getTerminator()->getOperands());
        }
        for (Value result : op->getResults())
          join(result, conditional.getCondition());
      })
      .Case([&](scf::WhileOp loop) {
        joinAll(loop.getBeforeArguments(), loop.getInits());
        visit(*loop.getBeforeBody());
        ValueRange forwarded = loop.getConditionOp().getArgs();
        joinAll(loop.getAfterArguments(), forwarded);
        joinAll(loop.getResults(), forwarded);
        visit(*loop.getAfterBody());
        joinAll(loop.getBeforeArguments(), loop.getYieldOp().getResults());
      })
      .Default([&](Operation *) {
        for (Value result : op->getResults())
          setVarying(result);
      });
}
