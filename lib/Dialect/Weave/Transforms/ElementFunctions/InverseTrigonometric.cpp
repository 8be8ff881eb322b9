// SPDX-License-Identifier: Apache-2.0
//
// The inverse trigonometric functions of one element: all are the angle of a
// vector, whose tangent is reduced by that of a known angle, as in Sun's fdlibm
// (s_atan.c), and evaluated in two words.

#include "DoubleWord.h"
#include "Exponential.h"

using namespace mlir;
using namespace scanweave;

namespace {

/// A constant in two words.
struct TwoWords {
  double head, tail;
};

/// The numbers that differ between the formats.
struct Format {
  TwoWords atanHalf, piQuarter, piHalf, pi;
  /// (atan(r) - r) / r^3 in r^2 for |r| <= 1/4.
  ArrayRef<double> atan;
};

// Maximal relative errors (scripts/minimax.py): 1.7e-10 and 1.1e-20.
constexpr double kArctangentSingle[] = {
    -0x1.5555500000000p-2, 0x1.9992de0000000p-3, -0x1.2342de0000000p-3,
    0x1.93415e0000000p-4};
constexpr double kArctangentDouble[] = {
    -0x1.5555555555555p-2, 0x1.999999999983ap-3,  -0x1.2492492481201p-3,
    0x1.c71c71b91f3b0p-4,  -0x1.745d13e180b91p-4, 0x1.3b132bb6cbfe6p-4,
    -0x1.1103ad980fc29p-4, 0x1.e0215ac85518bp-5,  -0x1.9c8efc0c250cdp-5,
    0x1.121034e246b4cp-5};

const Format &formatOf(const ElementArithmetic &a) {
  static const Format single = {{0x1.dac67p-2, 0x1.586ed4p-28},
                                {0x1.921fb6p-1, -0x1.777a5cp-26},
                                {0x1.921fb6p+0, -0x1.777a5cp-25},
                                {0x1.921fb6p+1, -0x1.777a5cp-24},
                                kArctangentSingle};
  static const Format dbl = {{0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                             {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
                             {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},
                             {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53},
                             kArctangentDouble};
  return a.isDouble() ? dbl : single;
}

DoubleWord constant(ElementArithmetic &a, TwoWords value) {
  return constant(a, value.head, value.tail);
}

/// `minuend` - x, for an x that is not greater.
DoubleWord subtractFrom(ElementArithmetic &a, TwoWords minuend, DoubleWord x) {
  return addOrdered(a, constant(a, minuend), negate(a, x));
}

/// The angle between 0 and pi/2 of the vector (x, y), for finite x, y >= 0 that
/// are not both 0 and whose sum is finite.
DoubleWord angleOf(ElementArithmetic &a, DoubleWord y, DoubleWord x) {
  const Format &format = formatOf(a);
  Value isSteep = a.isLess(x.head, y.head);
  DoubleWord above = select(a, isSteep, x, y);
  DoubleWord below = select(a, isSteep, y, x);
  // The quotient is at most 1. With c = 0, 1/2 or 1, whichever is near to it,
  // atan(q) = atan(c) + atan((q - c) / (1 + cq)), and the last quotient is
  // within 1/4. The large part of the numerator is exact, as its terms are near
  // to each other.
  Value zero = a.constant(0.0), half = a.constant(0.5), one = a.constant(1.0);
  Value isLow = a.isLess(a.mul(above.head, a.constant(4.0)), below.head);
  Value isHigh = a.isLess(a.mul(below.head, a.constant(0.71875)), above.head);
  Value center = a.select(isHigh, one, a.select(isLow, zero, half));
  Value minusCenter = a.neg(center);
  DoubleWord numerator = {a.fma(minusCenter, below.head, above.head),
                          a.fma(minusCenter, below.tail, above.tail)};
  DoubleWord denominator = addOrdered(a, below.head, a.mul(center, above.head));
  denominator.tail =
      a.add(denominator.tail, a.fma(center, above.tail, below.tail));
  DoubleWord ratio = div(a, numerator, denominator);
  Value square = a.mul(ratio.head, ratio.head);
  Value rest = a.mul(a.mul(square, ratio.head), a.horner(square, format.atan));
  ratio.tail = a.add(ratio.tail, rest);
  DoubleWord base = select(
      a, isHigh, constant(a, format.piQuarter),
      select(a, isLow, constant(a, {0.0, 0.0}), constant(a, format.atanHalf)));
  DoubleWord angle = addOrdered(a, base, ratio);
  return select(a, isSteep, subtractFrom(a, format.piHalf, angle), angle);
}

/// sqrt(1 - x^2); NaN beyond 1.
DoubleWord cathetus(ElementArithmetic &a, Value x) {
  DoubleWord square = mulExact(a, x, x);
  DoubleWord rest = addOrdered(a, a.constant(1.0), a.neg(square.head));
  rest = normalize(a, {rest.head, a.sub(rest.tail, square.tail)});
  return sqrt(a, rest);
}

} // namespace

Value scanweave::buildAtan(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  // From 2^64 on, the angle is pi/2 to the last bit.
  Value zero = a.constant(0.0);
  Value magnitude = atMost(a, a.abs(x), 0x1p64);
  DoubleWord angle = angleOf(a, {magnitude, zero}, {a.constant(1.0), zero});
  return a.copySign(round(a, angle), x);
}

Value scanweave::buildAsin(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  DoubleWord angle = angleOf(a, {a.abs(x), a.constant(0.0)}, cathetus(a, x));
  return a.copySign(round(a, angle), x);
}

Value scanweave::buildAcos(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  Value zero = a.constant(0.0);
  DoubleWord angle = angleOf(a, cathetus(a, x), {a.abs(x), zero});
  DoubleWord obtuse = subtractFrom(a, formatOf(a).pi, angle);
  return round(a, select(a, a.isLess(x, zero), obtuse, angle));
}

Value scanweave::buildAtan2(ImplicitLocOpBuilder &b, Value y, Value x) {
  ElementArithmetic a(b, x.getType());
  Value zero = a.constant(0.0), one = a.constant(1.0);
  Value absY = a.abs(y), absX = a.abs(x);
  // Infinite vectors point along an axis or a diagonal, null vectors along the
  // axis of x.
  Value isInfiniteY = a.isEqual(absY, a.infinity());
  Value isInfiniteX = a.isEqual(absX, a.infinity());
  Value isInfinite = a.orElse(isInfiniteY, isInfiniteX);
  Value top = a.select(isInfinite, a.select(isInfiniteY, one, zero), absY);
  Value side = a.select(isInfinite, a.select(isInfiniteX, one, zero), absX);
  Value isNull = a.andAlso(a.isEqual(top, zero), a.isEqual(side, zero));
  side = a.select(isNull, one, side);
  // So that the sum of both is a number, and products of the longer one with
  // fractions are exact.
  Value isUpper = a.isLess(side, top);
  Value length = a.select(isUpper, top, side);
  Value isLarge =
      a.isLess(a.constant(a.isDouble() ? 0x1p1000 : 0x1p100), length);
  Value isSmall =
      a.isLess(length, a.constant(a.isDouble() ? 0x1p-900 : 0x1p-90));
  Value enlarge = a.constant(a.isDouble() ? 0x1p100 : 0x1p40);
  Value factor =
      a.select(isLarge, a.constant(0.25), a.select(isSmall, enlarge, one));
  DoubleWord angle =
      angleOf(a, {a.mul(top, factor), zero}, {a.mul(side, factor), zero});
  Value isLeft = a.isLess(a.copySign(one, x), zero);
  angle = select(a, isLeft, subtractFrom(a, formatOf(a).pi, angle), angle);
  Value result = a.copySign(round(a, angle), y);
  Value isNaN = a.compare(arith::CmpFPredicate::UNO, x, y);
  return a.select(isNaN, a.nan(), result);
}
