// SPDX-License-Identifier: Apache-2.0
//
// Logarithms and exponentials of one element. Both reduce their argument by a
// power of two and evaluate one minimax polynomial; what rounding would spoil
// is carried along as a second, small term and added last. Coefficients come
// from Remez's algorithm with coefficients rounded one after the other, lowest
// first (scripts/minimax.py).

#include "scanweave/Dialect/Weave/Transforms/ElementFunctions.h"
#include "ElementArithmetic.h"

using namespace mlir;
using namespace scanweave;

namespace {

/// The numbers that differ between the formats.
struct Format {
  /// log(2) in two parts: a multiple of the exponent times the high one is
  /// exact.
  double ln2High, ln2Low;
  double log2e;
  double leastNormal;
  /// Brings every subnormal into the normal range.
  double subnormalScale;
  double subnormalExponent;
  /// Below it, f(x) = x is right to the last bit for log1p, expm1 and tanh.
  double tiny;
  /// 1.5 * 2^fractionBits: added to a small number, it rounds it to an integer
  /// and leaves that in the lowest bits.
  double toInteger;
  /// exp is 0 below and infinite above.
  double expLeast, expGreatest;
  /// expm1 is -1 below, tanh 1 above half of its negative.
  double expm1Least;
  /// (log(1 + r) - r + r^2/2) / r^3 for r in [sqrt(1/2) - 1, sqrt(2) - 1].
  ArrayRef<double> log;
  /// (exp(r) - 1 - r) / r^2 for |r| <= log(2)/2.
  ArrayRef<double> exp;
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

// Maximal errors relative to expm1: 4.8e-10 and 3.1e-19.
constexpr double kExpSingle[] = {0x1.000000p-1, 0x1.555554p-3,  0x1.5554f0p-5,
                                 0x1.111306p-7, 0x1.6d4366p-10, 0x1.9e0bf0p-13};
constexpr double kExpDouble[] = {
    0x1.0000000000000p-1,  0x1.5555555555559p-3,  0x1.555555555554dp-5,
    0x1.111111110f65ap-7,  0x1.6c16c16c1ab02p-10, 0x1.a01a01afffe63p-13,
    0x1.a01a018e0b195p-16, 0x1.71ddf81bb01fap-19, 0x1.27e5134a77fc5p-22,
    0x1.af5f121623581p-26, 0x1.1f1a0d0a92e43p-29};

constexpr double kLog2eSingle = 0x1.715476p+0;
constexpr double kLog2eDouble = 0x1.71547652b82fep+0;

const Format &formatOf(const ElementArithmetic &a) {
  static const Format single = {
      0x1.62e4p-1, 0x1.7f7d1cp-20, kLog2eSingle, 0x1p-126, 0x1p25,
      25.0,        0x1p-26,        0x1.8p23,     -104.0,   89.0,
      -20.0,       kLogSingle,     kExpSingle};
  static const Format dbl = {0x1.62e42fefa38p-1,
                             0x1.ef35793c7673p-45,
                             kLog2eDouble,
                             0x1p-1022,
                             0x1p54,
                             54.0,
                             0x1p-55,
                             0x1.8p52,
                             -746.0,
                             710.0,
                             -42.0,
                             kLogDouble,
                             kExpDouble};
  return a.isDouble() ? dbl : single;
}

/// log(2^exponent * (1 + fraction + fractionLow)), where the low part may be
/// null.
Value logOf(ElementArithmetic &a, Value exponent, Value fraction,
            Value fractionLow) {
  const Format &format = formatOf(a);
  Value square = a.mul(fraction, fraction);
  Value tail =
      a.mul(a.mul(square, fraction), a.polynomial(fraction, format.log));
  tail = a.fma(exponent, a.constant(format.ln2Low), tail);
  tail = a.fma(square, a.constant(-0.5), tail);
  if (fractionLow) // d log(1 + r) = dr / (1 + r), to the first order 1 - r.
    tail = a.add(tail, a.sub(fractionLow, a.mul(fractionLow, fraction)));
  // The exact sum of the two large terms as head + error. The first is 0 or the
  // larger one.
  Value whole = a.mul(exponent, a.constant(format.ln2High));
  Value head = a.add(whole, fraction);
  Value error = a.sub(fraction, a.sub(head, whole));
  return a.add(head, a.add(error, tail));
}

/// exp(x) = 2^exponent * (1 + high + low), with high within log(2)/2.
struct ReducedExp {
  Value exponent;
  Value high, low;
};

ReducedExp reduceExp(ElementArithmetic &a, Value x) {
  const Format &format = formatOf(a);
  Value magic = a.constant(format.toInteger);
  Value shifted = a.fma(x, a.constant(format.log2e), magic);
  Value exponent = a.subBits(a.bitsOf(shifted), a.bitsOf(magic));
  Value minus = a.sub(magic, shifted);
  // Exact, as the high part of log(2) leaves room for the exponent.
  Value r = a.fma(minus, a.constant(format.ln2High), x);
  Value correction = a.mul(minus, a.constant(format.ln2Low));
  Value high = a.add(r, correction);
  Value low = a.add(a.sub(r, high), correction);
  low = a.fma(a.mul(high, high), a.horner(high, format.exp), low);
  return {exponent, high, low};
}

/// 2^exponent as a float, for exponents of normal numbers.
Value powerOfTwo(ElementArithmetic &a, Value exponent) {
  return a.fromBits(a.addBits(a.shiftLeft(exponent, a.fractionBits()),
                              a.bitsConstant(a.oneBits())));
}

/// `x`, but at least and at most these; NaN stays.
Value clamp(ElementArithmetic &a, Value x, double least, double greatest) {
  Value low = a.constant(least), high = a.constant(greatest);
  x = a.select(a.isLess(x, low), low, x);
  return a.select(a.isLess(high, x), high, x);
}

/// `x` where that is right already: close to zero, -0 and subnormals included.
Value identityNearZero(ElementArithmetic &a, Value x, Value otherwise) {
  Value isTiny = a.isLess(a.abs(x), a.constant(formatOf(a).tiny));
  return a.select(isTiny, x, otherwise);
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

/// 2 * (expm1(x) / 2), halved so that no intermediate result overflows.
Value expm1Of(ElementArithmetic &a, Value x) {
  const Format &format = formatOf(a);
  Value clamped = clamp(a, x, format.expm1Least, format.expGreatest);
  ReducedExp reduced = reduceExp(a, clamped);
  Value scale = powerOfTwo(a, a.subBits(reduced.exponent, a.bitsConstant(1)));
  // scale * (1 + high + low) - 1/2. The large terms are added exactly: head is
  // their sum up to the two errors, whichever is larger.
  Value oneHalf = a.constant(0.5);
  Value whole = a.sub(scale, oneHalf);
  Value wholeError = a.sub(a.sub(scale, whole), oneHalf);
  Value part = a.mul(scale, reduced.high);
  Value head = a.add(whole, part);
  Value virtualPart = a.sub(head, whole);
  Value headError =
      a.add(a.sub(whole, a.sub(head, virtualPart)), a.sub(part, virtualPart));
  Value error = a.add(headError, wholeError);
  Value half = a.add(head, a.fma(scale, reduced.low, error));
  return identityNearZero(a, x, a.add(half, half));
}

} // namespace

bool scanweave::hasElementFunctions(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    type = vector.getElementType();
  return type.isF32() || type.isF64();
}

Value scanweave::buildLog(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  const Format &format = formatOf(a);
  Value isSubnormal = a.isLess(x, a.constant(format.leastNormal));
  Value scaled = a.mul(x, a.constant(format.subnormalScale));
  Value normal = a.select(isSubnormal, scaled, x);
  Value exponent = a.toReal(a.exponentOf(normal));
  exponent =
      a.select(isSubnormal,
               a.sub(exponent, a.constant(format.subnormalExponent)), exponent);
  Value result =
      logOf(a, exponent, a.fractionOf(normal), /*fractionLow=*/nullptr);
  return withLogSpecials(a, x, result);
}

Value scanweave::buildLog1p(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  Value one = a.constant(1.0);
  Value argument = a.add(one, x);
  Value exponent = a.exponentOf(argument);
  // (1 + x) * 2^-exponent - 1 from x itself, which the rounded sum would lose:
  // (2^-exponent - 1) + x * 2^-exponent. Where the first term rounds, x is so
  // large that it does not matter; 2^-exponent must only stay a number.
  Value bounded =
      arith::MinSIOp::create(b, exponent, a.bitsConstant(a.exponentBias() - 1));
  Value scale = powerOfTwo(a, a.subBits(a.bitsConstant(0), bounded));
  Value constant = a.sub(scale, one);
  Value scaled = a.fromBits(
      a.subBits(a.bitsOf(x), a.shiftLeft(exponent, a.fractionBits())));
  Value fraction = a.add(constant, scaled);
  Value virtualScaled = a.sub(fraction, constant);
  Value low = a.add(a.sub(constant, a.sub(fraction, virtualScaled)),
                    a.sub(scaled, virtualScaled));
  Value result = logOf(a, a.toReal(exponent), fraction, low);
  return identityNearZero(a, x, withLogSpecials(a, argument, result));
}

Value scanweave::buildExp(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  const Format &format = formatOf(a);
  ReducedExp reduced =
      reduceExp(a, clamp(a, x, format.expLeast, format.expGreatest));
  Value one = a.constant(1.0);
  Value head = a.add(one, reduced.high);
  Value error = a.sub(reduced.high, a.sub(head, one));
  Value result = a.add(head, a.add(error, reduced.low));
  // In two factors, each of them a normal number: the first product is exact,
  // the second one overflows and goes subnormal as it should.
  Value half = a.shiftRight(reduced.exponent, 1);
  Value rest = a.subBits(reduced.exponent, half);
  return a.mul(a.mul(result, powerOfTwo(a, half)), powerOfTwo(a, rest));
}

Value scanweave::buildExpm1(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  return expm1Of(a, x);
}

Value scanweave::buildTanh(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  // tanh(x) = (exp(2x) - 1) / (exp(2x) + 1).
  Value limit = a.constant(-formatOf(a).expm1Least);
  Value twice = a.abs(a.add(x, x));
  twice = a.select(a.isLess(limit, twice), limit, twice);
  Value expm1 = expm1Of(a, twice);
  Value ratio = a.div(expm1, a.add(expm1, a.constant(2.0)));
  return identityNearZero(a, x, a.copySign(ratio, x));
}
