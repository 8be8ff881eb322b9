// SPDX-License-Identifier: Apache-2.0
//
// Finding the parts to partition, and the extents of what is in them.

#include "scanweave/Analysis/Roots.h"

#include "scanweave/Analysis/Cut.h"
#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
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

SmallVector<Operation *> scanweave::findRoots(Operation *top) {
  SmallVector<Operation *> roots;
  top->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<SpmdOp>(op))
      return WalkResult::skip();
    auto scan = dyn_cast<ScanOp>(op);
    if (!isa<PMapOp>(op) && !(scan && reachesMap(*scan.getBody())))
      return WalkResult::advance();
    roots.push_back(op);
    return WalkResult::skip();
  });
  return roots;
}

namespace {

/// Follows a value to what gives its extent, up to the outside of a root.
class ExtentFinder {
public:
  ExtentFinder(Operation *root, OpBuilder &builder)
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
  bool isOutside(Value value) {
    Operation *owner = value.getDefiningOp();
    if (!owner)
      owner = cast<BlockArgument>(value).getOwner()->getParentOp();
    else if (owner == root)
      return false;
    return owner != root && !root->isProperAncestor(owner);
  }

  /// A scalar that must itself be outside.
  OpFoldResult scalar(Value value) {
    if (int64_t constant = getStaticExtent(value);
        !ShapedType::isDynamic(constant))
      return builder.getIndexAttr(constant);
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
    return {};
  }

  OpFoldResult lanes(PMapOp map) {
    if (map.getLanes())
      return scalar(map.getLanes());
    return find(map.getInputs().front(), map.getInAxes().front());
  }

  OpFoldResult findResult(OpResult result, int64_t dim) {
    Operation *op = result.getOwner();
    unsigned number = result.getResultNumber();
    if (auto map = dyn_cast<PMapOp>(op))
      return lanes(map);
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

  Operation *root;
  OpBuilder &builder;
};

} // namespace

OpFoldResult scanweave::extentOutside(Value value, int64_t dim, Operation *root,
                                      OpBuilder &builder) {
  return ExtentFinder(root, builder).find(value, dim);
}
