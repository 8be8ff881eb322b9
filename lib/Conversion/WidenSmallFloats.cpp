// SPDX-License-Identifier: Apache-2.0
//
// weave-widen-small-floats: arithmetic on f16 and bf16 that not every
// instruction set has, or rounds in the same way.

#include "scanweave/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace scanweave {
#define GEN_PASS_DEF_WIDENSMALLFLOATS
#include "scanweave/Conversion/Passes.h.inc"
} // namespace scanweave

using namespace mlir;

/// The f32 form of a float that is smaller, null for all other types.
static Type getWide(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (!element.isF16() && !element.isBF16())
    return {};
  Type f32 = Float32Type::get(type.getContext());
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? shaped.clone(f32) : f32;
}

/// Whether not every processor does `op` the same way, or at all.
static bool wantsWide(Operation *op) {
  if (isa<arith::ConstantOp, arith::ExtFOp, arith::TruncFOp, arith::BitcastOp,
          arith::SelectOp, arith::NegFOp>(op))
    return false;
  bool isFunction = isa_and_nonnull<math::MathDialect>(op->getDialect());
  if (!isFunction && !isa_and_nonnull<arith::ArithDialect>(op->getDialect()))
    return false;
  auto isUnsafe = [&](Type type) {
    return isFunction ? getWide(type) != Type()
                      : getElementTypeOrSelf(type).isBF16();
  };
  return llvm::any_of(op->getOperandTypes(), isUnsafe) ||
         llvm::any_of(op->getResultTypes(), isUnsafe);
}

/// `op` in f32, its result rounded once more. Rounding after each operation,
/// unlike upstream's emulation, is what the program says.
static void widen(Operation *op, RewriterBase &rewriter) {
  rewriter.setInsertionPoint(op);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    Type wide = getWide(operand.getType());
    operands.push_back(
        wide ? arith::ExtFOp::create(rewriter, op->getLoc(), wide, operand)
             : operand);
  }
  Type type = op->getResult(0).getType(), wide = getWide(type);
  Operation *inF32 =
      rewriter.create(op->getLoc(), op->getName().getIdentifier(), operands,
                      wide ? wide : type, op->getAttrs());
  if (wide)
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, inF32->getResult(0));
  else
    rewriter.replaceOp(op, inF32);
}

namespace {
class WidenSmallFloats final
    : public scanweave::impl::WidenSmallFloatsBase<WidenSmallFloats> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (wantsWide(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops)
      widen(op, rewriter);
    // Conversions become arithmetic on the bits.
    RewritePatternSet patterns(&getContext());
    arith::populateExpandBFloat16Patterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
