// SPDX-License-Identifier: Apache-2.0
//
// Which loop of a linalg op can be one of vectors.

#include "VectorLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace scanweave;

/// What a vector register and memory hold in the same way; bits of an i1 would
/// be packed.
static bool isMemoryElement(Type type) {
  if (type.isIndex())
    return true;
  if (!type.isSignlessInteger() && !isa<FloatType>(type))
    return false;
  unsigned width = type.getIntOrFloatBitWidth();
  return width == 8 || width == 16 || width == 32 || width == 64;
}

static unsigned getWidth(Type type) {
  return isa<IndexType>(type) ? 64 : type.getIntOrFloatBitWidth();
}

/// Whether neighbours along the buffer's last dimension are neighbours in
/// memory.
static bool isContiguousInside(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) &&
         !strides.empty() && strides.back() == 1;
}

/// Whether `operand` is constant along the loop, or a row of it contiguous.
static bool fits(linalg::LinalgOp op, OpOperand &operand, unsigned dim) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!map.isProjectedPermutation())
    return false;
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  if (!type)
    return operand.get().getType().isIntOrIndexOrFloat();
  if (!map.isFunctionOfDim(dim))
    return type.getElementType().isIntOrIndexOrFloat();
  return isMemoryElement(type.getElementType()) && isContiguousInside(type) &&
         map.getResults().back() == getAffineDimExpr(dim, map.getContext());
}

/// Whether each result is accumulated over all reduction loops.
static bool accumulates(linalg::LinalgOp op) {
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
      if (map.isFunctionOfDim(dim) ==
          (iterator == utils::IteratorType::reduction))
        return false;
  }
  return true;
}

/// Whether all in the body is arithmetic on single numbers.
static bool isArithmetic(linalg::LinalgOp op) {
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (isa<linalg::IndexOp, arith::ConstantOp>(inner))
      continue;
    if (!OpTrait::hasElementwiseMappableTraits(&inner) ||
        !isMemoryEffectFree(&inner) || inner.getNumRegions() != 0)
      return false;
    auto isNumber = [](Type type) { return type.isIntOrIndexOrFloat(); };
    if (!llvm::all_of(inner.getOperandTypes(), isNumber) ||
        !llvm::all_of(inner.getResultTypes(), isNumber))
      return false;
  }
  return true;
}

bool scanweave::becomesInteger(linalg::IndexOp index) {
  return llvm::all_of(index->getUsers(), [](Operation *user) {
    return isa<arith::IndexCastOp, arith::IndexCastUIOp>(user);
  });
}

/// The width of the widest number that varies along the loop.
static unsigned getWidestVarying(linalg::LinalgOp op, unsigned dim) {
  llvm::DenseSet<Value> varying;
  unsigned widest = 8;
  auto add = [&](Value value) {
    varying.insert(value);
    widest = std::max(widest, getWidth(value.getType()));
  };
  for (OpOperand &operand : op->getOpOperands())
    if (op.getMatchingIndexingMap(&operand).isFunctionOfDim(dim))
      add(op.getMatchingBlockArgument(&operand));
  for (Operation &inner : op.getBlock()->without_terminator()) {
    auto index = dyn_cast<linalg::IndexOp>(inner);
    if (index && index.getDim() == dim && becomesInteger(index))
      varying.insert(index);
    else if ((index && index.getDim() == dim) ||
             llvm::any_of(inner.getOperands(), [&](Value operand) {
               return varying.contains(operand);
             }))
      for (Value result : inner.getResults())
        add(result);
  }
  return widest;
}

/// The innermost loop whose iterations accumulate results of their own from
/// vectors that they share.
static std::optional<unsigned> findRowDim(linalg::LinalgOp op, unsigned dim) {
  if (op.getNumReductionLoops() == 0)
    return std::nullopt;
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  for (unsigned row : llvm::reverse(parallel))
    if (row != dim &&
        llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *input) {
          AffineMap map = op.getMatchingIndexingMap(input);
          return map.isFunctionOfDim(dim) && !map.isFunctionOfDim(row);
        }))
      return row;
  return std::nullopt;
}

SmallVector<unsigned> scanweave::getReductionDims(linalg::LinalgOp op,
                                                  OpOperand &operand) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<unsigned> dims;
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
    unsigned dim = cast<AffineDimExpr>(expr).getPosition();
    if (iterators[dim] == utils::IteratorType::reduction)
      dims.push_back(dim);
  }
  return dims;
}

std::optional<VectorLoop> scanweave::findVectorLoop(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics() || !accumulates(op) || !isArithmetic(op))
    return std::nullopt;
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  for (unsigned dim : llvm::reverse(parallel)) {
    if (!llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
          return fits(op, operand, dim);
        }))
      continue;
    Block &body = *op.getBlock();
    bool canMask = llvm::all_of(body.without_terminator(), [](Operation &op) {
      return isa<linalg::IndexOp>(op) || isSpeculatable(&op);
    });
    return VectorLoop{op,
                      dim,
                      getWidestVarying(op, dim),
                      static_cast<unsigned>(body.getOperations().size() - 1),
                      canMask,
                      findRowDim(op, dim)};
  }
  return std::nullopt;
}
