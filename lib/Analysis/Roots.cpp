// SPDX-License-Identifier: Apache-2.0
//
// Finding the parts to partition, and the extents of what is in them.

#include "scanweave/Analysis/Roots.h"

#include "scanweave/Analysis/Cut.h"
#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace scanweave;

/// Whether a block has a pmap that the hoist reaches: in it or in a scan in it.
static bool reachesMap(Block &block) {
  return llvm::any_of(block, [](Operation &op) {
    if (auto scan = dyn_cast<ScanOp>(op))
      return reachesMap(*scan.getBody());
    return isa<PMapOp>(op);
  });
}

bool Root::contains(Operation *op) const {
  for (; op; op = op->getParentOp())
    if (ops.contains(op))
      return true;
  return false;
}

bool Root::defines(Value value) const {
  Operation *owner = value.getDefiningOp();
  return contains(owner ? owner
                        : cast<BlockArgument>(value).getOwner()->getParentOp());
}

//===----------------------------------------------------------------------===//
// Finding roots
//===----------------------------------------------------------------------===//

namespace scanweave {

/// Groups the ops of blocks into roots.
class RootFinder {
public:
  SmallVector<Root> roots;

  void visitRegions(Operation *op) {
    for (Region &region : op->getRegions())
      for (Block &block : region)
        visitBlock(block);
  }

private:
  void visitBlock(Block &block) {
    // A run of ops that may be moved among each other.
    SmallVector<Operation *> run;
    for (Operation &op : block) {
      auto scan = dyn_cast<ScanOp>(op);
      bool isScanRoot = scan && reachesMap(*scan.getBody());
      if (!isScanRoot && (isa<PMapOp>(op) || isPure(&op))) {
        run.push_back(&op);
        continue;
      }
      finishRun(run);
      if (isScanRoot)
        roots.emplace_back(&op);
      else if (!isa<SpmdOp>(op))
        visitRegions(&op);
    }
    finishRun(run);
  }

  /// Makes a root of the pmaps of a run, if it has any.
  void finishRun(SmallVector<Operation *> &run) {
    llvm::SmallPtrSet<Operation *, 8> members;
    for (Operation *op : run)
      if (isa<PMapOp>(op))
        members.insert(op);
    if (!members.empty()) {
      addBetween(run, members);
      addProducers(run, members);
      addConsumers(run, members);
      addBetween(run, members);
      Root root;
      for (Operation *op : run)
        if (members.contains(op))
          root.ops.insert(op);
      roots.push_back(std::move(root));
    }
    // Maps in other ops of the run are roots of their own.
    for (Operation *op : run)
      if (!members.contains(op))
        visitRegions(op);
    run.clear();
  }

  using Members = llvm::SmallPtrSet<Operation *, 8>;

  static bool usesAny(Operation *op, const Members &members) {
    bool found = false;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        found |= members.contains(operand.getDefiningOp());
    });
    return found;
  }

  /// Ops that use a member and that a member uses, directly or not.
  static void addBetween(ArrayRef<Operation *> run, Members &members) {
    Members after = members, before = members;
    for (Operation *op : run)
      if (usesAny(op, after))
        after.insert(op);
    for (Operation *op : llvm::reverse(run))
      for (Operation *user : op->getUsers())
        if (before.contains(op->getBlock()->findAncestorOpInBlock(*user)))
          before.insert(op);
    for (Operation *op : run)
      if (after.contains(op) && before.contains(op))
        members.insert(op);
  }

  /// Ops that only members use, as operands, and of which a part can be made.
  static void addProducers(ArrayRef<Operation *> run, Members &members) {
    for (Operation *op : llvm::reverse(run)) {
      auto result = op->getNumResults() == 1
                        ? dyn_cast<RankedTensorType>(op->getResult(0).getType())
                        : RankedTensorType();
      if (!result || result.getRank() == 0 || op->use_empty() ||
          !cutAtResult(op, 0, 0))
        continue;
      if (llvm::all_of(op->getUsers(),
                       [&](Operation *user) { return members.contains(user); }))
        members.insert(op);
    }
  }

  /// Ops that can take a member's result in part.
  static void addConsumers(ArrayRef<Operation *> run, Members &members) {
    for (Operation *op : run)
      for (OpOperand &operand : op->getOpOperands()) {
        auto type = dyn_cast<RankedTensorType>(operand.get().getType());
        Operation *producer = operand.get().getDefiningOp();
        if (!type || type.getRank() == 0 || !members.contains(producer))
          continue;
        if (cutAtOperand(op, operand.getOperandNumber(), 0))
          members.insert(op);
      }
  }
};

} // namespace scanweave

SmallVector<Root> scanweave::findRoots(Operation *top) {
  RootFinder finder;
  finder.visitRegions(top);
  return std::move(finder.roots);
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

namespace {

/// Follows a value to what gives its extent, up to the outside of a root.
class ExtentFinder {
public:
  ExtentFinder(const Root &root, OpBuilder &builder)
      : root(root), builder(builder) {}

  OpFoldResult find(Value value, int64_t dim) {
    auto type = cast<RankedTensorType>(value.getType());
    if (!type.isDynamicDim(dim))
      return builder.getIndexAttr(type.getDimSize(dim));
    if (Operation *op = value.getDefiningOp())
      if (OpFoldResult size = sizeOperand(op, dim))
        return size;
    if (isOutside(value))
      return tensor::DimOp::create(builder, value.getLoc(), value, dim)
          .getResult();
    if (auto argument = dyn_cast<BlockArgument>(value))
      return findArgument(argument, dim);
    return findResult(cast<OpResult>(value), dim);
  }

private:
  bool isOutside(Value value) { return !root.defines(value); }

  /// A scalar that must itself be outside, or be an extent that is.
  OpFoldResult scalar(Value value) {
    if (int64_t constant = getStaticExtent(value);
        !ShapedType::isDynamic(constant))
      return builder.getIndexAttr(constant);
    if (auto dim = value.getDefiningOp<tensor::DimOp>();
        dim && dim.getConstantIndex() && !isOutside(value))
      return find(dim.getSource(), *dim.getConstantIndex());
    return isOutside(value) ? OpFoldResult(value) : OpFoldResult();
  }

  OpFoldResult findArgument(BlockArgument argument, int64_t dim) {
    Operation *parent = argument.getOwner()->getParentOp();
    unsigned number = argument.getArgNumber();
    if (auto scan = dyn_cast<ScanOp>(parent)) {
      if (number < scan.getNumCarries())
        return find(scan.getInits()[number], dim);
      return find(scan.getXs()[number - scan.getNumCarries()], dim + 1);
    }
    if (auto loop = dyn_cast<scf::ForOp>(parent); loop && number > 0)
      return find(loop.getInitArgs()[number - 1], dim);
    if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      if (argument.getParentRegion() == &loop.getBefore())
        return find(loop.getInits()[number], dim);
      return find(loop.getConditionOp().getArgs()[number], dim);
    }
    return {};
  }

  OpFoldResult lanes(MapOpInterface map) {
    if (map.getLanes())
      return scalar(map.getLanes());
    return find(map.getInputs().front(), map.getInAxes().front());
  }

  OpFoldResult findResult(OpResult result, int64_t dim) {
    Operation *op = result.getOwner();
    unsigned number = result.getResultNumber();
    if (auto map = dyn_cast<MapOpInterface>(op))
      return lanes(map);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return find(loop.getInitArgs()[number], dim);
    if (auto loop = dyn_cast<scf::WhileOp>(op))
      return find(loop.getConditionOp().getArgs()[number], dim);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return find(branch.thenYield().getOperand(number), dim);
    if (auto writer = dyn_cast<DestinationStyleOpInterface>(op))
      return find(writer.getTiedOpOperand(result)->get(), dim);
    if (auto scan = dyn_cast<ScanOp>(op)) {
      if (number < scan.getNumCarries())
        return find(scan.getInits()[number], dim);
      if (dim > 0)
        return find(scan.getYield().getValues()[number - scan.getNumCarries()],
                    dim - 1);
      return scan.getLength() ? scalar(scan.getLength())
                              : find(scan.getXs().front(), 0);
    }
    // Of a cut op, any operand that is cut with the result has its extent.
    std::optional<Cut> cut = cutAtResult(op, number, dim);
    if (!cut)
      return {};
    for (auto [operand, operandDim] :
         llvm::zip_equal(op->getOperands(), cut->operands))
      if (operandDim)
        if (OpFoldResult extent = find(operand, *operandDim))
          return extent;
    return {};
  }

  /// The operand that gives a dynamic dimension of an op with such operands.
  OpFoldResult sizeOperand(Operation *op, int64_t dim) {
    auto nth = [&](ValueRange sizes, RankedTensorType type) {
      return scalar(sizes[type.getDynamicDimIndex(dim)]);
    };
    return llvm::TypeSwitch<Operation *, OpFoldResult>(op)
        .Case<tensor::EmptyOp, tensor::SplatOp>([&](auto sized) {
          return nth(sized.getDynamicSizes(), sized.getType());
        })
        .Case<RandomSplitOp, RandomBitsOp, RandomUniformOp, RandomNormalOp>(
            [&](auto draw) {
              return nth(draw.getSizes(), draw.getResult().getType());
            })
        .Default([](Operation *) { return OpFoldResult(); });
  }

  const Root &root;
  OpBuilder &builder;
};

} // namespace

OpFoldResult scanweave::extentOutside(Value value, int64_t dim,
                                      const Root &root, OpBuilder &builder) {
  return ExtentFinder(root, builder).find(value, dim);
}
