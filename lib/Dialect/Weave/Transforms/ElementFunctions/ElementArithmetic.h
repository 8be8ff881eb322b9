// SPDX-License-Identifier: Apache-2.0
//
// A short notation for the arithmetic of the element functions, on floats of
// one format (scalars or vectors) and the integers that hold their bits.

#ifndef SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_ELEMENTFUNCTIONS_ELEMENTARITHMETIC_H
#define SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_ELEMENTFUNCTIONS_ELEMENTARITHMETIC_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace scanweave {

class ElementArithmetic {
public:
  /// Floats of `type`: f32, f64 or a vector of these.
  ElementArithmetic(mlir::ImplicitLocOpBuilder &b, mlir::Type type)
      : b(b), real(type),
        format(mlir::cast<mlir::FloatType>(mlir::getElementTypeOrSelf(type))),
        integer(shapedLike(b.getIntegerType(format.getWidth()))) {}

  bool isDouble() const { return format.isF64(); }
  /// The digits of the significand that are stored.
  unsigned fractionBits() const { return isDouble() ? 52 : 23; }
  int64_t exponentBias() const { return isDouble() ? 1023 : 127; }
  /// Bits of 1.0.
  int64_t oneBits() const { return exponentBias() << fractionBits(); }

  /// The least positive normal number.
  double leastNormal() const { return isDouble() ? 0x1p-1022 : 0x1p-126; }

  /// The arithmetic on f64s for numbers of this one's shape, for functions of
  /// f32 whose intermediate results need more than its digits.
  ElementArithmetic inDouble() {
    return ElementArithmetic(b, shapedLike(b.getF64Type()));
  }
  /// `x`, a float of no more digits, in this format.
  mlir::Value extend(mlir::Value x) {
    return mlir::arith::ExtFOp::create(b, real, x);
  }
  /// `x`, a float of no fewer digits, rounded to this format.
  mlir::Value round(mlir::Value x) {
    return mlir::arith::TruncFOp::create(b, real, x);
  }

  /// A constant that the format holds exactly.
  mlir::Value constant(double value) {
    llvm::APFloat exact(value);
    bool loses = false;
    exact.convert(format.getFloatSemantics(),
                  llvm::APFloat::rmNearestTiesToEven, &loses);
    assert(!loses && "a constant of the element functions must be exact");
    return splat(real, b.getFloatAttr(format, exact));
  }
  mlir::Value infinity(bool negative = false) {
    return splat(real, b.getFloatAttr(
                           format, llvm::APFloat::getInf(
                                       format.getFloatSemantics(), negative)));
  }
  mlir::Value nan() {
    return splat(real, b.getFloatAttr(format, llvm::APFloat::getNaN(
                                                  format.getFloatSemantics())));
  }
  mlir::Value bitsConstant(int64_t value) {
    return splat(integer,
                 b.getIntegerAttr(mlir::getElementTypeOrSelf(integer), value));
  }

  mlir::Value add(mlir::Value x, mlir::Value y) {
    return mlir::arith::AddFOp::create(b, x, y);
  }
  mlir::Value sub(mlir::Value x, mlir::Value y) {
    return mlir::arith::SubFOp::create(b, x, y);
  }
  mlir::Value mul(mlir::Value x, mlir::Value y) {
    return mlir::arith::MulFOp::create(b, x, y);
  }
  mlir::Value div(mlir::Value x, mlir::Value y) {
    return mlir::arith::DivFOp::create(b, x, y);
  }
  mlir::Value neg(mlir::Value x) { return mlir::arith::NegFOp::create(b, x); }
  mlir::Value abs(mlir::Value x) { return mlir::math::AbsFOp::create(b, x); }
  mlir::Value trunc(mlir::Value x) { return mlir::math::TruncOp::create(b, x); }
  mlir::Value sqrt(mlir::Value x) { return mlir::math::SqrtOp::create(b, x); }
  mlir::Value copySign(mlir::Value magnitude, mlir::Value sign) {
    return mlir::math::CopySignOp::create(b, magnitude, sign);
  }
  /// x * y + z, rounded once.
  mlir::Value fma(mlir::Value x, mlir::Value y, mlir::Value z) {
    return mlir::math::FmaOp::create(b, x, y, z);
  }

  mlir::Value addBits(mlir::Value x, mlir::Value y) {
    return mlir::arith::AddIOp::create(b, x, y);
  }
  mlir::Value subBits(mlir::Value x, mlir::Value y) {
    return mlir::arith::SubIOp::create(b, x, y);
  }
  mlir::Value mulBits(mlir::Value x, mlir::Value y) {
    return mlir::arith::MulIOp::create(b, x, y);
  }
  /// The smaller one, as signed integers.
  mlir::Value minBits(mlir::Value x, mlir::Value y) {
    return mlir::arith::MinSIOp::create(b, x, y);
  }
  /// The greater one, as signed integers.
  mlir::Value maxBits(mlir::Value x, mlir::Value y) {
    return mlir::arith::MaxSIOp::create(b, x, y);
  }
  mlir::Value orBits(mlir::Value x, mlir::Value y) {
    return mlir::arith::OrIOp::create(b, x, y);
  }
  mlir::Value xorBits(mlir::Value x, mlir::Value y) {
    return mlir::arith::XOrIOp::create(b, x, y);
  }
  mlir::Value andBits(mlir::Value x, mlir::Value y) {
    return mlir::arith::AndIOp::create(b, x, y);
  }
  mlir::Value shiftLeft(mlir::Value x, int64_t by) {
    return mlir::arith::ShLIOp::create(b, x, bitsConstant(by));
  }
  /// Copies the sign in from the left.
  mlir::Value shiftRight(mlir::Value x, int64_t by) {
    return mlir::arith::ShRSIOp::create(b, x, bitsConstant(by));
  }

  /// Fills up with zeros from the left.
  mlir::Value shiftRightZeros(mlir::Value x, mlir::Value by) {
    return mlir::arith::ShRUIOp::create(b, x, by);
  }
  mlir::Value shiftRightZeros(mlir::Value x, int64_t by) {
    return shiftRightZeros(x, bitsConstant(by));
  }
  mlir::Value shiftLeft(mlir::Value x, mlir::Value by) {
    return mlir::arith::ShLIOp::create(b, x, by);
  }
  /// Whether any of `bits` is set in `x`.
  mlir::Value hasBits(mlir::Value x, int64_t bits) {
    return mlir::arith::CmpIOp::create(b, mlir::arith::CmpIPredicate::ne,
                                       andBits(x, bitsConstant(bits)),
                                       bitsConstant(0));
  }

  mlir::Value bitsOf(mlir::Value x) {
    return mlir::arith::BitcastOp::create(b, integer, x);
  }
  mlir::Value fromBits(mlir::Value bits) {
    return mlir::arith::BitcastOp::create(b, real, bits);
  }
  mlir::Value toReal(mlir::Value signedInteger) {
    return mlir::arith::SIToFPOp::create(b, real, signedInteger);
  }

  mlir::Value compare(mlir::arith::CmpFPredicate predicate, mlir::Value x,
                      mlir::Value y) {
    return mlir::arith::CmpFOp::create(b, predicate, x, y);
  }
  mlir::Value isLess(mlir::Value x, mlir::Value y) {
    return compare(mlir::arith::CmpFPredicate::OLT, x, y);
  }
  mlir::Value isEqual(mlir::Value x, mlir::Value y) {
    return compare(mlir::arith::CmpFPredicate::OEQ, x, y);
  }
  mlir::Value andAlso(mlir::Value x, mlir::Value y) {
    return mlir::arith::AndIOp::create(b, x, y);
  }
  mlir::Value orElse(mlir::Value x, mlir::Value y) {
    return mlir::arith::OrIOp::create(b, x, y);
  }
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y) {
    return mlir::arith::SelectOp::create(b, condition, x, y);
  }

  /// coefficients[0] + coefficients[1] * x + ..., by Horner's rule.
  mlir::Value horner(mlir::Value x, llvm::ArrayRef<double> coefficients) {
    mlir::Value sum = constant(coefficients.back());
    for (double coefficient : llvm::reverse(coefficients.drop_back()))
      sum = fma(sum, x, constant(coefficient));
    return sum;
  }
  /// The same, by Horner's rule for the lower and for the upper half of the
  /// powers (Estrin 1960, one level): half as long a chain of dependent
  /// operations, for a few more.
  mlir::Value inHalves(mlir::Value x, llvm::ArrayRef<double> coefficients) {
    size_t half = llvm::PowerOf2Ceil(coefficients.size()) / 2;
    mlir::Value power = x;
    for (size_t n = 1; n < half; n *= 2)
      power = mul(power, power);
    return fma(horner(x, coefficients.drop_front(half)), power,
               horner(x, coefficients.take_front(half)));
  }
  /// The same, by Horner's rule in x^2 for the even and for the odd powers:
  /// half as long a chain of dependent operations, for one more operation. For
  /// |x| below 1/2 or so only, as the two halves cancel otherwise.
  mlir::Value polynomial(mlir::Value x, llvm::ArrayRef<double> coefficients) {
    mlir::Value square = mul(x, x);
    mlir::Value even = everyOther(square, coefficients);
    mlir::Value odd = everyOther(square, coefficients.drop_front());
    return fma(odd, x, even);
  }

  /// The integer e with x = 2^e * m and m in [sqrt(1/2), sqrt(2)), as bits. Of
  /// a positive normal number; anything else gives some number.
  mlir::Value exponentOf(mlir::Value x) {
    return shiftRight(fromRoot(x), fractionBits());
  }
  /// The same number's m - 1, exact.
  mlir::Value fractionOf(mlir::Value x) {
    mlir::Value field =
        andBits(fromRoot(x), bitsConstant(-(int64_t(1) << fractionBits())));
    return sub(fromBits(subBits(bitsOf(x), field)), constant(1.0));
  }

private:
  /// coefficients[0] + coefficients[2] * square + ...
  mlir::Value everyOther(mlir::Value square,
                         llvm::ArrayRef<double> coefficients) {
    size_t last = (coefficients.size() - 1) / 2 * 2;
    mlir::Value sum = constant(coefficients[last]);
    for (size_t i = last; i > 0; i -= 2)
      sum = fma(sum, square, constant(coefficients[i - 2]));
    return sum;
  }

  /// The bits of `x`, counted from those of sqrt(1/2): the exponent field is
  /// then `exponentOf`.
  mlir::Value fromRoot(mlir::Value x) {
    return subBits(bitsOf(x),
                   bitsConstant(isDouble() ? 0x3fe6a09e667f3bcd : 0x3f3504f3));
  }
  mlir::Type shapedLike(mlir::Type element) {
    auto vector = mlir::dyn_cast<mlir::VectorType>(real);
    return vector ? mlir::Type(vector.clone(element)) : element;
  }
  mlir::Value splat(mlir::Type type, mlir::TypedAttr element) {
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(type))
      return mlir::arith::ConstantOp::create(
          b, mlir::DenseElementsAttr::get(vector, element));
    return mlir::arith::ConstantOp::create(b, element);
  }

  mlir::ImplicitLocOpBuilder &b;
  mlir::Type real;
  mlir::FloatType format;
  mlir::Type integer;
};

} // namespace scanweave

#endif // SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_ELEMENTFUNCTIONS_ELEMENTARITHMETIC_H
