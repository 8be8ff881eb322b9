// SPDX-License-Identifier: Apache-2.0
//
// Hyperbolic functions of one element, from exponentials in two words.

#include "Exponential.h"

using namespace mlir;
using namespace scanweave;

namespace {

/// exp(|x|) for sinh and cosh, which overflow log(2) later than exp.
ReducedExp reduceMagnitude(ElementArithmetic &a, Value magnitude) {
  return reduceExp(a, atMost(a, magnitude, a.isDouble() ? 711.0 : 90.0));
}

/// The same, wrong for large x, so that its square is a number.
ReducedExp boundExponent(ElementArithmetic &a, ReducedExp reduced) {
  reduced.exponent = a.minBits(reduced.exponent, a.bitsConstant(62));
  return reduced;
}

/// `below` where exp(-|x|) counts; from there on exp(|x|) / 2.
Value halfExpFarOut(ElementArithmetic &a, Value magnitude,
                    const ReducedExp &reduced, Value below) {
  Value half = scaleBy(a, round(a, significandOf(a, reduced)),
                       a.subBits(reduced.exponent, a.bitsConstant(1)));
  Value isNear = a.isLess(magnitude, a.constant(-leastExpm1(a)));
  return a.select(isNear, below, half);
}

} // namespace

Value scanweave::buildTanh(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  // tanh(x) = h / (h + 1) with h = (exp(2x) - 1) / 2.
  Value twice = atMost(a, a.abs(a.add(x, x)), -leastExpm1(a));
  DoubleWord half = normalize(a, halfExpm1(a, reduceExp(a, twice)));
  DoubleWord below = addExact(a, half.head, a.constant(1.0));
  below = normalize(a, {below.head, a.add(below.tail, half.tail)});
  Value ratio = round(a, div(a, half, below));
  return identityNearZero(a, x, a.copySign(ratio, x));
}

Value scanweave::buildSinh(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  // sinh(x) = h + h / (2h + 1) with h = (exp(x) - 1) / 2.
  Value magnitude = a.abs(x);
  ReducedExp reduced = reduceMagnitude(a, magnitude);
  DoubleWord half = normalize(a, halfExpm1(a, boundExponent(a, reduced)));
  DoubleWord below = addExact(a, a.add(half.head, half.head), a.constant(1.0));
  below = normalize(
      a, {below.head, a.add(below.tail, a.add(half.tail, half.tail))});
  Value result = round(a, addOrdered(a, half, div(a, half, below)));
  result = halfExpFarOut(a, magnitude, reduced, result);
  return identityNearZero(a, x, a.copySign(result, x));
}

Value scanweave::buildCosh(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  // cosh(x) = h + 1 / (4h) with h = exp(x) / 2.
  Value magnitude = a.abs(x);
  ReducedExp reduced = reduceMagnitude(a, magnitude);
  ReducedExp bounded = boundExponent(a, reduced);
  DoubleWord half = normalize(a, significandOf(a, bounded));
  Value scale = powerOfTwo(a, a.subBits(bounded.exponent, a.bitsConstant(1)));
  half = {a.mul(scale, half.head), a.mul(scale, half.tail)};
  DoubleWord inverse = div(a, constant(a, 0.25, 0.0), half);
  Value result = round(a, addOrdered(a, half, inverse));
  return halfExpFarOut(a, magnitude, reduced, result);
}
