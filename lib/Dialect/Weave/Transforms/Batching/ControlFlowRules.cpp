// SPDX-License-Identifier: Apache-2.0
//
// Batching of scf's control flow. What all lanes decide alike stays control
// flow; where lanes decide for themselves, both branches run and each lane
// selects. Loops whose bounds differ run lane by lane.

#include "Rules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace scanweave;

namespace {

//===----------------------------------------------------------------------===//
// scf.for
//===----------------------------------------------------------------------===//

struct ForRule : BatchableOpInterface::ExternalModel<ForRule, scf::ForOp> {
  void propagateBatched(Operation *op, BatchAnalysis &analysis) const {
    auto loop = cast<scf::ForOp>(op);
    for (Value bound :
         {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
      if (analysis.isBatched(bound))
        return propagateToAllResults(op, analysis);
    analysis.visitLoop(*loop.getBody(), loop.getInitArgs(),
                       loop.getRegionIterArgs(), loop.getYieldedValues());
    for (auto [argument, result] :
         llvm::zip_equal(loop.getRegionIterArgs(), loop.getResults()))
      if (analysis.isBatched(argument))
        analysis.setBatched(result);
  }

  LogicalResult batch(Operation *op, Batcher &batcher) const {
    auto loop = cast<scf::ForOp>(op);
    for (Value bound :
         {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
      if (batcher.isBatched(bound))
        return failure();
    OpBuilder &b = batcher.b;
    Location loc = op->getLoc();
    SmallVector<Value> inits, nexts;
    for (auto [init, argument] :
         llvm::zip_equal(loop.getInitArgs(), loop.getRegionIterArgs()))
      inits.push_back(batcher.get(init, batcher.isBatched(argument)));
    auto made = scf::ForOp::create(
        b, loc, batcher.lookup(loop.getLowerBound()),
        batcher.lookup(loop.getUpperBound()), batcher.lookup(loop.getStep()),
        inits, /*bodyBuilder=*/nullptr, loop.getUnsignedCmp());
    made->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    batcher.map(loop.getInductionVar(), made.getInductionVar());
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(made.getBody());
    for (auto [from, to] :
         llvm::zip_equal(loop.getRegionIterArgs(), made.getRegionIterArgs()))
      batcher.map(from, to);
    if (failed(batcher.batchBlock(*loop.getBody())))
      return failure();
    for (auto [next, argument] :
         llvm::zip_equal(loop.getYieldedValues(), loop.getRegionIterArgs()))
      nexts.push_back(batcher.get(next, batcher.isBatched(argument)));
    if (!nexts.empty())
      scf::YieldOp::create(b, loc, nexts);
    b.setInsertionPointAfter(made);
    for (auto [from, to] :
         llvm::zip_equal(loop.getResults(), made.getResults()))
      batcher.map(from, to);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// scf.if
//===----------------------------------------------------------------------===//

/// Whether the elements that a slice or element access reads are in the tensor
/// for certain.
bool isInBounds(RankedTensorType type, ArrayRef<OpFoldResult> offsets,
                ArrayRef<OpFoldResult> sizes, ArrayRef<OpFoldResult> strides) {
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    std::optional<int64_t> offset = getConstantIntValue(offsets[dim]);
    std::optional<int64_t> size = getConstantIntValue(sizes[dim]);
    std::optional<int64_t> stride = getConstantIntValue(strides[dim]);
    if (!offset || !size || !stride || type.isDynamicDim(dim) || *offset < 0)
      return false;
    if (*size > 0 && *offset + (*size - 1) * *stride >= type.getDimSize(dim))
      return false;
  }
  return true;
}

/// Whether `op` may run on lanes that did not ask for it.
bool isSpeculatableByLane(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>() || op->hasAttr("weave.total"))
    return true;
  auto accesses = [](RankedTensorType type, ValueRange indices) {
    SmallVector<OpFoldResult> offsets = getAsOpFoldResult(indices);
    SmallVector<OpFoldResult> ones(
        offsets.size(), IntegerAttr::get(IndexType::get(type.getContext()), 1));
    return isInBounds(type, offsets, ones, ones);
  };
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return accesses(cast<RankedTensorType>(extract.getTensor().getType()),
                    extract.getIndices());
  if (auto insert = dyn_cast<tensor::InsertOp>(op))
    return accesses(insert.getType(), insert.getIndices());
  if (auto extract = dyn_cast<tensor::ExtractSliceOp>(op))
    return isInBounds(extract.getSourceType(), extract.getMixedOffsets(),
                      extract.getMixedSizes(), extract.getMixedStrides());
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return isInBounds(insert.getDestType(), insert.getMixedOffsets(),
                      insert.getMixedSizes(), insert.getMixedStrides());
  if (!isMemoryEffectFree(op))
    return false;
  if (op->getNumRegions() == 0)
    return isSpeculatable(op);
  // A while loop may not end for what a lane did not ask for.
  if (!isa<scf::ForOp, scf::IfOp, ScanOp, PMapOp, VMapOp, ReduceOp,
           linalg::LinalgOp>(op))
    return false;
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      if (!isSpeculatableByLane(&inner))
        return false;
  return true;
}

struct IfRule : BatchableOpInterface::ExternalModel<IfRule, scf::IfOp> {
  void propagateBatched(Operation *op, BatchAnalysis &analysis) const {
    auto branch = cast<scf::IfOp>(op);
    analysis.visit(*branch.thenBlock());
    if (!branch.elseBlock())
      return;
    analysis.visit(*branch.elseBlock());
    for (auto [result, onTrue, onFalse] :
         llvm::zip_equal(branch.getResults(), branch.thenYield().getResults(),
                         branch.elseYield().getResults()))
      if (analysis.isBatched(branch.getCondition()) ||
          analysis.isBatched(onTrue) || analysis.isBatched(onFalse))
        analysis.setBatched(result);
  }

  LogicalResult batch(Operation *op, Batcher &batcher) const {
    auto branch = cast<scf::IfOp>(op);
    return batcher.isBatched(branch.getCondition()) ? select(branch, batcher)
                                                    : decide(branch, batcher);
  }

  /// All lanes take the same branch.
  static LogicalResult decide(scf::IfOp branch, Batcher &batcher) {
    OpBuilder &b = batcher.b;
    Location loc = branch.getLoc();
    SmallVector<Type> types;
    for (Value result : branch.getResults())
      types.push_back(batcher.getType(result, batcher.isBatched(result)));
    auto made =
        scf::IfOp::create(b, loc, types, batcher.lookup(branch.getCondition()),
                          /*addThenBlock=*/true,
                          /*addElseBlock=*/branch.elseBlock() != nullptr);
    OpBuilder::InsertionGuard guard(b);
    for (auto [from, to] :
         llvm::zip(branch->getRegions(), made->getRegions())) {
      if (from.empty())
        continue;
      // Without results the block may have a terminator already.
      Block &block = to.front();
      block.clear();
      b.setInsertionPointToStart(&block);
      if (failed(batcher.batchBlock(from.front())))
        return failure();
      SmallVector<Value> values;
      for (auto [value, result] :
           llvm::zip_equal(from.front().getTerminator()->getOperands(),
                           branch.getResults()))
        values.push_back(batcher.get(value, batcher.isBatched(result)));
      scf::YieldOp::create(b, loc, values);
    }
    b.setInsertionPointAfter(made);
    for (auto [from, to] :
         llvm::zip_equal(branch.getResults(), made.getResults()))
      batcher.map(from, to);
    return success();
  }

  /// Both branches run for all lanes.
  static LogicalResult select(scf::IfOp branch, Batcher &batcher) {
    for (Region *region : branch.getRegions())
      for (Operation &inner : region->getOps())
        if (!isSpeculatableByLane(&inner))
          return failure();
    for (Region *region : branch.getRegions())
      if (!region->empty() && failed(batcher.batchBlock(region->front())))
        return failure();
    if (branch.getNumResults() == 0)
      return success();
    Location loc = branch.getLoc();
    for (auto [result, onTrue, onFalse] :
         llvm::zip_equal(branch.getResults(), branch.thenYield().getResults(),
                         branch.elseYield().getResults())) {
      Value trueForm = batcher.getBatched(onTrue);
      Value condition = spreadScalar(
          batcher, loc, batcher.lookup(branch.getCondition()), trueForm);
      batcher.map(result,
                  arith::SelectOp::create(batcher.b, loc, condition, trueForm,
                                          batcher.getBatched(onFalse)));
    }
    return success();
  }
};

} // namespace

void scanweave::registerControlFlowBatching(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    scf::ForOp::attachInterface<ForRule>(*context);
    scf::IfOp::attachInterface<IfRule>(*context);
  });
}
