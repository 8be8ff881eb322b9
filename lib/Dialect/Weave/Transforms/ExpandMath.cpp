// SPDX-License-Identifier: Apache-2.0
//
// weave-expand-math: functions of the math dialect become arithmetic whose bits
// do not depend on a library, a target or an optimisation level.

#include "scanweave/Dialect/Weave/Transforms/ElementFunctions.h"
#include "scanweave/Dialect/Weave/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

namespace scanweave {
#define GEN_PASS_DEF_EXPANDMATH
#include "scanweave/Dialect/Weave/Transforms/Passes.h.inc"
} // namespace scanweave

using namespace mlir;
using namespace scanweave;

namespace {

using Builder = Value (*)(ImplicitLocOpBuilder &, Value);

/// The expansion of `op`, or null.
Builder getExpansion(Operation *op) {
  return TypeSwitch<Operation *, Builder>(op)
      .Case([](math::ExpOp) { return &buildExp; })
      .Case([](math::ExpM1Op) { return &buildExpm1; })
      .Case([](math::LogOp) { return &buildLog; })
      .Case([](math::Log1pOp) { return &buildLog1p; })
      .Case([](math::TanhOp) { return &buildTanh; })
      .Default([](Operation *) { return nullptr; });
}

/// Whether IEEE 754 fixes the result, and instructions give it: nothing to do.
bool isExact(Operation *op) {
  return isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
             math::CountLeadingZerosOp, math::CountTrailingZerosOp,
             math::CtPopOp, math::FloorOp, math::FmaOp, math::IsFiniteOp,
             math::IsInfOp, math::IsNaNOp, math::IsNormalOp, math::RoundEvenOp,
             math::RoundOp, math::SqrtOp, math::TruncOp>(op);
}

/// Element by element: on scalars and vectors as they are, on tensors in the
/// body of a linalg.generic, which any shape has.
Value expand(ImplicitLocOpBuilder &b, Operation *op, Builder build) {
  Value x = op->getOperand(0);
  auto type = dyn_cast<RankedTensorType>(x.getType());
  if (!type)
    return build(b, x);
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(tensor::DimOp::create(b, x, dim));
  Value empty = tensor::EmptyOp::create(b, type, sizes);
  AffineMap identity = b.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, TypeRange{type}, ValueRange{x}, ValueRange{empty},
      ArrayRef<AffineMap>{identity, identity}, iterators,
      [&](OpBuilder &inner, Location loc, ValueRange arguments) {
        ImplicitLocOpBuilder body(loc, inner);
        linalg::YieldOp::create(body, build(body, arguments[0]));
      });
  return generic.getResult(0);
}

struct ExpandMath final : scanweave::impl::ExpandMathBase<ExpandMath> {
  using Base::Base;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    bool failed = false;
    getOperation()->walk([&](Operation *op) {
      if (!isa<math::MathDialect>(op->getDialect()) || isExact(op))
        return;
      Builder build = getExpansion(op);
      if (!build) {
        op->emitOpError() << "has no deterministic expansion: supported are "
                             "exp, expm1, log, log1p, tanh, sqrt, fma and the "
                             "rounding, sign and classification functions";
        failed = true;
        return;
      }
      Type type = op->getOperand(0).getType();
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!hasElementFunctions(tensor ? tensor.getElementType() : type)) {
        op->emitOpError() << "has a deterministic expansion for f32 and f64 "
                             "only, found "
                          << type;
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
