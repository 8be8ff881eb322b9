// SPDX-License-Identifier: Apache-2.0
//
// weave-lower-elementwise: arithmetic on tensors becomes linalg.generic.

#include "EqualExtents.h"

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"
#include "scanweave/Dialect/Weave/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace scanweave {
#define GEN_PASS_DEF_LOWERELEMENTWISE
#include "scanweave/Dialect/Weave/Transforms/Passes.h.inc"
} // namespace scanweave

using namespace mlir;
using namespace scanweave;

namespace {

/// Numbers among the operands, such as the condition of a selection, are for
/// all elements.
bool isElementwiseOnTensors(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) &&
         op->getNumResults() == 1 &&
         llvm::any_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>) &&
         isa<RankedTensorType>(op->getResult(0).getType()) &&
         llvm::none_of(op->getOperandTypes(),
                       llvm::IsaPred<UnrankedTensorType, VectorType>);
}

class LowerElementwise final
    : public scanweave::impl::LowerElementwiseBase<LowerElementwise> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isElementwiseOnTensors(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops) {
      rewriter.setInsertionPoint(op);
      lower(op, rewriter);
    }
  }

  void lower(Operation *op, IRRewriter &rewriter) {
    Location loc = op->getLoc();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    SmallVector<Value> tensors;
    for (Value operand : op->getOperands())
      if (isa<RankedTensorType>(operand.getType()))
        tensors.push_back(operand);
    checkEqualExtents(rewriter, loc, tensors);
    // The result gets a destination of its own. With one of the operands in
    // its place, bufferization would see a write to that.
    Value dest = tensor::EmptyOp::create(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, tensors.front()),
        type.getElementType());
    AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
    SmallVector<AffineMap> maps(tensors.size() + 1, identity);
    SmallVector<utils::IteratorType> iterators(type.getRank(),
                                               utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        rewriter, loc, type, tensors, dest, maps, iterators,
        [&](OpBuilder &builder, Location, ValueRange elements) {
          SmallVector<Value> operands(op->getOperands());
          auto element = elements.begin();
          for (Value &operand : operands)
            if (isa<RankedTensorType>(operand.getType()))
              operand = *element++;
          Operation *scalar =
              builder.create(loc, op->getName().getIdentifier(), operands,
                             type.getElementType(), op->getAttrs());
          linalg::YieldOp::create(builder, loc, scalar->getResults());
        });
    rewriter.replaceOp(op, generic);
  }
};

} // namespace
