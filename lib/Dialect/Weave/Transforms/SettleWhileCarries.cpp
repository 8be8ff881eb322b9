// SPDX-License-Identifier: Apache-2.0
//
// Gives each carry of a while loop one buffer. How often such a loop runs is
// not known, so that its carries do not rotate through buffers: what is not
// computed in the carry's buffer is copied there.

#include "CarryBuffers.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace scanweave;

/// Whether a value certainly lies in a buffer of its own, which no carry
/// shares.
static bool isFresh(Value value) {
  return getBufferOrigin(value).getDefiningOp<tensor::EmptyOp>() != nullptr;
}

/// Copies the values that a block hands on, where they do not lie in the
/// buffer of the argument at the same position, to that buffer.
static void settleValues(Block &block, MutableOperandRange values) {
  Operation *terminator = block.getTerminator();
  OpBuilder builder(terminator);
  Location loc = terminator->getLoc();
  SmallVector<std::pair<OpOperand *, BlockArgument>> moved;
  for (auto [operand, argument] : llvm::zip(values, block.getArguments()))
    if (isa<RankedTensorType>(operand.get().getType()) &&
        operand.get().getType() == argument.getType() &&
        getBufferOrigin(operand.get()) != argument)
      moved.push_back({&operand, argument});
  // Out of the other carries' way, before any of them is overwritten.
  if (moved.size() > 1)
    for (auto [operand, argument] : moved)
      if (Value value = operand->get(); !isFresh(value))
        operand->set(
            copyInto(builder, loc, value, makeEmptyLike(builder, loc, value)));
  for (auto [operand, argument] : moved)
    operand->set(copyInto(builder, loc, operand->get(), argument));
}

void scanweave::settleCarries(scf::WhileOp loop) {
  settleValues(*loop.getBeforeBody(), loop.getConditionOp().getArgsMutable());
  settleValues(*loop.getAfterBody(), loop.getYieldOp().getResultsMutable());
}
