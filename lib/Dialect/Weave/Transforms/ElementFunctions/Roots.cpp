// SPDX-License-Identifier: Apache-2.0
//
// Roots of one element other than the square root, which IEEE 754 fixes.

#include "DoubleWord.h"

#include "scanweave/Dialect/Weave/Transforms/ElementFunctions.h"

using namespace mlir;
using namespace scanweave;

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
