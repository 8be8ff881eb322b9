// SPDX-License-Identifier: Apache-2.0
//
// The placement analysis.

#include "scanweave/Analysis/Placement.h"

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace scanweave;

//===----------------------------------------------------------------------===//
// Placement
//===----------------------------------------------------------------------===//

Placement Placement::sliced() const {
  if (!isSharded())
    return *this;
  // A slice of the cut dimension itself is one worker's: all others need it.
  return dim == 0 ? replicated() : sharded(dim - 1);
}

Placement Placement::stacked() const {
  return isSharded() ? sharded(dim + 1) : *this;
}

Placement Placement::join(Placement a, Placement b) {
  if (a.isUnknown())
    return b;
  if (b.isUnknown() || a == b)
    return a;
  return replicated();
}

//===----------------------------------------------------------------------===//
// PlacementAnalysis
//===----------------------------------------------------------------------===//

PlacementAnalysis::PlacementAnalysis(const Root &root) : root(root) {
  for (Operation *op : root.getOps())
    seedDraws(op);
  for (Operation *op : root.getOps())
    visit(op);
  for (Operation *op : llvm::reverse(root.getOps()))
    narrow(op, [&](Operation *user) { return root.isDirect(user); });
  for (Operation *op : root.getOps())
    findUnpartitioned(op);
}

Placement PlacementAnalysis::get(Value value) const {
  auto it = placements.find(value);
  if (it == placements.end() || it->second.isUnknown())
    return Placement::replicated();
  return it->second;
}

const Cut *PlacementAnalysis::getCut(Operation *op) const {
  auto it = cuts.find(op);
  return it == cuts.end() ? nullptr : &it->second;
}

void PlacementAnalysis::setCut(Operation *op, Cut cut) {
  for (auto [result, dim] : llvm::zip_equal(op->getResults(), cut.results))
    placements.insert_or_assign(result, dim && !cut.isPartial
                                            ? Placement::sharded(*dim)
                                            : Placement::replicated());
  cuts.insert_or_assign(op, std::move(cut));
}

//===----------------------------------------------------------------------===//
// Draws that are mapped
//===----------------------------------------------------------------------===//

void PlacementAnalysis::seedDraws(Operation *op) {
  if (auto scan = dyn_cast<ScanOp>(op))
    for (Operation &inner : *scan.getBody())
      seedDraws(&inner);
  if (auto map = dyn_cast<PMapOp>(op))
    for (auto [input, axis] : llvm::zip_equal(map.getInputs(), map.getInAxes()))
      markDraws(input, axis);
}

/// Cuts the draw that gives `value`, or the elementwise work on one, at `dim`.
bool PlacementAnalysis::markDraws(Value value, int64_t dim) {
  Operation *op = value.getDefiningOp();
  if (!op || !root.contains(op) || isa<PMapOp>(op))
    return false;
  if (draws.contains(op))
    return true;
  std::optional<Cut> cut =
      cutAtResult(op, cast<OpResult>(value).getResultNumber(), dim);
  if (!cut || cut->isPartial)
    return false;
  bool fromDraw = isDraw(op);
  for (auto [operand, operandDim] :
       llvm::zip_equal(op->getOperands(), cut->operands))
    if (operandDim)
      fromDraw |= markDraws(operand, *operandDim);
  if (fromDraw)
    draws.try_emplace(op, *cut);
  return fromDraw;
}

//===----------------------------------------------------------------------===//
// Forward: from pmaps to what uses their results
//===----------------------------------------------------------------------===//

void PlacementAnalysis::visitBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    visit(&op);
}

/// Whether a carry that is still unknown may yet be cut in this op.
static bool passesUnknown(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return OpTrait::hasElementwiseMappableTraits(op) ||
         (linalgOp && linalgOp.getNumLoops() == linalgOp.getNumParallelLoops());
}

void PlacementAnalysis::visit(Operation *op) {
  if (auto scan = dyn_cast<ScanOp>(op))
    return visitScan(scan);
  cuts.erase(op);
  if (auto map = dyn_cast<PMapOp>(op)) {
    if (op->getNumResults())
      setCut(op, *cutAtResult(op, 0, map.getOutAxes()[0]));
    return;
  }
  bool anyUnknown = false;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    auto it = placements.find(operand);
    if (it == placements.end())
      continue;
    anyUnknown |= it->second.isUnknown();
    if (!it->second.isSharded())
      continue;
    if (std::optional<Cut> cut = cutAtOperand(op, i, it->second.getDim()))
      return setCut(op, *cut);
  }
  if (auto it = draws.find(op); it != draws.end())
    return setCut(op, it->second);
  Placement placement = anyUnknown && passesUnknown(op)
                            ? Placement::unknown()
                            : Placement::replicated();
  for (Value result : op->getResults())
    placements.insert_or_assign(result, placement);
}

void PlacementAnalysis::visitScan(ScanOp scan) {
  auto of = [&](Value value) {
    auto it = placements.find(value);
    return it == placements.end() ? Placement::replicated() : it->second;
  };
  SmallVector<Placement> carries;
  for (Value init : scan.getInits()) {
    // A replicated init can be cut for nothing, so it says nothing.
    Placement placement = of(init);
    bool isTensor = isa<RankedTensorType>(init.getType());
    carries.push_back(!isTensor               ? Placement::replicated()
                      : placement.isSharded() ? placement
                                              : Placement::unknown());
  }
  YieldOp yield = scan.getYield();
  for (bool changed = true; changed;) {
    for (auto [argument, placement] :
         llvm::zip_equal(scan.getCarryArgs(), carries))
      placements.insert_or_assign(argument, placement);
    for (auto [argument, x] :
         llvm::zip_equal(scan.getSliceArgs(), scan.getXs()))
      placements.insert_or_assign(argument, of(x).sliced());
    visitBlock(*scan.getBody());
    changed = false;
    for (auto [placement, next] :
         llvm::zip_equal(carries, yield.getCarries())) {
      Placement joined = Placement::join(placement, of(next));
      changed |= joined != placement;
      placement = joined;
    }
  }
  for (auto [result, placement] :
       llvm::zip_equal(scan.getFinalCarries(), carries))
    placements.insert_or_assign(result, placement);
  for (auto [result, value] :
       llvm::zip_equal(scan.getStacked(), yield.getValues()))
    placements.insert_or_assign(result, of(value).stacked());
}

//===----------------------------------------------------------------------===//
// Backward: what only cut ops use
//===----------------------------------------------------------------------===//

/// The dimension that a use wants cut, or none where it wants the whole value.
std::optional<int64_t> PlacementAnalysis::demand(OpOperand &use) const {
  auto dimOf = [&](Value value) -> std::optional<int64_t> {
    Placement placement = get(value);
    return placement.isSharded() ? std::optional(placement.getDim())
                                 : std::nullopt;
  };
  Operation *user = use.getOwner();
  unsigned number = use.getOperandNumber();
  if (auto scan = dyn_cast<ScanOp>(user))
    return number < scan.getNumCarries() ? dimOf(scan.getCarryArgs()[number])
                                         : std::nullopt;
  if (auto scan = dyn_cast<ScanOp>(user->getParentOp());
      scan && isa<YieldOp>(user)) {
    if (number < scan.getNumCarries())
      return dimOf(scan.getCarryArgs()[number]);
    std::optional<int64_t> stacked = dimOf(scan.getResult(number));
    return stacked ? std::optional(*stacked - 1) : std::nullopt;
  }
  const Cut *cut = getCut(user);
  return cut ? cut->operands[number] : std::nullopt;
}

void PlacementAnalysis::narrowBlock(Block &block) {
  auto isDirect = [&](Operation *op) { return op->getBlock() == &block; };
  for (Operation &op : llvm::reverse(block.without_terminator()))
    narrow(&op, isDirect);
}

/// Cuts an op if all of its uses are direct ones that want the same part.
void PlacementAnalysis::narrow(Operation *op,
                               llvm::function_ref<bool(Operation *)> isDirect) {
  if (auto scan = dyn_cast<ScanOp>(op))
    narrowBlock(*scan.getBody());
  if (op->getNumResults() != 1 || getCut(op) || op->use_empty() ||
      op->getNumRegions() > 1 || !isPure(op))
    return;
  std::optional<int64_t> dim = demand(*op->use_begin());
  auto agrees = [&](OpOperand &use) {
    return isDirect(use.getOwner()) && demand(use) == dim;
  };
  if (!dim || !llvm::all_of(op->getUses(), agrees))
    return;
  std::optional<Cut> cut = cutAtResult(op, 0, *dim);
  if (cut && !cut->isPartial)
    setCut(op, *cut);
}

//===----------------------------------------------------------------------===//
// What stays whole
//===----------------------------------------------------------------------===//

void PlacementAnalysis::findUnpartitioned(Operation *op) {
  if (auto scan = dyn_cast<ScanOp>(op)) {
    for (Operation &inner : *scan.getBody())
      findUnpartitioned(&inner);
    return;
  }
  if (!isa<PMapOp>(op))
    op->walk([&](PMapOp map) { unpartitioned.emplace_back(map, op); });
}
