// SPDX-License-Identifier: Apache-2.0
//
// weave-fix-reductions: makes the order of every reduction part of the program.

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"
#include "scanweave/Dialect/Weave/Transforms/Combine.h"
#include "scanweave/Dialect/Weave/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

namespace scanweave {
#define GEN_PASS_DEF_FIXREDUCTIONS
#include "scanweave/Dialect/Weave/Transforms/Passes.h.inc"
} // namespace scanweave

using namespace mlir;
using namespace scanweave;

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// Rewrites the sum of `accumulator` and a product to a fused one: whether a
/// product is rounded before it is added is decided here, and nowhere later.
/// Gives the value that the body yields from now on.
static Value fuseProduct(IRRewriter &rewriter, Value yielded,
                         Value accumulator) {
  auto sum = yielded.getDefiningOp<arith::AddFOp>();
  if (!sum || (sum.getLhs() == accumulator) == (sum.getRhs() == accumulator))
    return yielded;
  Value other = sum.getLhs() == accumulator ? sum.getRhs() : sum.getLhs();
  auto product = other.getDefiningOp<arith::MulFOp>();
  if (!product || product->getBlock() != sum->getBlock())
    return yielded;
  rewriter.setInsertionPoint(sum);
  Value fused = rewriter.replaceOpWithNewOp<math::FmaOp>(
      sum, product.getLhs(), product.getRhs(), accumulator);
  if (product->use_empty())
    rewriter.eraseOp(product);
  return fused;
}

/// How a body combines its accumulator with what it computes from the other
/// arguments, if it has the form combine(accumulator, f(elements)).
static std::optional<CombineKind> matchCombine(Value yielded,
                                               BlockArgument accumulator) {
  // With one use, f is independent of the accumulator.
  Operation *op = yielded.getDefiningOp();
  if (!op || op->getBlock() != accumulator.getOwner() ||
      !accumulator.hasOneUse() || *accumulator.user_begin() != op)
    return std::nullopt;
  if (auto fma = dyn_cast<math::FmaOp>(op))
    return fma.getC() == accumulator ? std::optional(CombineKind::add)
                                     : std::nullopt;
  return getCombineKind(op);
}

//===----------------------------------------------------------------------===//
// Iteration spaces
//===----------------------------------------------------------------------===//

/// Whether the reduced dimensions may be cut into grains: all maps are
/// projected permutations, an input has every reduced dimension, and the
/// parallel dimensions of the inputs come from one of them. In a contraction
/// whose operands both bring parallel dimensions, one chain per result keeps
/// the results in registers instead.
static bool hasGrains(linalg::GenericOp op) {
  unsigned dims = op.getNumLoops();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  llvm::SmallBitVector read(dims);
  SmallVector<llvm::SmallBitVector> parallelOf;
  for (AffineMap map : op.getIndexingMapsArray()) {
    if (!map.isProjectedPermutation())
      return false;
    llvm::SmallBitVector &parallel = parallelOf.emplace_back(dims);
    for (AffineExpr expr : map.getResults()) {
      unsigned dim = cast<AffineDimExpr>(expr).getPosition();
      read.set(dim);
      if (iterators[dim] == utils::IteratorType::parallel)
        parallel.set(dim);
      else if (iterators[dim] != utils::IteratorType::reduction)
        return false;
    }
  }
  // The result has no reduced dimension, so these are read by inputs.
  llvm::SmallBitVector ofResult = parallelOf.pop_back_val();
  if (!read.all() || ofResult.count() != op.getNumParallelLoops())
    return false;
  llvm::SmallBitVector all(dims);
  for (const llvm::SmallBitVector &parallel : parallelOf)
    all |= parallel;
  return all.none() || llvm::is_contained(parallelOf, all);
}

/// The structured form of `op`, or failure where it has to stay a chain.
static FailureOr<ReduceOp> buildReduce(IRRewriter &rewriter,
                                       linalg::GenericOp op) {
  if (op.getNumResults() != 1 || op.hasIndexSemantics() || !hasGrains(op))
    return failure();
  Block *body = op.getBlock();
  Type element = body->getArguments().back().getType();
  std::optional<CombineKind> kind = matchCombine(
      body->getTerminator()->getOperand(0), body->getArguments().back());
  if (!kind || !isa<FloatType, IntegerType>(element))
    return failure();

  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!isa<RankedTensorType>(input->get().getType()))
      continue;
    inputs.push_back(input->get());
    maps.push_back(op.getMatchingIndexingMap(input));
  }
  maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  SmallVector<StringRef> iterators;
  for (utils::IteratorType iterator : op.getIteratorTypesArray())
    iterators.push_back(utils::stringifyIteratorType(iterator));

  rewriter.setInsertionPoint(op);
  auto reduce = ReduceOp::create(
      rewriter, op.getLoc(), op.getResult(0).getType(),
      CombineKindAttr::get(op.getContext(), *kind),
      rewriter.getAffineMapArrayAttr(maps), rewriter.getStrArrayAttr(iterators),
      inputs, op.getDpsInitOperand(0)->get());
  // Numbers that are the same for every element are captured instead.
  for (auto [input, argument] :
       llvm::zip(op.getDpsInputs(), body->getArguments()))
    if (!isa<RankedTensorType>(input.getType()))
      rewriter.replaceAllUsesWith(argument, input);
  llvm::BitVector captured(body->getNumArguments());
  for (auto [i, input] : llvm::enumerate(op.getDpsInputs()))
    captured[i] = !isa<RankedTensorType>(input.getType());
  body->eraseArguments(captured);
  rewriter.inlineRegionBefore(op.getRegion(), reduce.getRegion(),
                              reduce.getRegion().end());
  Operation *yield = body->getTerminator();
  rewriter.setInsertionPoint(yield);
  YieldOp::create(rewriter, yield->getLoc(), ValueRange(),
                  yield->getOperands());
  rewriter.eraseOp(yield);
  return reduce;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
class FixReductions final
    : public scanweave::impl::FixReductionsBase<FixReductions> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> reductions;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (op.getNumReductionLoops())
        reductions.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : reductions)
      if (failed(fix(rewriter, op)))
        return signalPassFailure();
  }

  LogicalResult fix(IRRewriter &rewriter, linalg::LinalgOp op) {
    if (!op.hasPureTensorSemantics())
      return op.emitOpError() << "reduces buffers, but its order can be fixed "
                                 "on tensors only; weave-fix-reductions has to "
                                 "run before bufferization";
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic) {
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::GenericOp> general =
          linalg::generalizeNamedOp(rewriter, op);
      if (failed(general))
        return op.emitOpError() << "has no general form";
      generic = *general;
    }
    Operation *yield = generic.getBlock()->getTerminator();
    for (auto [operand, accumulator] :
         llvm::zip_equal(yield->getOpOperands(), generic.getRegionOutputArgs()))
      operand.set(fuseProduct(rewriter, operand.get(), accumulator));
    FailureOr<ReduceOp> reduce = buildReduce(rewriter, generic);
    if (succeeded(reduce))
      rewriter.replaceOp(generic, reduce->getResult());
    return success();
  }
};
} // namespace
