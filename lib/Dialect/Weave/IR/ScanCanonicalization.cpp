// SPDX-License-Identifier: Apache-2.0
//
// Canonicalisations of weave.scan: what nobody needs goes, and what does not
// change from step to step is no carry.

#include "Extents.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace scanweave;

namespace {

/// Which parts of a scan stay.
struct Parts {
  explicit Parts(ScanOp op)
      : carries(op.getNumCarries(), true), xs(op.getXs().size(), true),
        ys(op.getNumStacked(), true) {}

  bool isAll() const { return carries.all() && xs.all() && ys.all(); }

  llvm::BitVector carries, xs, ys;
};

} // namespace

/// The number of steps as a value, where `op` has neither range nor length.
static Value createLength(RewriterBase &rewriter, ScanOp op) {
  Value widest = op.getXs().front();
  for (Value x : op.getXs())
    if (!cast<RankedTensorType>(x.getType()).isDynamicDim(0))
      widest = x;
  return createExtent(rewriter, op.getLoc(), widest, 0);
}

/// Makes `op` anew from the parts of it that stay. Dropped carries' arguments
/// and results, dropped inputs' slices and dropped outputs have no uses.
static void rebuild(RewriterBase &rewriter, ScanOp op, const Parts &parts,
                    Value length) {
  llvm::BitVector results = parts.carries;
  results.resize(op.getNumResults());
  for (unsigned i : parts.ys.set_bits())
    results.set(op.getNumCarries() + i);

  auto inits = keepOnly(op.getInits(), parts.carries);
  auto xs = keepOnly(op.getXs(), parts.xs);
  auto replacement = ScanOp::create(
      rewriter, op.getLoc(), TypeRange(keepOnly(op.getResultTypes(), results)),
      inits, xs, length, op.getReverse());
  if (op.getFirst()) {
    replacement.getFirstMutable().assign(op.getFirst());
    replacement.getLastMutable().assign(op.getLast());
  }
  if (!op.getDests().empty())
    replacement.getDestsMutable().assign(keepOnly(op.getDests(), parts.ys));
  if (!op.getStoreIf().empty())
    replacement.getStoreIfMutable().assign(keepOnly(op.getStoreIf(), parts.ys));
  replacement.setUnrollAttr(op.getUnrollAttr());
  copyAttributes(op, replacement, results);

  llvm::BitVector dropped = parts.carries;
  dropped.resize(op.getBody()->getNumArguments());
  for (unsigned i : parts.xs.set_bits())
    dropped.set(op.getNumCarries() + i);
  dropped.flip();
  YieldOp yield = op.getYield();
  auto carries = keepOnly(yield.getCarries(), parts.carries);
  auto ys = keepOnly(yield.getValues(), parts.ys);
  rewriter.modifyOpInPlace(yield, [&] {
    yield.getCarriesMutable().assign(carries);
    yield.getValuesMutable().assign(ys);
  });
  replacement.getRegion().takeBody(op.getRegion());
  replacement.getBody()->eraseArguments(dropped);
  replaceKept(rewriter, op, replacement, results);
}

static void rebuild(RewriterBase &rewriter, ScanOp op, const Parts &parts) {
  // A dropped input may have been the only one that said how many steps.
  Value length = op.getLength();
  int64_t steps = op.getStaticLength();
  bool isKnown =
      (length && getStaticExtent(length) == steps) ||
      llvm::any_of(keepOnly(op.getXs(), parts.xs), [&](Value x) {
        return cast<RankedTensorType>(x.getType()).getDimSize(0) == steps;
      });
  if (!isKnown && !op.getFirst() && !op.getXs().empty())
    length = createLength(rewriter, op);
  rebuild(rewriter, op, parts, length);
}

//===----------------------------------------------------------------------===//
// Carries that do not change
//===----------------------------------------------------------------------===//

namespace {

/// A carry that is yielded unchanged, or yields its init, or only trades
/// places with carries of the same init, is its init.
struct ForwardInvariantCarries final : OpRewritePattern<ScanOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScanOp op,
                                PatternRewriter &rewriter) const override {
    YieldOp yield = op.getYield();
    llvm::BitVector invariant(op.getNumCarries(), true);
    auto staysInit = [&](unsigned i) {
      Value init = op.getInits()[i], next = yield.getCarries()[i];
      if (next == init)
        return true;
      auto argument = dyn_cast<BlockArgument>(next);
      return argument && argument.getOwner() == op.getBody() &&
             argument.getArgNumber() < op.getNumCarries() &&
             invariant[argument.getArgNumber()] &&
             op.getInits()[argument.getArgNumber()] == init;
    };
    // All are, until one is found that is not.
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned i : invariant.set_bits())
        if (!staysInit(i)) {
          invariant.reset(i);
          changed = true;
        }
    }
    if (invariant.none())
      return failure();
    Parts parts(op);
    for (unsigned i : invariant.set_bits()) {
      rewriter.replaceAllUsesWith(op.getCarryArgs()[i], op.getInits()[i]);
      rewriter.replaceAllUsesWith(op.getFinalCarries()[i], op.getInits()[i]);
      parts.carries.reset(i);
    }
    rebuild(rewriter, op, parts);
    return success();
  }
};

/// Carries that begin alike and change alike are one.
struct MergeEqualCarries final : OpRewritePattern<ScanOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScanOp op,
                                PatternRewriter &rewriter) const override {
    // The classes of carries that have the same value in every step: those of
    // the same init, refined until next values are in the same class.
    unsigned carries = op.getNumCarries();
    SmallVector<unsigned> leader(carries, 0);
    for (unsigned i = 0; i < carries; ++i)
      leader[i] =
          llvm::find(op.getInits(), op.getInits()[i]) - op.getInits().begin();
    YieldOp yield = op.getYield();
    auto nextClass = [&](unsigned i) -> std::pair<void *, unsigned> {
      Value next = yield.getCarries()[i];
      auto argument = dyn_cast<BlockArgument>(next);
      if (argument && argument.getOwner() == op.getBody() &&
          argument.getArgNumber() < carries)
        return {nullptr, leader[argument.getArgNumber()]};
      return {next.getAsOpaquePointer(), 0};
    };
    for (bool changed = true; changed;) {
      changed = false;
      SmallVector<unsigned> refined(carries);
      for (unsigned i = 0; i < carries; ++i) {
        refined[i] = i;
        for (unsigned j = 0; j < i; ++j)
          if (refined[j] == j && leader[i] == leader[j] &&
              nextClass(i) == nextClass(j)) {
            refined[i] = j;
            break;
          }
        changed |= refined[i] != leader[i];
      }
      leader = refined;
    }
    Parts parts(op);
    for (unsigned i = 0; i < carries; ++i) {
      if (leader[i] == i)
        continue;
      rewriter.replaceAllUsesWith(op.getCarryArgs()[i],
                                  op.getCarryArgs()[leader[i]]);
      rewriter.replaceAllUsesWith(op.getFinalCarries()[i],
                                  op.getFinalCarries()[leader[i]]);
      parts.carries.reset(i);
    }
    if (parts.isAll())
      return failure();
    rebuild(rewriter, op, parts);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// What nobody needs
//===----------------------------------------------------------------------===//

/// Unused outputs go; so do carries that feed nothing but themselves and each
/// other, and inputs that nothing reads.
struct DropUnusedParts final : OpRewritePattern<ScanOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScanOp op,
                                PatternRewriter &rewriter) const override {
    Parts parts(op);
    parts.carries.reset();
    for (auto [i, y] : llvm::enumerate(op.getStacked()))
      if (y.use_empty())
        parts.ys.reset(i);
    markNeeded(op, parts);
    for (unsigned i = 0; i < op.getXs().size(); ++i)
      parts.xs[i] = !op.getSliceArgs()[i].use_empty();
    if (parts.isAll())
      return failure();
    // What a dropped carry fed is dead: it may as well be fed the init.
    for (unsigned i = 0; i < op.getNumCarries(); ++i)
      if (!parts.carries[i])
        rewriter.replaceAllUsesWith(op.getCarryArgs()[i], op.getInits()[i]);
    rebuild(rewriter, op, parts);
    return success();
  }

private:
  /// Follows what the outputs that stay, the final carries in use, and effects
  /// in the body need, back to carries.
  static void markNeeded(ScanOp op, Parts &parts) {
    Block *body = op.getBody();
    YieldOp yield = op.getYield();
    SmallVector<Value> worklist;
    llvm::SmallDenseSet<Operation *> seen;
    auto needCarry = [&](unsigned i) {
      if (parts.carries.test(i))
        return;
      parts.carries.set(i);
      worklist.push_back(yield.getCarries()[i]);
    };
    auto needOperands = [&](Operation *user) {
      user->walk([&](Operation *nested) {
        llvm::append_range(worklist, nested->getOperands());
      });
    };
    for (unsigned i : parts.ys.set_bits())
      worklist.push_back(yield.getValues()[i]);
    for (auto [i, carry] : llvm::enumerate(op.getFinalCarries()))
      if (!carry.use_empty())
        needCarry(i);
    for (Operation &nested : body->without_terminator())
      if (!wouldOpBeTriviallyDead(&nested) && seen.insert(&nested).second)
        needOperands(&nested);
    while (!worklist.empty()) {
      Value value = worklist.pop_back_val();
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        if (argument.getOwner() == body &&
            argument.getArgNumber() < op.getNumCarries())
          needCarry(argument.getArgNumber());
        continue;
      }
      // Of what is defined deeper, the op of this body around it is in the
      // worklist as well.
      Operation *definition =
          body->findAncestorOpInBlock(*value.getDefiningOp());
      if (definition && seen.insert(definition).second)
        needOperands(definition);
    }
  }
};

/// Outputs that yield the slice of an input are that input, equal outputs are
/// one, and an input that is scanned twice is scanned once.
struct ForwardOutputs final : OpRewritePattern<ScanOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScanOp op,
                                PatternRewriter &rewriter) const override {
    bool changed = false;
    auto replace = [&](Value from, Value to) {
      if (from.use_empty() || from.getType() != to.getType())
        return;
      rewriter.replaceAllUsesWith(from, to);
      changed = true;
    };
    for (auto [i, x] : llvm::enumerate(op.getXs())) {
      unsigned first = llvm::find(op.getXs(), x) - op.getXs().begin();
      if (first != i)
        replace(op.getSliceArgs()[i], op.getSliceArgs()[first]);
    }
    // A chunk writes some steps of its destinations only.
    if (!op.getFirst() && op.getDests().empty()) {
      OperandRange values = op.getYield().getValues();
      for (auto [i, value] : llvm::enumerate(values)) {
        unsigned first = llvm::find(values, value) - values.begin();
        if (first != i)
          replace(op.getStacked()[i], op.getStacked()[first]);
        auto argument = dyn_cast<BlockArgument>(value);
        if (argument && argument.getOwner() == op.getBody() &&
            argument.getArgNumber() >= op.getNumCarries())
          replace(op.getStacked()[i],
                  op.getXs()[argument.getArgNumber() - op.getNumCarries()]);
      }
    }
    return success(changed);
  }
};

//===----------------------------------------------------------------------===//
// The number of steps
//===----------------------------------------------------------------------===//

/// A scan of no steps gives its inits and empty outputs.
struct FoldNoSteps final : OpRewritePattern<ScanOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScanOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getStaticLength() != 0 || op.getFirst() || !op.getDests().empty())
      return failure();
    for (Value y : op.getStacked())
      if (!hasOneExtent(y, 0))
        return failure();
    SmallVector<Value> values(op.getInits());
    for (Value y : op.getStacked())
      values.push_back(createEmpty(rewriter, y, 0));
    rewriter.replaceOp(op, values);
    return success();
  }
};

/// A known number of steps makes inputs and outputs static.
struct FoldStaticLength final : OpRewritePattern<ScanOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ScanOp op,
                                PatternRewriter &rewriter) const override {
    bool changed = false;
    for (OpOperand &x : op.getXsMutable())
      if (Value source = lookThroughCast(x.get(), 0)) {
        int64_t steps = op.getStaticLength();
        int64_t extent = cast<RankedTensorType>(source.getType()).getDimSize(0);
        if (!ShapedType::isDynamic(steps) && steps != extent)
          continue;
        rewriter.modifyOpInPlace(op, [&] { x.set(source); });
        changed = true;
      }
    int64_t steps = op.getStaticLength();
    if (ShapedType::isDynamic(steps) || op.getFirst() || !op.getDests().empty())
      return success(changed);
    rewriter.setInsertionPointAfter(op);
    for (Value y : op.getStacked()) {
      auto type = cast<RankedTensorType>(y.getType());
      if (!type.isDynamicDim(0))
        continue;
      refineType(rewriter, y, withExtent(type, 0, steps));
      changed = true;
    }
    return success(changed);
  }
};

} // namespace

void ScanOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<ForwardInvariantCarries, MergeEqualCarries, DropUnusedParts,
               ForwardOutputs, FoldNoSteps, FoldStaticLength>(context);
}
