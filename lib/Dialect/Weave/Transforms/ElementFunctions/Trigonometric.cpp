// SPDX-License-Identifier: Apache-2.0
//
// Sine, cosine and tangent of one element. The argument is reduced by multiples
// of pi/2 in integers, as Payne and Hanek do it (Radian reduction for
// trigonometric functions, SIGNUM 1983): of the bits of 2/pi, only those are
// multiplied that decide the product modulo 4. One path serves all arguments
// from 1 on. f32 is computed in f64, f64 in two words; the sums of polynomials
// and what rounding took away are arranged as in Sun's fdlibm (k_sin.c,
// k_cos.c).

#include "DoubleWord.h"

#include "scanweave/Dialect/Weave/Transforms/ElementFunctions.h"

using namespace mlir;
using namespace scanweave;

namespace {

/// The bits of 2/pi behind the point.
constexpr uint64_t kTwoOverPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
    0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab};

constexpr double kPiHalf = 0x1.921fb54442d18p+0;
constexpr double kPiHalfRest = 0x1.1a62633145c07p-54;

// (sin(r) - r) / r^3 and (cos(r) - 1 + r^2/2) / r^4 in r^2 for |r| <= pi/4
// (scripts/minimax.py). Maximal relative errors: 4.9e-12 and 9.9e-14 for f32,
// 3.5e-18 and 4.8e-20 for f64.
constexpr double kSineSingle[] = {-0x1.5555554cbbda0p-3, 0x1.1111089759b29p-7,
                                  -0x1.a00f9e593758dp-13,
                                  0x1.6cd87dbba242cp-19};
constexpr double kCosineSingle[] = {
    0x1.5555554f4f07ep-5, -0x1.6c16b89998604p-10, 0x1.a01120ab6bc20p-16,
    -0x1.242af0cecd973p-22};
constexpr double kSineDouble[] = {
    -0x1.5555555555549p-3, 0x1.111111110f8a8p-7,   -0x1.a01a019c166e8p-13,
    0x1.71de357b6b534p-19, -0x1.ae5e68de3af0cp-26, 0x1.5d93b6a2b0589p-33};
constexpr double kCosineDouble[] = {
    0x1.555555555554cp-5,   -0x1.6c16c16c15224p-10, 0x1.a01a019cc01fdp-16,
    -0x1.27e4f813582e0p-22, 0x1.1ee9f1c9b1910p-29,  -0x1.8fb171142d4d8p-37};

/// x = quarters * pi/2 + rest, with |rest| within pi/4. Only the lowest two
/// bits of `quarters` count.
struct ReducedAngle {
  Value quarters;
  DoubleWord rest;
};

/// 64 bits of 2/pi from the one of weight 2^-(64 * word + 1 - leadingZeros) on.
uint64_t getWord(int64_t word, int64_t leadingZeros) {
  int64_t from = word * 64 - leadingZeros, at = from >> 6, shift = from & 63;
  auto read = [](int64_t i) {
    return i >= 0 && i < int64_t(std::size(kTwoOverPi)) ? kTwoOverPi[i] : 0;
  };
  return shift ? read(at) << shift | read(at + 1) >> (64 - shift) : read(at);
}

/// `count` words of 64 bits of 2/pi, behind `leadingZeros` zeros, from bit
/// `start` on, which is below 64 * 2^stages. Selections take the place of a
/// table in memory: each halves the words that are in question.
SmallVector<Value> extractBits(ElementArithmetic &a, Value start,
                               unsigned stages, unsigned count,
                               int64_t leadingZeros) {
  SmallVector<Value> words;
  for (unsigned i = 0; i < count + (1u << stages); ++i)
    words.push_back(a.bitsConstant(getWord(i, leadingZeros)));
  for (unsigned stage = stages; stage-- > 0;) {
    unsigned by = 1u << stage;
    Value isBeyond = a.hasBits(start, int64_t(64) << stage);
    for (unsigned i = 0; i < count + by; ++i)
      words[i] = a.select(isBeyond, words[i + by], words[i]);
    words.truncate(count + by);
  }
  Value shift = a.andBits(start, a.bitsConstant(63));
  Value back = a.subBits(a.bitsConstant(63), shift);
  for (unsigned i = 0; i < count; ++i)
    words[i] =
        a.orBits(a.shiftLeft(words[i], shift),
                 a.shiftRightZeros(a.shiftRightZeros(words[i + 1], 1), back));
  words.truncate(count);
  return words;
}

Value lowHalf(ElementArithmetic &a, Value word) {
  return a.andBits(word, a.bitsConstant(0xffffffff));
}
Value highHalf(ElementArithmetic &a, Value word) {
  return a.shiftRightZeros(word, 32);
}

/// A signed integer of fewer than 51 bits, exactly and without a conversion,
/// which not every vector unit has.
Value toDouble(ElementArithmetic &a, Value integer) {
  Value magic = a.constant(0x1.8p52);
  return a.sub(a.fromBits(a.addBits(integer, a.bitsOf(magic))), magic);
}

/// The product of x and 2/pi modulo 4, in digits of 32 bits from the one of
/// weight 2^1 on, for an x >= 1 of at most 24 bits.
SmallVector<Value> multiplySingle(ElementArithmetic &a, Value bits) {
  Value start = a.subBits(a.shiftRightZeros(bits, 52), a.bitsConstant(1023));
  Value integer = a.shiftRightZeros(
      a.orBits(a.andBits(bits, a.bitsConstant(0xfffffffffffff)),
               a.bitsConstant(int64_t(1) << 52)),
      29);
  SmallVector<Value> words = extractBits(a, start, 1, 2, 25);
  Value first = a.mulBits(integer, highHalf(a, words[0]));
  Value second = a.mulBits(integer, lowHalf(a, words[0]));
  Value third = a.mulBits(integer, highHalf(a, words[1]));
  second = a.addBits(second, highHalf(a, third));
  first = a.addBits(first, highHalf(a, second));
  return {lowHalf(a, first), lowHalf(a, second)};
}

/// The same for 53 bits.
SmallVector<Value> multiplyDouble(ElementArithmetic &a, Value bits) {
  Value start = a.subBits(a.shiftRightZeros(bits, 52), a.bitsConstant(1023));
  Value integer = a.orBits(a.andBits(bits, a.bitsConstant(0xfffffffffffff)),
                           a.bitsConstant(int64_t(1) << 52));
  SmallVector<Value> words = extractBits(a, start, 4, 3, 54);
  Value low = lowHalf(a, integer), high = highHalf(a, integer);
  SmallVector<Value> lowProducts, highProducts;
  for (unsigned i = 0; i < 6; ++i) {
    Value digit = i % 2 ? lowHalf(a, words[i / 2]) : highHalf(a, words[i / 2]);
    lowProducts.push_back(a.mulBits(low, digit));
    highProducts.push_back(a.mulBits(high, digit));
  }
  // The products with the high half have at most 53 bits: no sum overflows.
  SmallVector<Value> digits(4);
  Value carry = highHalf(a, highProducts[5]);
  for (unsigned i = 4; i-- > 0;) {
    Value column =
        a.addBits(highHalf(a, lowProducts[i + 1]), highProducts[i + 1]);
    column = a.addBits(a.addBits(column, lowHalf(a, lowProducts[i])), carry);
    digits[i] = lowHalf(a, column);
    carry = highHalf(a, column);
  }
  return digits;
}

/// Of a finite `magnitude` >= 0, in f64; for `isSingle` it has no more digits
/// than f32, and the rest is one word.
ReducedAngle reduceAngle(ElementArithmetic &a, Value magnitude, bool isSingle) {
  Value one = a.constant(1.0);
  Value isBelowOne = a.isLess(magnitude, one);
  Value bits = a.bitsOf(a.select(isBelowOne, one, magnitude));
  SmallVector<Value> digits =
      isSingle ? multiplySingle(a, bits) : multiplyDouble(a, bits);
  // Round to an integer; the first digit has 30 bits behind the point.
  Value rounded = a.addBits(digits[0], a.bitsConstant(1 << 29));
  Value quarters = a.shiftRightZeros(rounded, 30);
  Value fraction = a.subBits(a.andBits(rounded, a.bitsConstant((1 << 30) - 1)),
                             a.bitsConstant(1 << 29));
  auto part = [&](Value digit, double weight) {
    return a.mul(toDouble(a, digit), a.constant(weight));
  };
  DoubleWord turn =
      addOrdered(a, part(fraction, 0x1p-30), part(digits[1], 0x1p-62));
  DoubleWord rest;
  if (isSingle) {
    rest = {a.mul(turn.head, a.constant(kPiHalf)), a.constant(0.0)};
  } else {
    // Up to 61 leading bits may cancel, so all four digits count.
    DoubleWord more =
        addOrdered(a, part(digits[2], 0x1p-94), part(digits[3], 0x1p-126));
    DoubleWord sum = addOrdered(a, turn.head, more.head);
    turn =
        normalize(a, {sum.head, a.add(sum.tail, a.add(turn.tail, more.tail))});
    rest = normalize(a, mul(a, turn, constant(a, kPiHalf, kPiHalfRest)));
  }
  // Below 1, nothing is to be reduced or pi/2 itself, exactly, to be
  // subtracted.
  Value isSmall = a.isLess(magnitude, a.constant(kPiHalf / 2));
  Value zero = a.constant(0.0);
  DoubleWord nearOne = {a.sub(magnitude, a.constant(kPiHalf)),
                        a.constant(-kPiHalfRest)};
  if (isSingle)
    nearOne = {a.add(nearOne.head, nearOne.tail), zero};
  DoubleWord below = select(a, isSmall, {magnitude, zero}, nearOne);
  Value belowQuarters = a.select(isSmall, a.bitsConstant(0), a.bitsConstant(1));
  return {a.select(isBelowOne, belowQuarters, quarters),
          select(a, isBelowOne, below, rest)};
}

DoubleWord sineNearZero(ElementArithmetic &a, DoubleWord r, bool isSingle) {
  ArrayRef<double> table = isSingle ? ArrayRef(kSineSingle) : kSineDouble;
  Value square = a.mul(r.head, r.head);
  Value cubic = a.mul(a.mul(square, r.head), a.horner(square, table));
  if (isSingle)
    return {r.head, cubic};
  // sin(r + d) = sin(r) + d (1 - r^2/2), to the first order in d.
  Value slope = a.fma(square, a.constant(-0.5), a.constant(1.0));
  return {r.head, a.fma(r.tail, slope, cubic)};
}

DoubleWord cosineNearZero(ElementArithmetic &a, DoubleWord r, bool isSingle) {
  ArrayRef<double> table = isSingle ? ArrayRef(kCosineSingle) : kCosineDouble;
  DoubleWord square = mulExact(a, r.head, r.head);
  Value fourth =
      a.mul(a.mul(square.head, square.head), a.horner(square.head, table));
  Value minusHalf = a.constant(-0.5);
  DoubleWord sum =
      addOrdered(a, a.constant(1.0), a.mul(square.head, minusHalf));
  if (isSingle)
    return {sum.head, a.add(sum.tail, fourth)};
  // cos(r + d) = cos(r) - d r, to the first order in d and the third in r.
  Value change = a.fma(a.mul(r.tail, r.head), a.constant(-1.0),
                       a.mul(square.tail, minusHalf));
  return {sum.head, a.add(sum.tail, a.add(change, fourth))};
}

/// The format that `x` is computed in, and |x| in it.
struct Operand {
  Operand(ElementArithmetic &own, Value x)
      : a(own.inDouble()), isSingle(!own.isDouble()),
        magnitude(isSingle ? a.extend(own.abs(x)) : own.abs(x)) {}

  ElementArithmetic a;
  bool isSingle;
  Value magnitude;
};

/// Rounds a function of |x| to x's format and gives it the sign that is the
/// highest bit of `sign`; NaN where x isn't finite.
Value finish(ElementArithmetic &own, Operand &operand, Value result,
             Value sign) {
  ElementArithmetic &a = operand.a;
  sign = a.andBits(sign, a.bitsConstant(std::numeric_limits<int64_t>::min()));
  result = a.fromBits(a.xorBits(a.bitsOf(result), sign));
  Value isFinite = a.isLess(operand.magnitude, a.infinity());
  result = a.select(isFinite, result, a.nan());
  return operand.isSingle ? own.round(result) : result;
}

/// The sine of |x| + shift * pi/2, with the sign of x for odd functions.
Value sineOf(ImplicitLocOpBuilder &b, Value x, int64_t shift, bool isOdd) {
  ElementArithmetic own(b, x.getType());
  Operand operand(own, x);
  ElementArithmetic &a = operand.a;
  auto [quarters, rest] = reduceAngle(a, operand.magnitude, operand.isSingle);
  quarters = a.addBits(quarters, a.bitsConstant(shift));
  Value result = round(a, select(a, a.hasBits(quarters, 1),
                                 cosineNearZero(a, rest, operand.isSingle),
                                 sineNearZero(a, rest, operand.isSingle)));
  Value sign = a.shiftLeft(quarters, 62);
  if (isOdd)
    sign = a.xorBits(sign, a.bitsOf(operand.isSingle ? a.extend(x) : x));
  return finish(own, operand, result, sign);
}

} // namespace

Value scanweave::buildSin(ImplicitLocOpBuilder &b, Value x) {
  return sineOf(b, x, /*shift=*/0, /*isOdd=*/true);
}

Value scanweave::buildCos(ImplicitLocOpBuilder &b, Value x) {
  return sineOf(b, x, /*shift=*/1, /*isOdd=*/false);
}

Value scanweave::buildTan(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic own(b, x.getType());
  Operand operand(own, x);
  ElementArithmetic &a = operand.a;
  auto [quarters, rest] = reduceAngle(a, operand.magnitude, operand.isSingle);
  DoubleWord sine = normalize(a, sineNearZero(a, rest, operand.isSingle));
  DoubleWord cosine = normalize(a, cosineNearZero(a, rest, operand.isSingle));
  // In odd quarters, the cotangent's negative.
  Value isOdd = a.hasBits(quarters, 1);
  DoubleWord above = select(a, isOdd, cosine, sine);
  DoubleWord below = select(a, isOdd, sine, cosine);
  Value result = operand.isSingle ? a.div(above.head, below.head)
                                  : round(a, div(a, above, below));
  Value sign = a.xorBits(a.shiftLeft(quarters, 63),
                         a.bitsOf(operand.isSingle ? a.extend(x) : x));
  return finish(own, operand, result, sign);
}
