// SPDX-License-Identifier: Apache-2.0
//
// weave-fuse-elementwise: elementwise ops become one loop with what reads their
// results or the same operands.

#include "scanweave/Dialect/Weave/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

namespace scanweave {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "scanweave/Dialect/Weave/Transforms/Passes.h.inc"
} // namespace scanweave

using namespace mlir;

/// Whether an op may be computed again for each element that reads it: it
/// only moves numbers, or makes them of nothing that is loaded.
static bool isCheap(linalg::GenericOp op) {
  size_t arithmetic = op.getBody()->getOperations().size() - 1;
  bool loads = llvm::any_of(op.getInputs(), [](Value input) {
    return isa<RankedTensorType>(input.getType());
  });
  return arithmetic == 0 || (!loads && arithmetic <= 2);
}

/// Whether the producer of an operand is to be computed where it is read: by
/// nobody else, and not more often than now.
static bool shouldFuse(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !producer->hasOneUse())
    return false;
  bool isOncePerElement =
      consumer.getMatchingIndexingMap(operand).getNumResults() ==
          consumer.getNumLoops() &&
      producer->getParentOfType<LoopLikeOpInterface>() ==
          consumer->getParentOfType<LoopLikeOpInterface>();
  return isOncePerElement || isCheap(producer);
}

/// Whether each element of the results comes from one iteration of its own.
static bool isPointwise(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && op->getNumResults() > 0 &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
           return op.getMatchingIndexingMap(&init).isIdentity();
         });
}

static bool haveSameLoops(linalg::GenericOp a, linalg::GenericOp b) {
  if (a.getNumLoops() != b.getNumLoops())
    return false;
  Value x = a.getDpsInits()[0], y = b.getDpsInits()[0];
  auto type = cast<RankedTensorType>(x.getType());
  auto other = cast<RankedTensorType>(y.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (type.isDynamicDim(dim) != other.isDynamicDim(dim))
      return false;
    if (!type.isDynamicDim(dim) &&
        type.getDimSize(dim) == other.getDimSize(dim))
      continue;
    if (!type.isDynamicDim(dim))
      return false;
    FailureOr<bool> equal =
        ValueBoundsConstraintSet::areEqual({x, dim}, {y, dim});
    if (failed(equal) || !*equal)
      return false;
  }
  return true;
}

namespace {

/// Makes one op of two that have the same loops, `first` before `second` in
/// one block.
class Merger {
public:
  Merger(linalg::GenericOp first, linalg::GenericOp second,
         RewriterBase &rewriter)
      : first(first), second(second), rewriter(rewriter) {}

  /// The op that takes the place of both; null if they have to stay apart.
  linalg::GenericOp run() {
    if (!isPointwise(first) || !isPointwise(second) ||
        !haveSameLoops(first, second) || !readsInPlace())
      return {};
    if (canMoveDown())
      rewriter.setInsertionPoint(second);
    else if (canMoveUp())
      rewriter.setInsertionPoint(first);
    else
      return {};
    return merge();
  }

private:
  /// Whether `second` reads of `first` what the same iteration computes.
  bool readsInPlace() {
    return llvm::all_of(second->getOpOperands(), [&](OpOperand &operand) {
      return operand.get().getDefiningOp() != first ||
             (second.isDpsInput(&operand) &&
              second.getMatchingIndexingMap(&operand).isIdentity());
    });
  }

  bool canMoveDown() {
    Block *block = first->getBlock();
    return llvm::all_of(first->getUsers(), [&](Operation *user) {
      return user == second ||
             second->isBeforeInBlock(block->findAncestorOpInBlock(*user));
    });
  }

  /// Empty tensors that `second` fills move along.
  bool canMoveUp() {
    DominanceInfo dominance;
    auto isKnown = [&](Value value) {
      return value.getDefiningOp() == first ||
             dominance.properlyDominates(value, first);
    };
    SetVector<Value> captured;
    getUsedValuesDefinedAbove(second->getRegions(), captured);
    if (!llvm::all_of(captured, [&](Value value) {
          return dominance.properlyDominates(value, first);
        }))
      return false;
    SmallVector<Operation *> empties;
    for (Value operand : second->getOperands()) {
      if (isKnown(operand))
        continue;
      auto empty = operand.getDefiningOp<tensor::EmptyOp>();
      if (!empty || !llvm::all_of(empty->getOperands(), isKnown))
        return false;
      empties.push_back(empty);
    }
    for (Operation *empty : empties)
      rewriter.moveOpBefore(empty, first);
    return true;
  }

  linalg::GenericOp merge() {
    SmallVector<Value> inputs = first.getInputs(), inits = first.getOutputs();
    SmallVector<AffineMap> maps = first.getIndexingMapsArray();
    size_t firstInputs = inputs.size();
    SmallVector<OpOperand *> added;
    for (OpOperand *input : second.getDpsInputOperands())
      if (input->get().getDefiningOp() != first) {
        inputs.push_back(input->get());
        maps.insert(maps.begin() + firstInputs + added.size(),
                    second.getMatchingIndexingMap(input));
        added.push_back(input);
      }
    for (OpOperand &init : second.getDpsInitsMutable()) {
      inits.push_back(init.get());
      maps.push_back(second.getMatchingIndexingMap(&init));
      added.push_back(&init);
    }
    SmallVector<Type> types(first->getResultTypes());
    llvm::append_range(types, second->getResultTypes());
    auto merged = linalg::GenericOp::create(
        rewriter, rewriter.getFusedLoc({first.getLoc(), second.getLoc()}),
        types, inputs, inits, maps, first.getIteratorTypesArray(),
        [&](OpBuilder &builder, Location loc, ValueRange arguments) {
          emitBody(builder, loc, arguments, firstInputs, added);
        });
    size_t results = first->getNumResults();
    rewriter.replaceOp(second, merged.getResults().drop_front(results));
    rewriter.replaceOp(first, merged.getResults().take_front(results));
    return merged;
  }

  void emitBody(OpBuilder &builder, Location loc, ValueRange arguments,
                size_t firstInputs, ArrayRef<OpOperand *> added) {
    size_t addedInputs = added.size() - second.getNumDpsInits();
    IRMapping values;
    for (auto [i, argument] : llvm::enumerate(first.getBody()->getArguments()))
      values.map(argument, arguments[i < firstInputs ? i : i + addedInputs]);
    SmallVector<Value> results = cloneBody(builder, first, values);
    for (OpOperand *input : second.getDpsInputOperands())
      if (auto result = dyn_cast<OpResult>(input->get());
          result && result.getOwner() == first)
        values.map(second.getMatchingBlockArgument(input),
                   results[result.getResultNumber()]);
    for (auto [i, operand] : llvm::enumerate(added)) {
      size_t at = firstInputs + i;
      if (i >= addedInputs)
        at += first.getNumDpsInits();
      values.map(second.getMatchingBlockArgument(operand), arguments[at]);
    }
    llvm::append_range(results, cloneBody(builder, second, values));
    linalg::YieldOp::create(builder, loc, results);
  }

  static SmallVector<Value> cloneBody(OpBuilder &builder, linalg::GenericOp op,
                                      IRMapping &values) {
    for (Operation &inner : op.getBody()->without_terminator())
      builder.clone(inner, values);
    return llvm::map_to_vector(
        op.getBody()->getTerminator()->getOperands(),
        [&](Value value) { return values.lookupOrDefault(value); });
  }

  linalg::GenericOp first, second;
  RewriterBase &rewriter;
};

class FuseElementwise final
    : public scanweave::impl::FuseElementwiseBase<FuseElementwise> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(fuseProducers()))
      return signalPassFailure();
    SmallVector<linalg::GenericOp> ops;
    getOperation()->walk([&](linalg::GenericOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp op : ops)
      while (op)
        op = mergeWithEarlier(op, rewriter);
    // What is read by nobody but the op itself is no result any more.
    if (failed(fuseProducers()))
      signalPassFailure();
  }

  LogicalResult fuseProducers() {
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
    return applyPatternsGreedily(getOperation(), std::move(patterns));
  }

  /// Merges an op with the latest before it that computes, or reads as well, a
  /// tensor that it reads. Null if there is none.
  static linalg::GenericOp mergeWithEarlier(linalg::GenericOp op,
                                            RewriterBase &rewriter) {
    if (!isPointwise(op))
      return {};
    SetVector<Operation *> candidates;
    for (OpOperand *input : op.getDpsInputOperands()) {
      if (!isa<RankedTensorType>(input->get().getType()))
        continue;
      if (Operation *producer = input->get().getDefiningOp())
        candidates.insert(producer);
      candidates.insert_range(input->get().getUsers());
    }
    SmallVector<linalg::GenericOp> earlier;
    for (Operation *candidate : candidates)
      if (auto generic = dyn_cast<linalg::GenericOp>(candidate);
          generic && generic->getBlock() == op->getBlock() &&
          generic->isBeforeInBlock(op))
        earlier.push_back(generic);
    llvm::sort(earlier, [](Operation *a, Operation *b) {
      return b->isBeforeInBlock(a);
    });
    for (linalg::GenericOp first : earlier)
      if (linalg::GenericOp merged = Merger(first, op, rewriter).run())
        return merged;
    return {};
  }
};

} // namespace
