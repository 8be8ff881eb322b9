// SPDX-License-Identifier: Apache-2.0
//
// Finds out which values of a map's body differ from lane to lane.

#include "scanweave/Dialect/Weave/Transforms/Batching.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace scanweave;

BatchAnalysis::BatchAnalysis(MapOpInterface map) {
  for (BlockArgument argument : map.getRegion().getArguments())
    setBatched(argument);
  visit(map.getRegion().front());
}

bool BatchAnalysis::usesBatched(Operation *op) const {
  auto isIn = [&](Value value) { return isBatched(value); };
  if (llvm::any_of(op->getOperands(), isIn))
    return true;
  if (op->getNumRegions() == 0)
    return false;
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  return llvm::any_of(captured, isIn);
}

void BatchAnalysis::visit(Block &block) {
  for (Operation &op : block) {
    if (auto batchable = dyn_cast<BatchableOpInterface>(op))
      batchable.propagateBatched(*this);
    else
      propagateToAllResults(&op, *this);
  }
}

void BatchAnalysis::visitLoop(Block &body, ValueRange inits,
                              ValueRange arguments, ValueRange nexts) {
  size_t before;
  do {
    before = batched.size();
    for (auto [init, argument, next] : llvm::zip_equal(inits, arguments, nexts))
      if (isBatched(init) || isBatched(next))
        setBatched(argument);
    visit(body);
  } while (batched.size() != before);
}

void scanweave::propagateToAllResults(Operation *op, BatchAnalysis &analysis) {
  if (analysis.usesBatched(op))
    for (Value result : op->getResults())
      analysis.setBatched(result);
}
