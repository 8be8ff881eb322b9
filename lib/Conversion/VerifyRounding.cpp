// SPDX-License-Identifier: Apache-2.0
//
// weave-verify-rounding: nothing is left that lets LLVM or a libm choose how a
// result is rounded.

#include "scanweave/Conversion/Passes.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSet.h"

namespace scanweave {
#define GEN_PASS_DEF_VERIFYROUNDING
#include "scanweave/Conversion/Passes.h.inc"
} // namespace scanweave

using namespace mlir;
using namespace scanweave;

static bool hasFloat(Type type) {
  if (auto record = dyn_cast<LLVM::LLVMStructType>(type))
    return !record.isOpaque() &&
           llvm::any_of(record.getBody(), [](Type t) { return hasFloat(t); });
  return isa<FloatType>(getElementTypeOrSelf(type));
}
static bool hasFloat(TypeRange types) {
  return llvm::any_of(types, [](Type type) { return hasFloat(type); });
}

/// Intrinsics on floats whose result IEEE 754 fixes to the bit (up to a NaN's
/// payload and sign). Whatever isn't here LLVM may turn into a libm call or
/// into what the target has.
static bool isExactIntrinsic(StringRef name) {
  static const llvm::StringSet<> exact = {
      "llvm.intr.fma",
      "llvm.intr.sqrt",
      "llvm.intr.fabs",
      "llvm.intr.copysign",
      "llvm.intr.floor",
      "llvm.intr.ceil",
      "llvm.intr.trunc",
      "llvm.intr.rint",
      "llvm.intr.nearbyint",
      "llvm.intr.round",
      "llvm.intr.roundeven",
      "llvm.intr.maximum",
      "llvm.intr.minimum",
      "llvm.intr.fptosi.sat",
      "llvm.intr.fptoui.sat",
      "llvm.intr.is.fpclass",
      "llvm.intr.vector.reduce.fmaximum",
      "llvm.intr.vector.reduce.fminimum",
      // Without reassoc these are chains in the order of the elements.
      "llvm.intr.vector.reduce.fadd",
      "llvm.intr.vector.reduce.fmul",
      // Move values only.
      "llvm.intr.masked.load",
      "llvm.intr.masked.store",
      "llvm.intr.masked.gather",
      "llvm.intr.masked.scatter",
      "llvm.intr.masked.expandload",
      "llvm.intr.masked.compressstore",
      "llvm.intr.vector.insert",
      "llvm.intr.vector.extract",
      "llvm.intr.vector.interleave2",
      "llvm.intr.vector.deinterleave2",
      "llvm.intr.vp.load",
      "llvm.intr.vp.store",
  };
  return exact.contains(name);
}

/// Functions of C's <math.h>, without the suffix for the type. `fmod` and
/// what else is exact by definition is not among them.
static bool isLibmFunction(StringRef name) {
  static const llvm::StringSet<> inexact = {
      "acos",   "acosh", "asin",  "asinh",  "atan", "atan2", "atanh",
      "cbrt",   "cos",   "cosh",  "erf",    "erfc", "exp",   "exp10",
      "exp2",   "expm1", "hypot", "lgamma", "log",  "log10", "log1p",
      "log2",   "pow",   "sin",   "sincos", "sinh", "tan",   "tanh",
      "tgamma", "j0",    "j1",    "y0",     "y1",   "sinpi", "cospi"};
  return inexact.contains(name) ||
         ((name.ends_with("f") || name.ends_with("l")) &&
          inexact.contains(name.drop_back()));
}

namespace {
class VerifyRounding final
    : public scanweave::impl::VerifyRoundingBase<VerifyRounding> {
  using Base::Base;

  LogicalResult check(Operation *op) {
    StringRef name = op->getName().getStringRef();
    if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
      return op->emitOpError("is left; its rounding is not decided: run "
                             "weave-expand-math and convert-math-to-llvm "
                             "before weave-verify-rounding");
    if (auto fast = dyn_cast<LLVM::FastmathFlagsInterface>(op)) {
      auto flags = fast.getFastmathAttr();
      if (flags && flags.getValue() != LLVM::FastmathFlags::none)
        return op->emitOpError("has the fast-math flags '")
               << LLVM::stringifyFastmathFlags(flags.getValue())
               << "', with which LLVM chooses the rounding";
    }
    if (isa<LLVM::FMulAddOp>(op))
      return op->emitOpError("rounds once or twice as the target likes; use "
                             "math.fma instead of vector.fma or "
                             "vector.contract");
    if (name.starts_with("llvm.intr.") && hasFloat(op->getResultTypes()) &&
        !isExactIntrinsic(name))
      return op->emitOpError(
          "has no result that is fixed to the bit; expand it before");
    if (auto intrinsic = dyn_cast<LLVM::CallIntrinsicOp>(op);
        intrinsic && hasFloat(op->getResultTypes())) {
      std::string inner = intrinsic.getIntrin().str();
      return op->emitOpError("calls '")
             << inner << "', of which nothing is known here";
    }
    if (auto call = dyn_cast<LLVM::CallOp>(op)) {
      std::optional<StringRef> callee = call.getCallee();
      if (callee && isLibmFunction(*callee) &&
          (hasFloat(op->getOperandTypes()) || hasFloat(op->getResultTypes())))
        return op->emitOpError("calls libm's '")
               << *callee << "', whose rounding differs between machines; run "
               << "weave-expand-math before";
    }
    if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
      return checkFunction(function);
    return success();
  }

  LogicalResult checkFunction(LLVM::LLVMFuncOp function) {
    auto complain = [&](StringRef attribute) {
      return function.emitOpError("has the attribute '")
             << attribute << "', with which LLVM chooses the rounding";
    };
    if (function.getNoInfsFpMath().value_or(false))
      return complain("no_infs_fp_math");
    if (function.getNoNansFpMath().value_or(false))
      return complain("no_nans_fp_math");
    if (function.getNoSignedZerosFpMath().value_or(false))
      return complain("no_signed_zeros_fp_math");
    if (std::optional<StringRef> contract = function.getFpContract();
        contract && *contract == "fast")
      return complain("fp_contract");
    return success();
  }

  void runOnOperation() override {
    // All of them are reported.
    bool ok = true;
    getOperation()->walk([&](Operation *op) { ok &= succeeded(check(op)); });
    if (!ok)
      signalPassFailure();
  }
};
} // namespace
