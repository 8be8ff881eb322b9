// SPDX-License-Identifier: Apache-2.0
//
// Roots of one element other than the square root, which IEEE 754 fixes.

#include "Exponential.h"

using namespace mlir;
using namespace scanweave;

namespace {

// (1 + r)^(-1/3) for r in [sqrt(1/2) - 1, sqrt(2) - 1] (scripts/minimax.py), to
// begin with. Maximal relative errors: 2.5e-4 and 5.7e-6.
constexpr double kCubeRootSingle[] = {
    0x1.ffe2fc0000000p-1, -0x1.56b3be0000000p-2, 0x1.e6da780000000p-3,
    -0x1.44b04c0000000p-3};
constexpr double kCubeRootDouble[] = {
    0x1.00004087cde54p+0,  -0x1.55425d4e3b3c4p-2, 0x1.c5d8e4812fcdcp-3,
    -0x1.68139c81b1bb7p-3, 0x1.4888e5eb81757p-3,  -0x1.baa144dd528e6p-4};

// Near the cube roots of 2 and 1/2, as numbers of f32.
constexpr double kRootOfTwo = 0x1.428a3p+0, kRootOfHalf = 0x1.965feap-1;

} // namespace

Value scanweave::buildRsqrt(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  // Scaled where what rounding takes away would be less than any number.
  Value isSmall = a.isLess(x, a.constant(a.isDouble() ? 0x1p-900 : 0x1p-90));
  Value one = a.constant(1.0);
  Value scaled = a.mul(x, a.constant(a.isDouble() ? 0x1p200 : 0x1p40));
  Value normal = a.select(isSmall, scaled, x);
  // y = 1 / s with s = sqrt(x), and one step of Newton's method for what the
  // rounding of both took away: sqrt(x) = s + e with 2se = x - s^2.
  Value root = a.sqrt(normal);
  Value inverse = a.div(one, root);
  Value twiceError = a.mul(a.fma(a.neg(root), root, normal), inverse);
  Value rest = a.fma(a.neg(inverse), root, one);
  rest = a.fma(a.mul(twiceError, a.constant(-0.5)), inverse, rest);
  Value result = a.fma(inverse, rest, inverse);
  Value rescaled = a.mul(result, a.constant(a.isDouble() ? 0x1p100 : 0x1p20));
  result = a.select(isSmall, rescaled, result);
  // Where the corrections are no numbers: zeros, infinity and NaN.
  Value isOrdinary =
      a.andAlso(a.isLess(a.constant(0.0), x), a.isLess(x, a.infinity()));
  return a.select(isOrdinary, result, inverse);
}

Value scanweave::buildCbrt(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  Value magnitude = a.abs(x);
  Value isSubnormal = a.isLess(magnitude, a.constant(a.leastNormal()));
  Value scaled = a.mul(magnitude, a.constant(a.isDouble() ? 0x1p54 : 0x1p24));
  Value normal = a.select(isSubnormal, scaled, magnitude);
  // |x| = m * 2^e = (m * 2^r) * 2^3q with r = -1, 0 or 1.
  Value exponent = a.toReal(a.exponentOf(normal));
  Value magic = a.constant(a.isDouble() ? 0x1.8p52 : 0x1.8p23);
  Value third = a.constant(a.isDouble() ? 0x1.5555555555555p-2 : 0x1.555556p-2);
  Value shifted = a.fma(exponent, third, magic);
  Value quotient = a.subBits(a.bitsOf(shifted), a.bitsOf(magic));
  Value rest = a.fma(a.sub(shifted, magic), a.constant(-3.0), exponent);
  Value fraction = a.fractionOf(normal);
  Value significand = a.add(fraction, a.constant(1.0));
  // w, near to the inverse of the root of m * 2^r.
  ArrayRef<double> table =
      a.isDouble() ? ArrayRef(kCubeRootDouble) : kCubeRootSingle;
  Value inverse = a.horner(fraction, table);
  Value zero = a.constant(0.0);
  auto byRest = [&](double ifMinus, double ifZero, double ifPlus) {
    Value upper =
        a.select(a.isLess(zero, rest), a.constant(ifPlus), a.constant(ifZero));
    return a.select(a.isLess(rest, zero), a.constant(ifMinus), upper);
  };
  Value value = a.mul(significand, byRest(0.5, 1.0, 2.0));
  inverse = a.mul(inverse, byRest(kRootOfTwo, 1.0, kRootOfHalf));
  // Newton's method for w, then y = m * 2^r * w^2, and one more step for y.
  Value square = a.mul(inverse, inverse);
  Value error = a.fma(a.neg(a.mul(value, square)), inverse, a.constant(1.0));
  inverse = a.fma(a.mul(inverse, error), third, inverse);
  square = a.mul(inverse, inverse);
  Value root = a.mul(value, square);
  DoubleWord rootSquare = mulExact(a, root, root);
  DoubleWord cube = mulExact(a, rootSquare.head, root);
  Value left = a.sub(a.sub(value, cube.head), cube.tail);
  left = a.fma(a.neg(rootSquare.tail), root, left);
  root = a.fma(left, a.mul(square, third), root);
  Value result = a.mul(root, powerOfTwo(a, quotient));
  Value unscaled = a.mul(result, a.constant(a.isDouble() ? 0x1p-18 : 0x1p-8));
  result = a.select(isSubnormal, unscaled, result);
  // Zeros, infinities and NaN are their own roots.
  Value isOrdinary =
      a.andAlso(a.isLess(zero, magnitude), a.isLess(magnitude, a.infinity()));
  return a.select(isOrdinary, a.copySign(result, x), x);
}
