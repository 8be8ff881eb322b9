// SPDX-License-Identifier: Apache-2.0
//
// Inverse hyperbolic functions of one element: logarithms of 1 + u, with u in
// two words.

#include "Logarithm.h"

using namespace mlir;
using namespace scanweave;

namespace {

/// log(1 + u) where x is below `limit`, and log(2x) from there on.
Value logOnePlusOrTwice(ElementArithmetic &a, DoubleWord u, Value x,
                        Value limit) {
  SplitNumber near = splitOnePlus(a, u.head, u.tail);
  SplitNumber far = splitNumber(a, x);
  Value isNear = a.isLess(x, limit);
  Value twice = a.add(far.exponent, a.constant(1.0));
  SplitNumber number = {a.select(isNear, near.exponent, twice),
                        a.select(isNear, near.fraction, far.fraction),
                        a.select(isNear, near.low, a.constant(0.0))};
  Value isFinite = a.isLess(x, a.infinity());
  return a.select(isFinite, logOf(a, number), x);
}

/// From there on, asinh(x) and acosh(x) are log(2x) to the last bit.
double largeArgument(const ElementArithmetic &a) {
  return a.isDouble() ? 0x1p28 : 0x1p13;
}

} // namespace

Value scanweave::buildAsinh(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  // sinh(y) = x for y = log(1 + u), u = x + x^2 / (1 + sqrt(1 + x^2)).
  Value magnitude = a.abs(x), one = a.constant(1.0);
  Value bounded = atMost(a, magnitude, largeArgument(a));
  DoubleWord square = mulExact(a, bounded, bounded);
  DoubleWord sum = addExact(a, one, square.head);
  sum = normalize(a, {sum.head, a.add(sum.tail, square.tail)});
  DoubleWord root = sqrt(a, sum);
  DoubleWord below = addOrdered(a, root.head, one);
  below.tail = a.add(below.tail, root.tail);
  DoubleWord quotient = div(a, square, normalize(a, below));
  DoubleWord u = addOrdered(a, bounded, quotient.head);
  u = normalize(a, {u.head, a.add(u.tail, quotient.tail)});
  Value result =
      logOnePlusOrTwice(a, u, magnitude, a.constant(largeArgument(a)));
  return identityNearZero(a, x, a.copySign(result, x));
}

Value scanweave::buildAcosh(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  // cosh(y) = x for y = log(1 + u), u = (x - 1) + sqrt((x - 1) (x + 1)).
  Value one = a.constant(1.0);
  Value bounded = atMost(a, x, largeArgument(a));
  Value distance = a.sub(bounded, one);
  DoubleWord square =
      mul(a, {distance, a.constant(0.0)}, addOrdered(a, bounded, one));
  DoubleWord root = sqrt(a, normalize(a, square));
  DoubleWord u = addOrdered(a, root.head, distance);
  u = normalize(a, {u.head, a.add(u.tail, root.tail)});
  Value result = logOnePlusOrTwice(a, u, x, a.constant(largeArgument(a)));
  return a.select(a.isLess(x, one), a.nan(), result);
}

Value scanweave::buildAtanh(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  // tanh(y) = x for y = log(1 + u) / 2, u = 2x / (1 - x).
  Value magnitude = a.abs(x), one = a.constant(1.0);
  DoubleWord u = div(a, {a.add(magnitude, magnitude), a.constant(0.0)},
                     addOrdered(a, one, a.neg(magnitude)));
  u = normalize(a, u);
  Value result =
      a.mul(logOf(a, splitOnePlus(a, u.head, u.tail)), a.constant(0.5));
  Value isOne = a.isEqual(magnitude, one);
  Value beyond = a.select(isOne, a.infinity(), a.nan());
  result = a.select(a.isLess(magnitude, one), result, beyond);
  return identityNearZero(a, x, a.copySign(result, x));
}
