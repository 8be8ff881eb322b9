// SPDX-License-Identifier: Apache-2.0
//
// weave-expand-math: functions of the math dialect become arithmetic whose bits
// do not depend on a library, a target or an optimisation level.

#include "EqualExtents.h"

#include "scanweave/Dialect/Weave/Transforms/ElementFunctions.h"
#include "scanweave/Dialect/Weave/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

namespace scanweave {
#define GEN_PASS_DEF_EXPANDMATH
#include "scanweave/Dialect/Weave/Transforms/Passes.h.inc"
} // namespace scanweave

using namespace mlir;
using namespace scanweave;

namespace {

/// Emits one element of a result.
using Builder = Value (*)(ImplicitLocOpBuilder &, ValueRange);

struct Expansion {
  StringRef operation;
  Builder build;
};

template <typename Op, Value (*build)(ImplicitLocOpBuilder &, Value)>
Expansion unary() {
  return {Op::getOperationName(),
          [](ImplicitLocOpBuilder &b, ValueRange operands) {
            return build(b, operands[0]);
          }};
}

template <typename Op, Value (*build)(ImplicitLocOpBuilder &, Value, Value)>
Expansion binary() {
  return {Op::getOperationName(),
          [](ImplicitLocOpBuilder &b, ValueRange operands) {
            return build(b, operands[0], operands[1]);
          }};
}

ArrayRef<Expansion> getExpansions() {
  static const Expansion expansions[] = {
      unary<math::AcosOp, buildAcos>(),   unary<math::AcoshOp, buildAcosh>(),
      unary<math::AsinOp, buildAsin>(),   unary<math::AsinhOp, buildAsinh>(),
      unary<math::AtanOp, buildAtan>(),   binary<math::Atan2Op, buildAtan2>(),
      unary<math::AtanhOp, buildAtanh>(), unary<math::CbrtOp, buildCbrt>(),
      unary<math::CosOp, buildCos>(),     unary<math::CoshOp, buildCosh>(),
      unary<math::ErfOp, buildErf>(),     unary<math::ErfcOp, buildErfc>(),
      unary<math::ExpOp, buildExp>(),     unary<math::Exp2Op, buildExp2>(),
      unary<math::ExpM1Op, buildExpm1>(), binary<math::FPowIOp, buildFpowi>(),
      unary<math::LogOp, buildLog>(),     unary<math::Log10Op, buildLog10>(),
      unary<math::Log1pOp, buildLog1p>(), unary<math::Log2Op, buildLog2>(),
      binary<math::PowFOp, buildPow>(),   unary<math::RsqrtOp, buildRsqrt>(),
      unary<math::SinOp, buildSin>(),     unary<math::SinhOp, buildSinh>(),
      unary<math::TanOp, buildTan>(),     unary<math::TanhOp, buildTanh>(),
  };
  return expansions;
}

/// The expansion of `op`, or null.
Builder getExpansion(Operation *op) {
  StringRef name = op->getName().getStringRef();
  for (const Expansion &expansion : getExpansions())
    if (expansion.operation == name)
      return expansion.build;
  return nullptr;
}

/// The functions that have an expansion, for a message.
std::string listExpansions() {
  std::string names;
  for (const Expansion &expansion : getExpansions())
    names += (expansion.operation.split('.').second + ", ").str();
  return names;
}

/// Whether IEEE 754 fixes the result, and instructions give it: nothing to do.
bool isExact(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
             math::CountLeadingZerosOp, math::CountTrailingZerosOp,
             math::CtPopOp, math::FloorOp, math::FmaOp, math::IsFiniteOp,
             math::IsInfOp, math::IsNaNOp, math::IsNormalOp, math::RoundEvenOp,
             math::RoundOp, math::SqrtOp, math::TruncOp>(op);
}

/// Scalars and vectors; floats of 16 bits by way of f32.
Value expandElements(ImplicitLocOpBuilder &b, Builder build, Type type,
                     ValueRange operands) {
  Type element = getElementTypeOrSelf(type);
  if (!element.isF16() && !element.isBF16())
    return build(b, operands);
  SmallVector<Value> wide;
  for (Value operand : operands) {
    Type narrow = operand.getType();
    if (isa<FloatType>(getElementTypeOrSelf(narrow))) {
      auto vector = dyn_cast<VectorType>(narrow);
      Type f32 = b.getF32Type();
      operand =
          arith::ExtFOp::create(b, vector ? vector.clone(f32) : f32, operand);
    }
    wide.push_back(operand);
  }
  return arith::TruncFOp::create(b, type, build(b, wide));
}

/// On tensors, in the body of a linalg.generic, which any shape has.
Value expand(ImplicitLocOpBuilder &b, Operation *op, Builder build) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type)
    return expandElements(b, build, op->getResult(0).getType(),
                          op->getOperands());
  SmallVector<Value> tensors(op->getOperands());
  checkEqualExtents(b, b.getLoc(), tensors);
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(tensor::DimOp::create(b, tensors[0], dim));
  Value empty = tensor::EmptyOp::create(b, type, sizes);
  SmallVector<AffineMap> maps(tensors.size() + 1,
                              b.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, TypeRange{type}, tensors, ValueRange{empty}, maps, iterators,
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        ImplicitLocOpBuilder body(loc, inner);
        linalg::YieldOp::create(body, expandElements(body, build,
                                                     type.getElementType(),
                                                     arguments.drop_back()));
      });
  return generic.getResult(0);
}

/// Whether there are expansions for numbers of `type`: f16, bf16, f32, f64, and
/// vectors and ranked tensors of these.
bool isSupported(Type type) {
  if (isa<VectorType, RankedTensorType>(type))
    type = cast<ShapedType>(type).getElementType();
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64();
}

/// Sine and cosine at once become one each; they share the reduction of the
/// angle once equal operations are one.
void splitSincos(IRRewriter &rewriter, math::SincosOp op) {
  rewriter.setInsertionPoint(op);
  Value sine = math::SinOp::create(rewriter, op.getLoc(), op.getOperand());
  Value cosine = math::CosOp::create(rewriter, op.getLoc(), op.getOperand());
  rewriter.replaceOp(op, {sine, cosine});
}

struct ExpandMath final : scanweave::impl::ExpandMathBase<ExpandMath> {
  using Base::Base;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](math::SincosOp op) { splitSincos(rewriter, op); });
    bool failed = false;
    getOperation()->walk(
        [&](Operation *op) {
          if (!isa<math::MathDialect>(op->getDialect()) || isExact(op))
            return;
          Builder build = getExpansion(op);
          if (!build) {
            op->emitOpError()
                << "has no deterministic expansion: supported are "
                << listExpansions()
                << "sqrt, fma and the rounding, sign and "
                   "classification functions";
            failed = true;
            return;
          }
          Type type = op->getResult(0).getType();
          if (!isSupported(type)) {
            op->emitOpError()
                << "has a deterministic expansion for f16, bf16, f32 "
                   "and f64 only, found "
                << type;
            failed = true;
            return;
          }
          // A longer exponent has digits that f64 would round away.
          Type exponent = getElementTypeOrSelf(op->getOperands().back());
          if (exponent.isInteger() && exponent.getIntOrFloatBitWidth() > 32) {
            op->emitOpError()
                << "has a deterministic expansion for exponents of at "
                   "most 32 bits only, found "
                << exponent;
            failed = true;
            return;
          }
          ImplicitLocOpBuilder b(op->getLoc(), rewriter);
          b.setInsertionPoint(op);
          rewriter.replaceOp(op, expand(b, op, build));
        });
    if (failed)
      signalPassFailure();
  }
};

} // namespace
