// SPDX-License-Identifier: Apache-2.0
//
// Interchanges a map with the loops and conditions in its body that contain
// collectives: map(scan(body)) becomes scan(maps of parts of body). All values
// that flow through them, where they vary, get a dimension of lanes.

#include "MapSplitter.h"

using namespace mlir;
using namespace scanweave;

LogicalResult MapSplitter::emitRegion(Block &source, Block &target,
                                      ArrayRef<Demand> results,
                                      llvm::function_ref<void()> terminate) {
  // What is made inside is not known outside.
  IRMapping outerUniform = uniform;
  llvm::DenseMap<Value, SmallVector<Stack>> outerStacks = stacks;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&target);
  setOuters(source.getArguments(), target.getArguments());
  if (failed(splitBlock(source, results)))
    return failure();
  terminate();
  uniform = outerUniform;
  stacks = std::move(outerStacks);
  return success();
}

LogicalResult MapSplitter::emitScan(ScanOp op) {
  SmallVector<Value> inits = getOuters(op.getInits(), op.getCarryArgs());
  SmallVector<Value> xs = getOuters(op.getXs(), op.getSliceArgs(), 1);
  Value length;
  if (op.getLength())
    length = getUniform(op.getLength());

  YieldOp yield = op.getYield();
  SmallVector<Type> types;
  llvm::append_range(types, ValueRange(inits).getTypes());
  for (auto [value, stacked] :
       llvm::zip_equal(yield.getValues(), op.getStacked())) {
    auto type = cast<RankedTensorType>(stacked.getType());
    if (variance.isVarying(stacked)) {
      FailureOr<RankedTensorType> lanes = getStackType(value, 0);
      if (failed(lanes))
        return failure();
      type = getStackedType(*lanes, 0, type.getDimSize(0));
    }
    types.push_back(type);
  }
  auto scan = ScanOp::create(builder, op.getLoc(), types, inits, xs, length,
                             op.getReverse());
  scan.setUnrollAttr(op.getUnrollAttr());
  scan->setDiscardableAttrs(op->getDiscardableAttrDictionary());

  SmallVector<Demand> results = getFlows(yield.getCarries(), op.getCarryArgs());
  results.append(getFlows(yield.getValues(), op.getStacked()));
  auto terminate = [&]() {
    YieldOp::create(builder, yield.getLoc(),
                    getOuters(yield.getCarries(), op.getCarryArgs()),
                    getOuters(yield.getValues(), op.getStacked()));
  };
  if (failed(emitRegion(*op.getBody(), *scan.getBody(), results, terminate)))
    return failure();
  setOuters(op.getFinalCarries(), scan.getFinalCarries());
  setOuters(op.getStacked(), scan.getStacked(), 1);
  return success();
}

LogicalResult MapSplitter::emitFor(scf::ForOp op) {
  auto loop = scf::ForOp::create(
      builder, op.getLoc(), getUniform(op.getLowerBound()),
      getUniform(op.getUpperBound()), getUniform(op.getStep()),
      getOuters(op.getInitArgs(), op.getRegionIterArgs()));
  loop->setAttrs(op->getAttrDictionary());
  Block *body = loop.getBody();
  body->clear();
  auto terminate = [&]() {
    scf::YieldOp::create(
        builder, op.getLoc(),
        getOuters(op.getYieldedValues(), op.getRegionIterArgs()));
  };
  if (failed(emitRegion(*op.getBody(), *body,
                        getFlows(op.getYieldedValues(), op.getRegionIterArgs()),
                        terminate)))
    return failure();
  setOuters(op.getResults(), loop.getResults());
  return success();
}

LogicalResult MapSplitter::emitIf(scf::IfOp op) {
  SmallVector<Type> types;
  for (Value result : op.getResults()) {
    FailureOr<Type> type = result.getType();
    if (variance.isVarying(result))
      type = getStackType(result, 0);
    if (failed(type))
      return failure();
    types.push_back(*type);
  }
  auto conditional = scf::IfOp::create(
      builder, op.getLoc(), types, getUniform(op.getCondition()),
      /*addThenBlock=*/true, /*addElseBlock=*/!op.getElseRegion().empty());
  conditional->setAttrs(op->getAttrDictionary());
  for (auto [source, target] :
       llvm::zip_equal(op->getRegions(), conditional->getRegions())) {
    if (source.empty())
      continue;
    ValueRange yielded = source.front().getTerminator()->getOperands();
    auto terminate = [&]() {
      scf::YieldOp::create(builder, op.getLoc(),
                           getOuters(yielded, op.getResults()));
    };
    target.front().clear();
    if (failed(emitRegion(source.front(), target.front(),
                          getFlows(yielded, op.getResults()), terminate)))
      return failure();
  }
  setOuters(op.getResults(), conditional.getResults());
  return success();
}

LogicalResult MapSplitter::emitWhile(scf::WhileOp op) {
  SmallVector<Value> inits = getOuters(op.getInits(), op.getBeforeArguments());
  SmallVector<Type> types;
  for (Value result : op.getResults()) {
    FailureOr<Type> type = result.getType();
    if (variance.isVarying(result))
      type = getStackType(result, 0);
    if (failed(type))
      return failure();
    types.push_back(*type);
  }
  auto loop = scf::WhileOp::create(builder, op.getLoc(), types, inits);
  loop->setAttrs(op->getAttrDictionary());
  OpBuilder::InsertionGuard guard(builder);
  auto addBlock = [&](Region &region, TypeRange types) {
    SmallVector<Location> locs(types.size(), op.getLoc());
    return builder.createBlock(&region, {}, types, locs);
  };
  Block *before = addBlock(loop.getBefore(), ValueRange(inits).getTypes());
  Block *after = addBlock(loop.getAfter(), types);

  scf::ConditionOp condition = op.getConditionOp();
  auto test = [&]() {
    scf::ConditionOp::create(builder, condition.getLoc(),
                             getUniform(condition.getCondition()),
                             getOuters(condition.getArgs(), op.getResults()));
  };
  if (failed(emitRegion(*op.getBeforeBody(), *before,
                        getFlows(condition.getArgs(), op.getResults()), test)))
    return failure();
  ValueRange yielded = op.getYieldOp().getResults();
  auto next = [&]() {
    scf::YieldOp::create(builder, op.getLoc(),
                         getOuters(yielded, op.getBeforeArguments()));
  };
  if (failed(emitRegion(*op.getAfterBody(), *after,
                        getFlows(yielded, op.getBeforeArguments()), next)))
    return failure();
  setOuters(op.getResults(), loop.getResults());
  return success();
}
