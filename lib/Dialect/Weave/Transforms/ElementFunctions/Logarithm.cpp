// SPDX-License-Identifier: Apache-2.0
//
// Logarithms of one element. The argument is split into a power of two and a
// number near 1, for which there is one minimax polynomial
// (scripts/minimax.py); what rounding would spoil is carried along as a second,
// small term and added last.

#include "Logarithm.h"

using namespace mlir;
using namespace scanweave;

namespace {

/// The numbers that differ between the formats.
struct Format {
  /// log(2) in two parts: a multiple of the exponent times the high one is
  /// exact.
  double ln2High, ln2Low;
  /// 1 / log(2) and 1 / log(10), and what their rounding took away.
  double log2e, log2eRest, log10e, log10eRest;
  /// log10(2) in two parts like log(2).
  double log2High, log2Low;
  /// (log(1 + r) - r + r^2/2) / r^3 for r in [sqrt(1/2) - 1, sqrt(2) - 1].
  ArrayRef<double> log;
};

// Maximal relative errors of the logarithm: 5.9e-9 and 9.1e-18.
constexpr double kLogSingle[] = {0x1.555554p-2,  -0x1.000226p-2, 0x1.99a02p-3,
                                 -0x1.547290p-3, 0x1.22d8c6p-3,  -0x1.0d818ep-3,
                                 0x1.05615ep-3,  -0x1.38d422p-4};
constexpr double kLogDouble[] = {
    0x1.5555555555533p-2,  -0x1.fffffffffef14p-3, 0x1.999999999f7afp-3,
    -0x1.555555566b386p-3, 0x1.24924922a1df4p-3,  -0x1.ffffff2bf4530p-4,
    0x1.c71c71e0d5848p-4,  -0x1.9999c26bfbe01p-4, 0x1.745d3f0831b14p-4,
    -0x1.5550ee57154ecp-4, 0x1.3b0b8a6a2c2f8p-4,  -0x1.24d7513b5af89p-4,
    0x1.11ccf3c669b12p-4,  -0x1.fba1834c8eae8p-5, 0x1.d05adf281466bp-5,
    -0x1.d1215853d0d53p-5, 0x1.0a62088ace193p-4,  -0x1.ea0164a1f713cp-5,
    0x1.ac6e332b3f044p-6};

const Format &formatOf(const ElementArithmetic &a) {
  static const Format single = {
      0x1.62e4p-1,           0x1.7f7d1cp-20,        0x1.7154760000000p+0,
      0x1.4ae0c00000000p-26, 0x1.bcb7b20000000p-2,  -0x1.5b235e0000000p-27,
      0x1.3440000000000p-2,  0x1.3509f80000000p-18, kLogSingle};
  static const Format dbl = {
      0x1.62e42fefa38p-1,    0x1.ef35793c7673p-45,   0x1.71547652b82fep+0,
      0x1.777d0ffda0d24p-56, 0x1.bcb7b1526e50ep-2,   0x1.95355baaafad3p-57,
      0x1.34413509f8000p-2,  -0x1.80433b83b532ap-44, kLogDouble};
  return a.isDouble() ? dbl : single;
}

/// The logarithm's values where it has none: `result` for positive finite
/// `argument`s, infinity and NaN unchanged, -inf for 0, NaN below.
Value withLogSpecials(ElementArithmetic &a, Value argument, Value result) {
  Value zero = a.constant(0.0);
  result = a.select(a.isLess(argument, a.infinity()), result, argument);
  Value atMostZero =
      a.select(a.compare(arith::CmpFPredicate::OEQ, argument, zero),
               a.infinity(/*negative=*/true), a.nan());
  Value isPositiveOrNaN = a.compare(arith::CmpFPredicate::UGT, argument, zero);
  return a.select(isPositiveOrNaN, result, atMostZero);
}

/// A base of logarithms, by the numbers that exponents and natural logarithms
/// are multiplied with, each in two parts.
struct Base {
  double twoHigh, twoLow;
  double eHigh, eLow;
};

Value logTo(ElementArithmetic &a, Base base, Value x) {
  auto [exponent, fraction, low] = splitNumber(a, x);
  // log(1 + r) = r - r^2/2 + ... in two words, times 1 / log(base) in two
  // words.
  DoubleWord square = mulExact(a, fraction, fraction);
  Value minusHalf = a.constant(-0.5);
  DoubleWord natural = addOrdered(a, fraction, a.mul(square.head, minusHalf));
  Value tail = a.mul(a.mul(square.head, fraction),
                     a.polynomial(fraction, formatOf(a).log));
  tail = a.add(natural.tail, a.fma(square.tail, minusHalf, tail));
  Value factor = a.constant(base.eHigh);
  DoubleWord part = mulExact(a, natural.head, factor);
  tail = a.fma(natural.head, a.constant(base.eLow), a.mul(tail, factor));
  tail = a.fma(exponent, a.constant(base.twoLow), tail);
  DoubleWord sum =
      addOrdered(a, a.mul(exponent, a.constant(base.twoHigh)), part.head);
  Value result = a.add(sum.head, a.add(a.add(sum.tail, part.tail), tail));
  return withLogSpecials(a, x, result);
}

} // namespace

SplitNumber scanweave::splitNumber(ElementArithmetic &a, Value x) {
  Value isSubnormal = a.isLess(x, a.constant(a.leastNormal()));
  Value scaled = a.mul(x, a.constant(a.isDouble() ? 0x1p54 : 0x1p25));
  Value normal = a.select(isSubnormal, scaled, x);
  Value exponent = a.toReal(a.exponentOf(normal));
  Value lower = a.sub(exponent, a.constant(a.isDouble() ? 54.0 : 25.0));
  return {a.select(isSubnormal, lower, exponent), a.fractionOf(normal),
          /*low=*/nullptr};
}

SplitNumber scanweave::splitOnePlus(ElementArithmetic &a, Value x, Value tail) {
  Value one = a.constant(1.0);
  Value exponent = a.exponentOf(a.add(one, x));
  // (1 + x) * 2^-exponent - 1 from x itself, which the rounded sum would lose:
  // (2^-exponent - 1) + x * 2^-exponent. Where the first term rounds, x is so
  // large that it does not matter; 2^-exponent must only stay a number.
  Value bounded = a.minBits(exponent, a.bitsConstant(a.exponentBias() - 1));
  Value scale = powerOfTwo(a, a.subBits(a.bitsConstant(0), bounded));
  Value scaled = a.fromBits(
      a.subBits(a.bitsOf(x), a.shiftLeft(exponent, a.fractionBits())));
  DoubleWord fraction = addExact(a, a.sub(scale, one), scaled);
  if (tail)
    fraction.tail = a.fma(tail, scale, fraction.tail);
  return {a.toReal(exponent), fraction.head, fraction.tail};
}

Value scanweave::logOf(ElementArithmetic &a, SplitNumber number) {
  const Format &format = formatOf(a);
  auto [exponent, fraction, low] = number;
  Value square = a.mul(fraction, fraction);
  Value tail =
      a.mul(a.mul(square, fraction), a.polynomial(fraction, format.log));
  tail = a.fma(exponent, a.constant(format.ln2Low), tail);
  tail = a.fma(square, a.constant(-0.5), tail);
  if (low) // d log(1 + r) = dr / (1 + r), to the first order 1 - r.
    tail = a.add(tail, a.sub(low, a.mul(low, fraction)));
  // The exact sum of the two large terms. The first is 0 or the larger one.
  Value whole = a.mul(exponent, a.constant(format.ln2High));
  DoubleWord sum = addOrdered(a, whole, fraction);
  return a.add(sum.head, a.add(sum.tail, tail));
}

Value scanweave::buildLog(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  return withLogSpecials(a, x, logOf(a, splitNumber(a, x)));
}

Value scanweave::buildLog2(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  const Format &format = formatOf(a);
  return logTo(a, {1.0, 0.0, format.log2e, format.log2eRest}, x);
}

Value scanweave::buildLog10(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  const Format &format = formatOf(a);
  return logTo(
      a, {format.log2High, format.log2Low, format.log10e, format.log10eRest},
      x);
}

Value scanweave::buildLog1p(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  Value result = logOf(a, splitOnePlus(a, x, /*tail=*/nullptr));
  Value argument = a.add(a.constant(1.0), x);
  return identityNearZero(a, x, withLogSpecials(a, argument, result));
}
