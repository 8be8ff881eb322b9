// SPDX-License-Identifier: Apache-2.0
//
// Batching of elementwise operations: on scalars they become elementwise on a
// tensor over the lanes, on tensors they get one more dimension.

#include "Rules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace scanweave;

Value scanweave::spreadScalar(Batcher &batcher, Location loc, Value scalar,
                              Value like) {
  SmallVector<OpFoldResult> extents = getExtents(batcher.b, loc, like);
  auto newDims = llvm::to_vector(llvm::seq<int64_t>(1, extents.size()));
  return createBroadcast(batcher.b, loc, scalar, extents, newDims);
}

LogicalResult scanweave::batchElementwise(Operation *op, Batcher &batcher) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(batcher.getBatched(operand));
  Operation *made = batcher.cloneBatched(op);
  made->setOperands(operands);
  for (auto [result, form] :
       llvm::zip_equal(op->getResults(), made->getResults()))
    batcher.map(result, form);
  return success();
}

namespace {

/// One condition may choose between whole tensors: the lanes' conditions are
/// then spread over them.
struct SelectRule
    : BatchableOpInterface::ExternalModel<SelectRule, arith::SelectOp> {
  LogicalResult batch(Operation *op, Batcher &batcher) const {
    auto select = cast<arith::SelectOp>(op);
    Value onTrue = batcher.getBatched(select.getTrueValue());
    Value onFalse = batcher.getBatched(select.getFalseValue());
    bool isOneForAll = !isa<ShapedType>(select.getCondition().getType()) &&
                       isa<ShapedType>(select.getType());
    Value condition = batcher.lookup(select.getCondition());
    if (!isOneForAll)
      condition = batcher.getBatched(select.getCondition());
    else if (batcher.isBatched(select.getCondition()))
      condition = spreadScalar(batcher, op->getLoc(), condition, onTrue);
    batcher.map(select, arith::SelectOp::create(batcher.b, op->getLoc(),
                                                condition, onTrue, onFalse));
    return success();
  }
};

} // namespace

void scanweave::registerArithBatching(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    arith::SelectOp::attachInterface<SelectRule>(*context);
  });
}
