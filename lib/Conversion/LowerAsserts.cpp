// SPDX-License-Identifier: Apache-2.0
//
// weave-lower-asserts: a failed assertion ends the program with a message.

#include "scanweave/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/raw_ostream.h"

namespace scanweave {
#define GEN_PASS_DEF_LOWERASSERTS
#include "scanweave/Conversion/Passes.h.inc"
} // namespace scanweave

using namespace mlir;

namespace {

/// The message with its place in the program, if it has one.
std::string located(cf::AssertOp op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto file = op.getLoc()->findInstanceOf<FileLineColLoc>())
    os << file.getFilename().getValue() << ':' << file.getLine() << ':'
       << file.getColumn() << ": ";
  os << op.getMsg();
  return text;
}

class LowerAsserts final
    : public scanweave::impl::LowerAssertsBase<LowerAsserts> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<cf::AssertOp> asserts;
    getOperation()->walk([&](cf::AssertOp op) { asserts.push_back(op); });
    for (auto [i, op] : llvm::enumerate(asserts))
      lower(op, i);
  }

  LLVM::LLVMFuncOp failFunction() {
    ModuleOp module = getOperation();
    if (auto function = module.lookupSymbol<LLVM::LLVMFuncOp>("scanweave_fail"))
      return function;
    OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
    auto type =
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(&getContext()),
                                    LLVM::LLVMPointerType::get(&getContext()));
    return LLVM::LLVMFuncOp::create(builder, module.getLoc(), "scanweave_fail",
                                    type);
  }

  void lower(cf::AssertOp op, size_t number) {
    LLVM::LLVMFuncOp fail = failFunction();
    IRRewriter rewriter(&getContext());
    rewriter.setInsertionPointToStart(getOperation().getBody());
    Location loc = op.getLoc();
    std::string text = located(op);
    text.push_back('\0');
    auto type = LLVM::LLVMArrayType::get(rewriter.getI8Type(), text.size());
    auto message = LLVM::GlobalOp::create(
        rewriter, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
        "scanweave_message_" + std::to_string(number),
        rewriter.getStringAttr(text));
    rewriter.setInsertionPoint(op);
    Value always = arith::ConstantIntOp::create(rewriter, loc, 1, 1);
    Value failed = arith::XOrIOp::create(rewriter, loc, op.getArg(), always);
    scf::IfOp::create(rewriter, loc, failed, [&](OpBuilder &builder, Location) {
      Value address = LLVM::AddressOfOp::create(builder, loc, message);
      LLVM::CallOp::create(builder, loc, fail, ValueRange{address});
      scf::YieldOp::create(builder, loc);
    });
    rewriter.eraseOp(op);
  }
};

} // namespace
