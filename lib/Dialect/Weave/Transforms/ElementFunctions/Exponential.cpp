// SPDX-License-Identifier: Apache-2.0
//
// Exponentials of one element. The argument is reduced by a multiple of log(2),
// for which there is one minimax polynomial (scripts/minimax.py); what rounding
// would spoil is carried along as a second, small term and added last.

#include "Exponential.h"

using namespace mlir;
using namespace scanweave;

namespace {

/// The numbers that differ between the formats.
struct Format {
  /// log(2) in two parts: a multiple of the exponent times the high one is
  /// exact.
  double ln2High, ln2Low;
  double log2e;
  /// log(2) and what its rounding took away.
  double ln2, ln2Rest;
  /// 1.5 * 2^fractionBits: added to a small number, it rounds it to an integer
  /// and leaves that in the lowest bits.
  double toInteger;
  /// exp is 0 below and infinite above.
  double expLeast, expGreatest;
  /// expm1 is -1 below.
  double expm1Least;
  /// (exp(r) - 1 - r) / r^2 for |r| <= log(2)/2.
  ArrayRef<double> exp;
};

// Maximal errors relative to expm1: 4.8e-10 and 3.1e-19.
constexpr double kExpSingle[] = {0x1.000000p-1, 0x1.555554p-3,  0x1.5554f0p-5,
                                 0x1.111306p-7, 0x1.6d4366p-10, 0x1.9e0bf0p-13};
constexpr double kExpDouble[] = {
    0x1.0000000000000p-1,  0x1.5555555555559p-3,  0x1.555555555554dp-5,
    0x1.111111110f65ap-7,  0x1.6c16c16c1ab02p-10, 0x1.a01a01afffe63p-13,
    0x1.a01a018e0b195p-16, 0x1.71ddf81bb01fap-19, 0x1.27e5134a77fc5p-22,
    0x1.af5f121623581p-26, 0x1.1f1a0d0a92e43p-29};

const Format &formatOf(const ElementArithmetic &a) {
  static const Format single = {0x1.62e4p-1,
                                0x1.7f7d1cp-20,
                                0x1.715476p+0,
                                0x1.62e4300000000p-1,
                                -0x1.05c6100000000p-29,
                                0x1.8p23,
                                -104.0,
                                89.0,
                                -20.0,
                                kExpSingle};
  static const Format dbl = {0x1.62e42fefa38p-1,
                             0x1.ef35793c7673p-45,
                             0x1.71547652b82fep+0,
                             0x1.62e42fefa39efp-1,
                             0x1.abc9e3b39803fp-56,
                             0x1.8p52,
                             -746.0,
                             710.0,
                             -42.0,
                             kExpDouble};
  return a.isDouble() ? dbl : single;
}

} // namespace

ReducedExp scanweave::reduceExp(ElementArithmetic &a, Value x) {
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

ReducedExp scanweave::reduceExp(ElementArithmetic &a, DoubleWord x) {
  ReducedExp reduced = reduceExp(a, x.head);
  // exp(r + d) = exp(r) + d exp(r), to the first order in d.
  Value exponential = a.add(a.constant(1.0), a.add(reduced.high, reduced.low));
  reduced.low = a.fma(x.tail, exponential, reduced.low);
  return reduced;
}

DoubleWord scanweave::halfExpm1(ElementArithmetic &a,
                                const ReducedExp &reduced) {
  Value scale = powerOfTwo(a, a.subBits(reduced.exponent, a.bitsConstant(1)));
  // scale * (1 + high + low) - 1/2. The large terms are added exactly: head is
  // their sum up to the two errors, whichever is larger.
  Value oneHalf = a.constant(0.5);
  Value whole = a.sub(scale, oneHalf);
  Value wholeError = a.sub(a.sub(scale, whole), oneHalf);
  DoubleWord sum = addExact(a, whole, a.mul(scale, reduced.high));
  Value error = a.add(sum.tail, wholeError);
  return {sum.head, a.fma(scale, reduced.low, error)};
}

double scanweave::leastExpm1(const ElementArithmetic &a) {
  return formatOf(a).expm1Least;
}

DoubleWord scanweave::significandOf(ElementArithmetic &a,
                                    const ReducedExp &reduced) {
  DoubleWord sum = addOrdered(a, a.constant(1.0), reduced.high);
  return {sum.head, a.add(sum.tail, reduced.low)};
}

Value scanweave::scaleBy(ElementArithmetic &a, Value x, Value exponent) {
  // In two factors, each of them a normal number: the first product is exact.
  Value half = a.shiftRight(exponent, 1);
  Value rest = a.subBits(exponent, half);
  return a.mul(a.mul(x, powerOfTwo(a, half)), powerOfTwo(a, rest));
}

Value scanweave::buildExp(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  const Format &format = formatOf(a);
  ReducedExp reduced =
      reduceExp(a, clamp(a, x, format.expLeast, format.expGreatest));
  return scaleBy(a, round(a, significandOf(a, reduced)), reduced.exponent);
}

Value scanweave::buildExpm1(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  const Format &format = formatOf(a);
  Value clamped = clamp(a, x, format.expm1Least, format.expGreatest);
  Value half = round(a, halfExpm1(a, reduceExp(a, clamped)));
  return identityNearZero(a, x, a.add(half, half));
}

Value scanweave::buildExp2(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  const Format &format = formatOf(a);
  double least = a.isDouble() ? -1080.0 : -155.0;
  double greatest = a.isDouble() ? 1030.0 : 130.0;
  Value clamped = clamp(a, x, least, greatest);
  Value magic = a.constant(format.toInteger);
  Value shifted = a.add(clamped, magic);
  Value exponent = a.subBits(a.bitsOf(shifted), a.bitsOf(magic));
  // Exact. Times log(2), it is what reduceExp gives.
  Value r = a.sub(clamped, a.sub(shifted, magic));
  DoubleWord high = mulExact(a, r, a.constant(format.ln2));
  Value low = a.fma(r, a.constant(format.ln2Rest), high.tail);
  low =
      a.fma(a.mul(high.head, high.head), a.horner(high.head, format.exp), low);
  DoubleWord significand = significandOf(a, {exponent, high.head, low});
  return scaleBy(a, round(a, significand), exponent);
}
