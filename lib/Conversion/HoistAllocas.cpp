// SPDX-License-Identifier: Apache-2.0
//
// weave-hoist-allocas: stack buffers are made once a call, in a bounded stack.

#include "scanweave/Conversion/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

namespace scanweave {
#define GEN_PASS_DEF_HOISTALLOCAS
#include "scanweave/Conversion/Passes.h.inc"
} // namespace scanweave

using namespace mlir;

namespace {

int64_t bytesOf(MemRefType type) {
  return type.getNumElements() *
         static_cast<int64_t>(
             DataLayout().getTypeSize(type.getElementType()).getFixedValue());
}

class HoistAllocas final
    : public scanweave::impl::HoistAllocasBase<HoistAllocas> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isExternal())
      return;
    SmallVector<memref::AllocaOp> allocas;
    function.walk([&](memref::AllocaOp op) {
      if (op.getType().hasStaticShape() && op.getSymbolOperands().empty())
        allocas.push_back(op);
    });
    int64_t left = maxBytes;
    IRRewriter rewriter(&getContext());
    SmallVector<Value> heap;
    for (memref::AllocaOp op : allocas) {
      rewriter.setInsertionPointToStart(&function.front());
      int64_t bytes = bytesOf(op.getType());
      if (bytes <= left) {
        left -= bytes;
        rewriter.moveOpBefore(op, &function.front(), function.front().begin());
        continue;
      }
      heap.push_back(memref::AllocOp::create(
          rewriter, op.getLoc(), op.getType(), op.getAlignmentAttr()));
      rewriter.replaceOp(op, heap.back());
    }
    function.walk([&](func::ReturnOp end) {
      rewriter.setInsertionPoint(end);
      for (Value buffer : heap)
        memref::DeallocOp::create(rewriter, end.getLoc(), buffer);
    });
  }
};

} // namespace
