// SPDX-License-Identifier: Apache-2.0
//
// weave-settle-carries: gives each carry of a loop a buffer that one-shot
// bufferization can keep it in. A carry that cannot be overwritten in place
// goes to another buffer and back, two steps later.

#include "CarryBuffers.h"

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"
#include "scanweave/Dialect/Weave/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

#include <numeric>

namespace scanweave {
#define GEN_PASS_DEF_SETTLECARRIES
#include "scanweave/Dialect/Weave/Transforms/Passes.h.inc"
} // namespace scanweave

using namespace mlir;
using namespace scanweave;
using bufferization::MaterializeInDestinationOp;

//===----------------------------------------------------------------------===//
// The plan for one loop
//===----------------------------------------------------------------------===//

namespace {

/// Where the next value of each carry goes. Positions are the loop's carries,
/// then the scratch buffers.
class CarryPlan {
public:
  explicit CarryPlan(scf::ForOp loop);

  /// Whether all carries can stay in their own buffers.
  bool isTrivial() const {
    for (auto [i, target] : llvm::enumerate(targets))
      if (target != i)
        return false;
    return true;
  }
  /// After how many steps all carries are back in their buffers.
  unsigned getPeriod() const;

  scf::ForOp loop;
  /// The op that ties the next carry to the carry's buffer, or null.
  SmallVector<MaterializeInDestinationOp> ties;
  /// The position whose buffer the next value of each position lies in.
  SmallVector<size_t> targets;
  /// Whether the next value is computed in that buffer anyhow.
  SmallVector<bool> isThere;
  /// The carry that each scratch buffer is for.
  SmallVector<size_t> scratches;

private:
  bool mayOverwrite(size_t carry, Value value);
  Operation *getTopLevel(Operation *op) {
    return loop.getBody()->findAncestorOpInBlock(*op);
  }
};

} // namespace

/// Whether an op reads an operand element by element, each one before it writes
/// that element.
static bool readsElementwise(Operation *op, OpOperand &operand) {
  if (op->hasTrait<OpTrait::Elementwise>())
    return true;
  auto generic = dyn_cast<linalg::LinalgOp>(op);
  if (!generic || generic.getNumLoops() != generic.getNumParallelLoops())
    return false;
  auto isIdentity = [&](OpOperand &o) {
    return generic.getMatchingIndexingMap(&o).isIdentity();
  };
  return isIdentity(operand) &&
         llvm::all_of(generic.getDpsInitsMutable(), isIdentity);
}

/// Whether the buffer of a carry may take its next value: at the op that
/// computes it nothing reads the carry any more, but that op element by
/// element.
bool CarryPlan::mayOverwrite(size_t carry, Value value) {
  // Computed in a carry's buffer after all, or a part of it.
  // The state keeps a reference to its options.
  bufferization::BufferizationOptions options;
  bufferization::AnalysisState state(options);
  bufferization::TraversalConfig config;
  config.alwaysIncludeLeaves = false;
  auto isCarry = [&](Value v) { return v == loop.getRegionIterArg(carry); };
  OpOperand *source = nullptr;
  for (MaterializeInDestinationOp tie : ties)
    if (tie && tie.getSource() == value)
      source = &tie.getSourceMutable();
  if (!source ||
      !state.findValueInReverseUseDefChain(source, isCarry, config).empty())
    return false;
  // The op that writes the buffer first; an empty tensor's is whoever takes it,
  // the same as the value or as a view of another type.
  Operation *writer = ties[carry];
  auto consider = [&](Operation *op) {
    Operation *top = getTopLevel(op);
    if (top && top->isBeforeInBlock(writer))
      writer = top;
  };
  Operation *definition = getBufferRoot(value).getDefiningOp();
  if (definition && isa<tensor::EmptyOp>(definition))
    llvm::for_each(definition->getUsers(), consider);
  else if (definition)
    consider(definition);
  SmallVector<Value> aliases = {loop.getRegionIterArg(carry)};
  while (!aliases.empty()) {
    Value alias = aliases.pop_back_val();
    for (OpOperand &use : alias.getUses()) {
      Operation *user = use.getOwner();
      if (user == ties[carry])
        continue;
      if (isa<tensor::ExtractSliceOp, tensor::CastOp, tensor::ExpandShapeOp,
              tensor::CollapseShapeOp>(user))
        aliases.push_back(user->getResult(0));
      Operation *top = getTopLevel(user);
      if (!top)
        return false;
      if (top->isBeforeInBlock(writer))
        continue;
      if (user != writer || alias != loop.getRegionIterArg(carry) ||
          !readsElementwise(user, use))
        return false;
    }
  }
  return true;
}

CarryPlan::CarryPlan(scf::ForOp loop) : loop(loop) {
  size_t carries = loop.getNumRegionIterArgs();
  SmallVector<std::optional<size_t>> homes(carries);
  SmallVector<bool> isTarget(carries, false);
  targets.resize(carries);
  isThere.assign(carries, true);
  std::iota(targets.begin(), targets.end(), 0);
  for (size_t i = 0; i < carries; ++i) {
    auto tie =
        loop.getYieldedValues()[i].getDefiningOp<MaterializeInDestinationOp>();
    if (tie && (tie.getDest() != loop.getRegionIterArg(i) ||
                !tie->hasOneUse() || tie->getBlock() != loop.getBody()))
      tie = {};
    ties.push_back(tie);
    if (!tie) {
      isTarget[i] = true;
      continue;
    }
    auto origin = dyn_cast<BlockArgument>(getBufferOrigin(tie.getSource()));
    if (!origin || origin.getOwner() != loop.getBody() ||
        origin == loop.getInductionVar())
      continue;
    size_t home = origin.getArgNumber() - 1;
    if (origin.getType() == tie.getDest().getType() && !isTarget[home]) {
      homes[i] = home;
      isTarget[home] = true;
    }
  }
  for (size_t i = 0; i < carries; ++i) {
    if (!ties[i])
      continue;
    if (homes[i]) {
      targets[i] = *homes[i];
      continue;
    }
    isThere[i] = false;
    Value value = ties[i].getSource();
    auto type = cast<RankedTensorType>(value.getType());
    auto canTake = [&](size_t j) {
      return ties[j] && !isTarget[j] && ties[j].getDest().getType() == type &&
             (j == i || type.hasStaticShape()) && mayOverwrite(j, value);
    };
    std::optional<size_t> target;
    for (size_t j = i; !target && j < i + carries; ++j)
      if (canTake(j % carries))
        target = j % carries;
    if (!target) {
      target = carries + scratches.size();
      scratches.push_back(i);
      isTarget.push_back(false);
    }
    targets[i] = *target;
    isTarget[*target] = true;
  }
  // What nobody goes to becomes the next scratch buffer.
  for (size_t carry : scratches) {
    size_t free = carry;
    for (size_t i = 0; i < carries; ++i)
      if (targets[i] == free && i != free) {
        free = i;
        i = -1;
      }
    targets.push_back(free);
    isThere.push_back(true);
  }
}

unsigned CarryPlan::getPeriod() const {
  unsigned period = 1;
  for (size_t i = 0; i < targets.size(); ++i) {
    unsigned length = 1;
    for (size_t at = targets[i]; at != i; at = targets[at])
      ++length;
    period = std::lcm(period, length);
  }
  return period;
}

//===----------------------------------------------------------------------===//
// Rewriting a loop
//===----------------------------------------------------------------------===//

/// Clones the body but for its ties and terminator.
static void cloneBody(OpBuilder &builder, CarryPlan &plan, IRMapping &mapping) {
  for (Operation &op : plan.loop.getBody()->without_terminator()) {
    auto tie = dyn_cast<MaterializeInDestinationOp>(op);
    if (!tie || !llvm::is_contained(plan.ties, tie))
      builder.clone(op, mapping);
  }
}

Value scanweave::copyInto(OpBuilder &builder, Location loc, Value source,
                          Value dest) {
  auto type = cast<RankedTensorType>(dest.getType());
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto copy = linalg::GenericOp::create(
      builder, loc, TypeRange(type), source, dest,
      ArrayRef<AffineMap>{identity, identity}, iterators,
      [](OpBuilder &b, Location l, ValueRange arguments) {
        linalg::YieldOp::create(b, l, arguments[0]);
      });
  return copy.getResult(0);
}

Value scanweave::makeEmptyLike(OpBuilder &builder, Location loc, Value like) {
  return tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, like),
      cast<RankedTensorType>(like.getType()).getElementType());
}

/// Has a value come to lie in the buffer of `dest`.
static Value settleIn(OpBuilder &builder, Location loc, Value value,
                      Value dest) {
  // A loop that fills an empty tensor fills the buffer instead. Eliminating
  // empty tensors would do that too, but to bufferization a tie of the result
  // would then be a conflict.
  OpOperand *first = nullptr;
  Value origin = value;
  while (OpOperand *next = getDest(origin)) {
    first = next;
    origin = next->get();
  }
  if (first && first->getOwner()->getBlock() == builder.getInsertionBlock() &&
      origin.getDefiningOp<tensor::EmptyOp>() &&
      origin.getType() == dest.getType()) {
    first->set(dest);
    return value;
  }
  // Where that cannot be seen, such as by another type, a copy stands between.
  Operation *op = getBufferRoot(value).getDefiningOp();
  if (op && op->getNumRegions() > 0 && !isa<linalg::LinalgOp>(op))
    value = copyInto(builder, loc, value, makeEmptyLike(builder, loc, value));
  return MaterializeInDestinationOp::create(builder, loc, value, dest)
      .getResult();
}

/// Settles the carries of a loop that all stay in their own buffers. What is
/// computed there anyhow needs no tie.
static void settleInPlace(CarryPlan &plan) {
  for (auto [i, tie] : llvm::enumerate(plan.ties)) {
    if (!tie)
      continue;
    OpBuilder builder(tie);
    Value value = tie.getSource();
    if (!plan.isThere[i])
      value = settleIn(builder, tie.getLoc(), value, tie.getDest());
    tie.getResult().replaceAllUsesWith(value);
    tie.erase();
  }
}

/// The loop from `lower`, one step at a time: what cannot stay in its buffer is
/// computed in another one and copied back.
static scf::ForOp buildCopyingLoop(OpBuilder &builder, CarryPlan &plan,
                                   Value lower, ValueRange inits) {
  scf::ForOp loop = plan.loop;
  Location loc = loop.getLoc();
  auto body = [&](OpBuilder &b, Location, Value step, ValueRange carries) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), step);
    mapping.map(loop.getRegionIterArgs(), carries);
    cloneBody(b, plan, mapping);
    SmallVector<Value> next;
    for (auto [i, tie] : llvm::enumerate(plan.ties)) {
      Value value = mapping.lookupOrDefault(tie ? tie.getSource()
                                                : loop.getYieldedValues()[i]);
      // Out of the other carries' way, before any of them is overwritten.
      if (tie && plan.targets[i] != i)
        value = copyInto(b, loc, value, makeEmptyLike(b, loc, value));
      next.push_back(value);
    }
    for (auto [i, tie] : llvm::enumerate(plan.ties))
      if (tie && plan.targets[i] != i)
        next[i] = copyInto(b, loc, next[i], carries[i]);
      else if (tie && !plan.isThere[i])
        next[i] = settleIn(b, loc, next[i], carries[i]);
    scf::YieldOp::create(b, loc, next);
  };
  return scf::ForOp::create(builder, loc, lower, loop.getUpperBound(),
                            loop.getStep(), inits, body);
}

/// Runs a whole period of steps at a time, and what is left of the steps after.
static void rotate(CarryPlan &plan, unsigned period) {
  scf::ForOp loop = plan.loop;
  Location loc = loop.getLoc();
  OpBuilder builder(loop);
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value zero = constant(0), stride = constant(period);
  Value count = arith::SubIOp::create(builder, loc, upper, lower);
  count = arith::MaxSIOp::create(builder, loc, count, zero);
  Value left = arith::RemUIOp::create(builder, loc, count, stride);
  Value middle = arith::AddIOp::create(
      builder, loc, lower, arith::SubIOp::create(builder, loc, count, left));

  size_t carries = plan.ties.size();
  SmallVector<Value> inits(loop.getInitArgs());
  for (size_t carry : plan.scratches)
    inits.push_back(makeEmptyLike(builder, loc, loop.getInitArgs()[carry]));
  auto body = [&](OpBuilder &b, Location, Value first, ValueRange arguments) {
    SmallVector<Value> current(arguments);
    for (unsigned turn = 0; turn < period; ++turn) {
      IRMapping mapping;
      Value offset = arith::ConstantIndexOp::create(b, loc, turn);
      mapping.map(loop.getInductionVar(),
                  Value(arith::AddIOp::create(b, loc, first, offset)));
      for (size_t i = 0; i < carries; ++i)
        mapping.map(loop.getRegionIterArg(i), current[i]);
      cloneBody(b, plan, mapping);
      SmallVector<Value> next;
      for (size_t i = 0; i < carries; ++i) {
        MaterializeInDestinationOp tie = plan.ties[i];
        Value value = mapping.lookupOrDefault(tie ? tie.getSource()
                                                  : loop.getYieldedValues()[i]);
        if (tie && !plan.isThere[i])
          value = settleIn(b, loc, value, current[plan.targets[i]]);
        next.push_back(value);
      }
      for (size_t s = carries; s < current.size(); ++s)
        next.push_back(current[plan.targets[s]]);
      current = next;
    }
    scf::YieldOp::create(b, loc, current);
  };
  auto main =
      scf::ForOp::create(builder, loc, lower, middle, stride, inits, body);
  scf::ForOp rest = buildCopyingLoop(builder, plan, middle,
                                     main.getResults().take_front(carries));
  loop.replaceAllUsesWith(rest.getResults());
  loop.erase();
}

/// Whether a value is the carry after writes to it in both branches of a
/// condition, as the stored outputs of a scan are.
static bool isWrittenUnderCondition(Value value, Value carry) {
  auto branch = value.getDefiningOp<scf::IfOp>();
  if (!branch)
    return false;
  unsigned i = cast<OpResult>(value).getResultNumber();
  return llvm::all_of(branch->getRegions(), [&](Region &region) {
    Value yielded = region.front().getTerminator()->getOperand(i);
    while (isa_and_present<tensor::InsertOp, tensor::InsertSliceOp>(
        yielded.getDefiningOp()))
      yielded = cast<DestinationStyleOpInterface>(yielded.getDefiningOp())
                    .getTiedOpOperand(cast<OpResult>(yielded))
                    ->get();
    return yielded == carry || isWrittenUnderCondition(yielded, carry);
  });
}

/// Ties the next values of carries that have no tie yet and are not computed in
/// the carry's buffer: those of loops that were no scans.
static void addTies(scf::ForOp loop) {
  Operation *yield = loop.getBody()->getTerminator();
  OpBuilder builder(yield);
  for (auto [operand, carry] :
       llvm::zip_equal(yield->getOpOperands(), loop.getRegionIterArgs())) {
    Value value = operand.get();
    if (!isa<RankedTensorType>(value.getType()) ||
        value.getDefiningOp<MaterializeInDestinationOp>())
      continue;
    Value origin = getBufferOrigin(value);
    if (origin != carry && !isWrittenUnderCondition(origin, carry))
      operand.set(MaterializeInDestinationOp::create(builder, loop.getLoc(),
                                                     value, carry)
                      .getResult());
  }
}

/// Whether a tie is that of a loop's carry.
static bool tiesCarry(MaterializeInDestinationOp tie) {
  auto loop = dyn_cast<scf::ForOp>(tie->getParentOp());
  auto carry = dyn_cast<BlockArgument>(tie.getDest());
  return loop && carry && carry.getOwner() == loop.getBody() &&
         carry != loop.getInductionVar() &&
         loop.getTiedLoopYieldedValue(carry)->get() == tie.getResult();
}

/// Drops the ties of loops that are no more, since they had one step only or
/// were unrolled: their dest is a value of the program that others may read.
static void dropStrayTies(Operation *root) {
  root->walk([](MaterializeInDestinationOp tie) {
    if (tie->getNumResults() == 0 || tiesCarry(tie))
      return;
    tie.getResult().replaceAllUsesWith(tie.getSource());
    tie.erase();
  });
}

namespace {
class SettleCarries final
    : public scanweave::impl::SettleCarriesBase<SettleCarries> {
  using Base::Base;

  void runOnOperation() override {
    dropStrayTies(getOperation());
    // Inner loops first: an outer one clones them.
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](Operation *op) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        loops.push_back(loop);
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        settleCarries(loop);
    });
    for (scf::ForOp loop : loops) {
      addTies(loop);
      CarryPlan plan(loop);
      if (plan.isTrivial()) {
        settleInPlace(plan);
        continue;
      }
      unsigned period = plan.getPeriod();
      if (period <= maxPeriod && matchPattern(loop.getStep(), m_One())) {
        rotate(plan, period);
        continue;
      }
      OpBuilder builder(loop);
      scf::ForOp copying = buildCopyingLoop(builder, plan, loop.getLowerBound(),
                                            loop.getInitArgs());
      loop.replaceAllUsesWith(copying.getResults());
      loop.erase();
    }
  }
};
} // namespace
