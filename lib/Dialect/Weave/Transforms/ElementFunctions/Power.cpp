// SPDX-License-Identifier: Apache-2.0
//
// Powers of one element: exp(y log(x)), with the logarithm in two words. f32 is
// computed in f64, where one word is enough.

#include "DoubleWord.h"
#include "Exponential.h"

using namespace mlir;
using namespace scanweave;

namespace {

// (atanh(s) - s - s^3/3) / s^5 in s^2 for |s| <= (sqrt(2) - 1) / (sqrt(2) + 1)
// (scripts/minimax.py). Maximal relative error of the logarithm: 7.7e-23.
constexpr double kAtanhDouble[] = {0x1.9999999999996p-3, 0x1.2492492492f4ap-3,
                                   0x1.c71c71c597bf8p-4, 0x1.745d1828b2c4bp-4,
                                   0x1.3b1364f67b443p-4, 0x1.1120686627872p-4,
                                   0x1.de3e7e5bea7edp-5, 0x1.eabd3a7001225p-5};

/// The logarithm of a positive finite x of f64 to more than 62 digits. With s =
/// f / (2 + f), log(1 + f) = 2 atanh(s), whose series has odd powers only: s
/// and the factor of s^3 take two words, all else one.
DoubleWord logInTwoWords(ElementArithmetic &a, Value x) {
  Value isSubnormal = a.isLess(x, a.constant(a.leastNormal()));
  Value normal = a.select(isSubnormal, a.mul(x, a.constant(0x1p54)), x);
  Value exponent = a.toReal(a.exponentOf(normal));
  exponent = a.select(isSubnormal, a.sub(exponent, a.constant(54.0)), exponent);
  Value fraction = a.fractionOf(normal);
  DoubleWord s = div(a, {fraction, a.constant(0.0)},
                     addOrdered(a, a.constant(2.0), fraction));
  DoubleWord square = mul(a, s, s);
  Value rest = a.mul(square.head, a.horner(square.head, kAtanhDouble));
  DoubleWord third = constant(a, 0x1.5555555555555p-2, 0x1.5555555555555p-56);
  DoubleWord factor = addOrdered(a, third.head, rest);
  factor.tail = a.add(factor.tail, third.tail);
  factor = mul(a, square, factor);
  DoubleWord quotient = addOrdered(a, a.constant(1.0), factor.head);
  quotient.tail = a.add(quotient.tail, factor.tail);
  DoubleWord part = mul(a, {a.add(s.head, s.head), a.add(s.tail, s.tail)},
                        normalize(a, quotient));
  // log(2) in two parts: exponents times the first one are exact.
  DoubleWord whole = {a.mul(exponent, a.constant(0x1.62e42fefa4p-1)),
                      a.mul(exponent, a.constant(-0x1.8432a1b0e2634p-43))};
  return normalize(a, addOrdered(a, whole, part));
}

/// exp(y * log(magnitude)) in f64; 0 and infinity where the product is
/// infinite.
Value powerOf(ElementArithmetic &a, Value magnitude, Value y) {
  DoubleWord log = logInTwoWords(a, magnitude);
  Value zero = a.constant(0.0);
  Value isOrdinary =
      a.andAlso(a.isLess(zero, magnitude), a.isLess(magnitude, a.infinity()));
  Value special = a.select(a.isEqual(magnitude, zero),
                           a.infinity(/*negative=*/true), magnitude);
  log = select(a, isOrdinary, log, {special, zero});
  DoubleWord product = mulExact(a, y, log.head);
  product.tail = a.fma(y, log.tail, product.tail);
  // Far beyond over- and underflow the tail would be no number.
  Value isNear = a.isLess(a.abs(product.head), a.constant(800.0));
  Value head = clamp(a, product.head, -800.0, 800.0);
  product = normalize(a, {head, a.select(isNear, product.tail, zero)});
  ReducedExp reduced = reduceExp(a, product);
  return scaleBy(a, round(a, significandOf(a, reduced)), reduced.exponent);
}

/// The same with one word, enough for an f32 result.
Value powerOfSingle(ImplicitLocOpBuilder &b, ElementArithmetic &a,
                    Value magnitude, Value y) {
  return buildExp(b, a.mul(y, buildLog(b, magnitude)));
}

/// Gives |x|^y what IEEE 754 says about negative x and special values.
Value withPowerSpecials(ElementArithmetic &a, Value x, Value y, Value power) {
  Value zero = a.constant(0.0), one = a.constant(1.0);
  auto hasFraction = [&](Value value) {
    return a.compare(arith::CmpFPredicate::UNE, a.trunc(value), value);
  };
  // The sign of x is kept by odd integers: half of them has a fraction.
  Value isFractional = hasFraction(y);
  Value isHalfFractional = hasFraction(a.mul(y, a.constant(0.5)));
  Value sign = a.select(isFractional, one, x);
  sign = a.select(isHalfFractional, sign, one);
  Value isNegative =
      a.andAlso(a.isLess(x, zero), a.isLess(a.infinity(/*negative=*/true), x));
  Value result = a.select(a.andAlso(isNegative, isFractional), a.nan(),
                          a.copySign(power, sign));
  // 1 to any power is 1, and so is (-1)^y of infinite y.
  Value isUnitToInfinity =
      a.andAlso(a.isEqual(a.abs(x), one), a.isEqual(a.abs(y), a.infinity()));
  Value isOne = a.orElse(a.isEqual(x, one), isUnitToInfinity);
  return a.select(a.orElse(isOne, a.isEqual(y, zero)), one, result);
}

} // namespace

Value scanweave::buildPow(ImplicitLocOpBuilder &b, Value x, Value y) {
  ElementArithmetic own(b, x.getType());
  if (own.isDouble())
    return withPowerSpecials(own, x, y, powerOf(own, own.abs(x), y));
  ElementArithmetic a = own.inDouble();
  Value wideX = a.extend(x), wideY = a.extend(y);
  Value power = powerOfSingle(b, a, a.abs(wideX), wideY);
  return own.round(withPowerSpecials(a, wideX, wideY, power));
}

Value scanweave::buildFpowi(ImplicitLocOpBuilder &b, Value x, Value n) {
  ElementArithmetic own(b, x.getType());
  ElementArithmetic a = own.inDouble();
  Value wideX = own.isDouble() ? x : a.extend(x);
  Value y = a.toReal(n);
  if (own.isDouble())
    return withPowerSpecials(a, wideX, y, powerOf(a, a.abs(wideX), y));
  Value power = powerOfSingle(b, a, a.abs(wideX), y);
  return own.round(withPowerSpecials(a, wideX, y, power));
}
