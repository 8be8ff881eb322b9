// SPDX-License-Identifier: Apache-2.0
//
// weave-make-total: every operation of arith that is undefined for some
// operands gets a value there, JAX's. It works on scalars, tensors and vectors
// alike, since arith.select and the comparisons do.

#include "scanweave/Dialect/Weave/IR/WeaveDialect.h"
#include "scanweave/Dialect/Weave/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace scanweave {
#define GEN_PASS_DEF_MAKETOTAL
#include "scanweave/Dialect/Weave/Transforms/Passes.h.inc"
} // namespace scanweave

using namespace mlir;
using namespace scanweave;

namespace {

/// On an operation whose operands are already guarded, so that the pass can run
/// again.
constexpr StringLiteral kTotal = "weave.total";

/// Makes constants and comparisons shaped like one value.
class Like {
public:
  Like(OpBuilder &builder, Value model)
      : b(model.getLoc(), builder), model(model) {}

  Value constant(const APInt &value) {
    return constant(value, getElementTypeOrSelf(model));
  }
  Value constant(const APInt &value, Type element) {
    return splat(b.getIntegerAttr(element, value));
  }
  Value constant(const APFloat &value) {
    return splat(FloatAttr::get(getElementTypeOrSelf(model), value));
  }
  Value compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(b, predicate, lhs, rhs);
  }
  Value compare(arith::CmpFPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpFOp::create(b, predicate, lhs, rhs);
  }
  Value select(Value condition, Value lhs, Value rhs) {
    return arith::SelectOp::create(b, condition, lhs, rhs);
  }

private:
  Value splat(TypedAttr element) {
    auto shaped = dyn_cast<ShapedType>(model.getType());
    if (!shaped)
      return arith::ConstantOp::create(b, element);
    shaped = shaped.clone(element.getType());
    if (shaped.hasStaticShape())
      return arith::ConstantOp::create(b,
                                       DenseElementsAttr::get(shaped, element));
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < shaped.getRank(); ++dim)
      if (shaped.isDynamicDim(dim))
        sizes.push_back(tensor::DimOp::create(b, model, dim));
    Value scalar = arith::ConstantOp::create(b, element);
    return tensor::SplatOp::create(b, scalar, shaped, sizes);
  }

  ImplicitLocOpBuilder b;
  Value model;
};

unsigned widthOf(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<IndexType>(element) ? IndexType::kInternalStorageBitWidth
                                 : element.getIntOrFloatBitWidth();
}

/// Whether `value` is a constant whose elements all satisfy `predicate`.
bool isConstantWhere(Value value, function_ref<bool(const APInt &)> predicate) {
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return false;
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return predicate(integer.getValue());
  if (auto elements = dyn_cast<DenseIntElementsAttr>(attribute))
    return llvm::all_of(elements.getValues<APInt>(), predicate);
  return false;
}

//===----------------------------------------------------------------------===//
// Division and remainder
//===----------------------------------------------------------------------===//

/// What a division gives where the divisor is zero.
enum class ByZero { allOnes, dividend };

/// Divides by 1 where the division is undefined. MIN / -1 is then MIN with a
/// remainder of 0, as it should be, and only division by zero needs a value of
/// its own.
void guardDivision(Operation *op, bool isSigned, ByZero byZero) {
  OpBuilder builder(op);
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  unsigned width = widthOf(rhs.getType());
  Like like(builder, rhs);
  APInt minimum = APInt::getSignedMinValue(width);
  bool neverZero =
      isConstantWhere(rhs, [](const APInt &c) { return !c.isZero(); });
  bool neverOverflows = !isSigned || isConstantWhere(rhs, [](const APInt &c) {
    return !c.isAllOnes();
  }) || isConstantWhere(lhs, [&](const APInt &c) { return c != minimum; });
  if (neverZero && neverOverflows)
    return;

  Value zero = like.constant(APInt::getZero(width));
  Value isZero = like.compare(arith::CmpIPredicate::eq, rhs, zero);
  if (width == 1) {
    // There is no safe divisor: 1 is -1. Dividing by it changes nothing.
    Value result;
    if (byZero == ByZero::allOnes)
      result = arith::OrIOp::create(builder, op->getLoc(), lhs, isZero);
    else
      result = arith::AndIOp::create(builder, op->getLoc(), lhs, isZero);
    op->replaceAllUsesWith(ValueRange{result});
    op->erase();
    return;
  }
  Value isUndefined = isZero;
  if (!neverOverflows) {
    Value least = like.constant(minimum);
    Value minusOne = like.constant(APInt::getAllOnes(width));
    Value isLeast = like.compare(arith::CmpIPredicate::eq, lhs, least);
    Value isMinusOne = like.compare(arith::CmpIPredicate::eq, rhs, minusOne);
    Value overflows =
        arith::AndIOp::create(builder, op->getLoc(), isLeast, isMinusOne);
    isUndefined =
        arith::OrIOp::create(builder, op->getLoc(), isZero, overflows);
  }
  Value one = like.constant(APInt(width, 1));
  op->setOperand(1, like.select(isUndefined, one, rhs));
  op->setAttr(kTotal, builder.getUnitAttr());
  if (neverZero)
    return;
  Value result = op->getResult(0);
  Value whenZero =
      byZero == ByZero::allOnes ? like.constant(APInt::getAllOnes(width)) : lhs;
  builder.setInsertionPointAfter(op);
  auto select =
      arith::SelectOp::create(builder, op->getLoc(), isZero, whenZero, result);
  result.replaceAllUsesExcept(select, select);
}

//===----------------------------------------------------------------------===//
// Shifts
//===----------------------------------------------------------------------===//

/// Shifts past the width: all bits leave, and an arithmetic shift leaves the
/// sign.
void guardShift(Operation *op) {
  OpBuilder builder(op);
  Value amount = op->getOperand(1);
  unsigned width = widthOf(amount.getType());
  if (isConstantWhere(amount, [&](const APInt &c) { return c.ult(width); }))
    return;
  Like like(builder, amount);
  op->setAttr(kTotal, builder.getUnitAttr());
  if (isa<arith::ShRSIOp>(op)) {
    Value most = like.constant(APInt(width, width - 1));
    op->setOperand(1,
                   arith::MinUIOp::create(builder, op->getLoc(), amount, most));
    return;
  }
  Value zero = like.constant(APInt::getZero(width));
  Value most = like.constant(APInt(width, width - 1));
  Value inRange = like.compare(arith::CmpIPredicate::ule, amount, most);
  op->setOperand(1, like.select(inRange, amount, zero));
  Value result = op->getResult(0);
  builder.setInsertionPointAfter(op);
  auto select =
      arith::SelectOp::create(builder, op->getLoc(), inRange, result, zero);
  result.replaceAllUsesExcept(select, select);
}

//===----------------------------------------------------------------------===//
// Float to integer
//===----------------------------------------------------------------------===//

/// 2^exponent, negated if asked for, or infinity where the format ends before.
APFloat power(const llvm::fltSemantics &semantics, int exponent,
              bool negative) {
  APFloat one = APFloat::getOne(semantics, negative);
  return scalbn(one, exponent, APFloat::rmNearestTiesToEven);
}

/// Saturates; NaN gives 0.
void guardFloatToInt(Operation *op, bool isSigned) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value input = op->getOperand(0), result = op->getResult(0);
  // Narrow formats are widened, which is exact, so that the bounds are numbers
  // of the format.
  Type element = getElementTypeOrSelf(input);
  if (element.getIntOrFloatBitWidth() < 32) {
    Type wide = builder.getF32Type();
    if (auto shaped = dyn_cast<ShapedType>(input.getType()))
      wide = shaped.clone(wide);
    input = arith::ExtFOp::create(builder, loc, wide, input);
  }
  const llvm::fltSemantics &semantics =
      cast<FloatType>(getElementTypeOrSelf(input)).getFloatSemantics();
  unsigned width = widthOf(result.getType());
  APInt least =
      isSigned ? APInt::getSignedMinValue(width) : APInt::getZero(width);
  APInt most =
      isSigned ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width);
  APFloat low = isSigned ? power(semantics, width - 1, /*negative=*/true)
                         : APFloat::getZero(semantics);
  APFloat high =
      power(semantics, isSigned ? width - 1 : width, /*negative=*/false);

  // The lower bound itself counts as too low: it gives the least integer
  // anyway, and where the bound is -inf it has to.
  Like like(builder, input);
  Value lowest = like.constant(low), limit = like.constant(high);
  Value zero = like.constant(APFloat::getZero(semantics));
  Value tooLow = like.compare(arith::CmpFPredicate::OLE, input, lowest);
  Value tooHigh = like.compare(arith::CmpFPredicate::OGE, input, limit);
  Value above = like.compare(arith::CmpFPredicate::OGT, input, lowest);
  Value below = like.compare(arith::CmpFPredicate::OLT, input, limit);
  Value inRange = arith::AndIOp::create(builder, loc, above, below);
  op->setOperand(0, like.select(inRange, input, zero));
  op->setAttr(kTotal, builder.getUnitAttr());

  Type integer = getElementTypeOrSelf(result);
  Value mostConstant = like.constant(most, integer);
  Value leastConstant = isSigned ? like.constant(least, integer) : Value();

  builder.setInsertionPointAfter(op);
  Value total = result;
  SmallPtrSet<Operation *, 2> selects;
  auto choose = [&](Value condition, Value bound) {
    auto select =
        arith::SelectOp::create(builder, loc, condition, bound, total);
    selects.insert(select);
    total = select;
  };
  if (isSigned)
    choose(tooLow, leastConstant);
  choose(tooHigh, mostConstant);
  result.replaceAllUsesExcept(total, selects);
}

//===----------------------------------------------------------------------===//
// The rest
//===----------------------------------------------------------------------===//

/// Flags that make a result undefined where a promise does not hold: no
/// wrap-around, exactness, non-negative operands, no NaN and so on.
void dropPromises(Operation *op) {
  auto wraps = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  if (wraps && wraps.getOverflowAttr())
    op->setAttr(wraps.getIntegerOverflowAttrName(),
                arith::IntegerOverflowFlagsAttr::get(
                    op->getContext(), arith::IntegerOverflowFlags::none));
  auto isFast = dyn_cast<arith::ArithFastMathInterface>(op);
  if (isFast && isFast.getFastMathFlagsAttr())
    op->setAttr(isFast.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(op->getContext(),
                                              arith::FastMathFlags::none));
  TypeSwitch<Operation *>(op)
      .Case<arith::DivSIOp, arith::DivUIOp, arith::ShRSIOp, arith::ShRUIOp>(
          [](auto exact) { exact.setIsExact(false); });
}

/// The number where one is NaN; of two zeros, as `Extremum` (IEEE's maximum or
/// minimum) has it, where arith leaves the choice open.
template <typename Extremum> void expandNumberExtremum(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  Like like(builder, lhs);
  Value total = Extremum::create(builder, loc, lhs, rhs);
  Value rhsIsNaN = like.compare(arith::CmpFPredicate::UNO, rhs, rhs);
  total = like.select(rhsIsNaN, lhs, total);
  Value lhsIsNaN = like.compare(arith::CmpFPredicate::UNO, lhs, lhs);
  total = like.select(lhsIsNaN, rhs, total);
  op->replaceAllUsesWith(ValueRange{total});
  op->erase();
}

/// Operations of the index dialect have the same holes: they take arith's form.
template <typename Arith> Operation *toArith(Operation *op) {
  OpBuilder builder(op);
  auto made = Arith::create(builder, op->getLoc(), op->getOperand(0),
                            op->getOperand(1));
  op->replaceAllUsesWith(made);
  op->erase();
  return made;
}

Operation *indexToArith(Operation *op) {
  return TypeSwitch<Operation *, Operation *>(op)
      .Case([](index::DivSOp o) { return toArith<arith::DivSIOp>(o); })
      .Case([](index::DivUOp o) { return toArith<arith::DivUIOp>(o); })
      .Case([](index::CeilDivSOp o) { return toArith<arith::CeilDivSIOp>(o); })
      .Case([](index::CeilDivUOp o) { return toArith<arith::CeilDivUIOp>(o); })
      .Case(
          [](index::FloorDivSOp o) { return toArith<arith::FloorDivSIOp>(o); })
      .Case([](index::RemSOp o) { return toArith<arith::RemSIOp>(o); })
      .Case([](index::RemUOp o) { return toArith<arith::RemUIOp>(o); })
      .Case([](index::ShlOp o) { return toArith<arith::ShLIOp>(o); })
      .Case([](index::ShrSOp o) { return toArith<arith::ShRSIOp>(o); })
      .Case([](index::ShrUOp o) { return toArith<arith::ShRUIOp>(o); })
      .Default([](Operation *other) { return other; });
}

class MakeTotal final : public scanweave::impl::MakeTotalBase<MakeTotal> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (!op->hasAttr(kTotal))
        ops.push_back(op);
    });
    for (Operation *op : ops)
      makeTotal(op);
  }

  void makeTotal(Operation *op) {
    op = indexToArith(op);
    dropPromises(op);
    if (isa<arith::DivSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp>(op))
      guardDivision(op, /*isSigned=*/true, ByZero::allOnes);
    else if (isa<arith::DivUIOp, arith::CeilDivUIOp>(op))
      guardDivision(op, /*isSigned=*/false, ByZero::allOnes);
    else if (isa<arith::RemSIOp>(op))
      guardDivision(op, /*isSigned=*/true, ByZero::dividend);
    else if (isa<arith::RemUIOp>(op))
      guardDivision(op, /*isSigned=*/false, ByZero::dividend);
    else if (isa<arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op))
      guardShift(op);
    else if (isa<arith::FPToSIOp>(op))
      guardFloatToInt(op, /*isSigned=*/true);
    else if (isa<arith::FPToUIOp>(op))
      guardFloatToInt(op, /*isSigned=*/false);
    else if (isa<arith::MaxNumFOp>(op))
      expandNumberExtremum<arith::MaximumFOp>(op);
    else if (isa<arith::MinNumFOp>(op))
      expandNumberExtremum<arith::MinimumFOp>(op);
  }
};

} // namespace
