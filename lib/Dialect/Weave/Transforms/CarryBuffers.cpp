// SPDX-License-Identifier: Apache-2.0
//
// What is known of the buffers of loop carries before bufferization.

#include "CarryBuffers.h"

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace scanweave;
using bufferization::MaterializeInDestinationOp;

/// Whether nothing reads a value any more once `writer`, an op in the value's
/// block, has begun to write its buffer through the operand `dest`.
static bool isLastUse(Value value, OpOperand &dest, Operation *writer) {
  Block *block = writer->getBlock();
  SmallVector<Value> aliases = {value};
  while (!aliases.empty())
    for (OpOperand &use : aliases.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      // The tie of a carry does not read its dest.
      auto tie = dyn_cast<MaterializeInDestinationOp>(user);
      if (&use == &dest || (tie && use == tie.getDestMutable()))
        continue;
      if (isa<tensor::ExtractSliceOp, tensor::CastOp, tensor::ExpandShapeOp,
              tensor::CollapseShapeOp>(user))
        aliases.push_back(user->getResult(0));
      Operation *top = block->findAncestorOpInBlock(*user);
      if (!top || !top->isBeforeInBlock(writer))
        return false;
    }
  return true;
}

OpOperand *scanweave::getDest(Value value) {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return nullptr;
  Operation *op = result.getOwner();
  OpOperand *dest = nullptr;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    unsigned i = result.getResultNumber();
    if (getBufferOrigin(loop.getYieldedValues()[i]) != loop.getRegionIterArg(i))
      return nullptr;
    dest = &loop.getInitArgsMutable()[i];
  } else if (auto exchange = dyn_cast<AllReduceOp>(op)) {
    dest = &exchange.getDestMutable();
  } else if (auto exchange = dyn_cast<GatherShardsOp>(op)) {
    dest = &exchange.getDestMutable();
  } else if (auto destination = dyn_cast<DestinationStyleOpInterface>(op)) {
    dest = destination.getTiedOpOperand(result);
    // A dest that the op's body doesn't use may be dropped.
    auto linalg = dyn_cast<linalg::LinalgOp>(op);
    if (linalg && !linalg.payloadUsesValueFromOperand(dest))
      return nullptr;
  }
  if (!dest || dest->get().getParentBlock() != op->getBlock() ||
      !isLastUse(dest->get(), *dest, op))
    return nullptr;
  return dest;
}

Value scanweave::getBufferOrigin(Value value) {
  while (OpOperand *dest = getDest(value))
    value = dest->get();
  return value;
}

Value scanweave::getBufferRoot(Value value) {
  while (true) {
    value = getBufferOrigin(value);
    Operation *op = value.getDefiningOp();
    if (!op || !isa<tensor::ExtractSliceOp, tensor::CastOp,
                    tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      return value;
    value = op->getOperand(0);
  }
}
