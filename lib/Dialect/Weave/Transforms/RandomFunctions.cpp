// SPDX-License-Identifier: Apache-2.0
//
// Random numbers of one counter: threefry2x32, and the numbers that JAX makes
// of its words.
//
// J. Salmon, M. Moraes, R. Dror, D. Shaw: Parallel random numbers: as easy as
// 1, 2, 3 (2011). M. Giles: Approximating the erfinv function (2012), for the
// substitution that makes the inverse error function a polynomial's business.
// Coefficients come from scripts/minimax.py.

#include "ElementFunctions/ElementArithmetic.h"
#include "scanweave/Dialect/Weave/Transforms/ElementFunctions.h"

using namespace mlir;
using namespace scanweave;

//===----------------------------------------------------------------------===//
// Threefry
//===----------------------------------------------------------------------===//

namespace {

Value wordConstant(ImplicitLocOpBuilder &b, Value like, int64_t value) {
  TypedAttr element = b.getI32IntegerAttr(static_cast<int32_t>(value));
  if (auto vector = dyn_cast<VectorType>(like.getType()))
    return arith::ConstantOp::create(b,
                                     DenseElementsAttr::get(vector, element));
  return arith::ConstantOp::create(b, element);
}

Value rotateLeft(ImplicitLocOpBuilder &b, Value word, int64_t by) {
  Value high = arith::ShLIOp::create(b, word, wordConstant(b, word, by));
  Value low = arith::ShRUIOp::create(b, word, wordConstant(b, word, 32 - by));
  return arith::OrIOp::create(b, high, low);
}

} // namespace

ThreefryKey scanweave::buildThreefryKey(ImplicitLocOpBuilder &b, WordPair key) {
  Value parity = wordConstant(b, key.first, 0x1BD11BDA);
  Value third = arith::XOrIOp::create(
      b, arith::XOrIOp::create(b, key.first, key.second), parity);
  Value words[] = {key.first, key.second, third};
  ThreefryKey schedule;
  for (unsigned group = 0; group < 6; ++group) {
    Value second = words[(group + 1) % 3];
    if (group > 0)
      second =
          arith::AddIOp::create(b, second, wordConstant(b, key.first, group));
    schedule.injections[group] = {words[group % 3], second};
  }
  return schedule;
}

WordPair scanweave::buildThreefry(ImplicitLocOpBuilder &b,
                                  const ThreefryKey &key, WordPair counter) {
  constexpr int64_t rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  auto inject = [&](WordPair words, unsigned group) -> WordPair {
    const WordPair &injection = key.injections[group];
    return {arith::AddIOp::create(b, words.first, injection.first),
            arith::AddIOp::create(b, words.second, injection.second)};
  };
  WordPair words = inject(counter, 0);
  for (unsigned group = 0; group < 5; ++group) {
    for (int64_t rotation : rotations[group % 2]) {
      words.first = arith::AddIOp::create(b, words.first, words.second);
      words.second = arith::XOrIOp::create(
          b, words.first, rotateLeft(b, words.second, rotation));
    }
    words = inject(words, group + 1);
  }
  return words;
}

//===----------------------------------------------------------------------===//
// Bits and uniform numbers
//===----------------------------------------------------------------------===//

namespace {

/// `element`, shaped like `value`.
Type shapedLike(Value value, Type element) {
  auto vector = dyn_cast<VectorType>(value.getType());
  return vector ? Type(vector.clone(element)) : element;
}

} // namespace

Value scanweave::buildRandomBits(ImplicitLocOpBuilder &b, WordPair hash,
                                 unsigned width) {
  Type type = shapedLike(hash.first, b.getIntegerType(width));
  if (width == 64) {
    Value high = arith::ExtUIOp::create(b, type, hash.first);
    Value low = arith::ExtUIOp::create(b, type, hash.second);
    TypedAttr by = b.getI64IntegerAttr(32);
    if (auto vector = dyn_cast<VectorType>(type))
      by = DenseElementsAttr::get(vector, Attribute(by));
    high = arith::ShLIOp::create(b, high, arith::ConstantOp::create(b, by));
    return arith::OrIOp::create(b, high, low);
  }
  Value word = arith::XOrIOp::create(b, hash.first, hash.second);
  return width == 32 ? word : arith::TruncIOp::create(b, type, word);
}

Value scanweave::buildUniform(ImplicitLocOpBuilder &b, WordPair hash,
                              FloatType type) {
  ElementArithmetic a(b, shapedLike(hash.first, type));
  Value bits = buildRandomBits(b, hash, type.getWidth());
  Value fraction = arith::ShRUIOp::create(
      b, bits, a.bitsConstant(type.getWidth() - a.fractionBits()));
  Value oneToTwo = a.fromBits(
      arith::OrIOp::create(b, fraction, a.bitsConstant(a.oneBits())));
  return a.sub(oneToTwo, a.constant(1.0));
}

//===----------------------------------------------------------------------===//
// Normal numbers
//===----------------------------------------------------------------------===//

namespace {

/// sqrt(2) * erf_inv(u) / u is a smooth function of w = -log2(1 - u^2) for
/// small w, and of sqrt(w) for large w. It is therefore one of t = sqrt(w +
/// shift) throughout, and a polynomial in t gives it without a case distinction
/// per element. f64 needs so high a degree that two polynomials, for small and
/// for large t, cost less.
struct NormalFormat {
  double shift;
  /// -log2(1 + r) / r for r in [sqrt(1/2) - 1, sqrt(2) - 1].
  ArrayRef<double> log;
  /// The quotient, in t - center.
  double center;
  ArrayRef<double> quotient;
  /// The same for t of at least `tailStart`, if there is a tail.
  double tailStart, tailCenter;
  ArrayRef<double> tail;
};

// Absolute errors of the logarithms: 9.7e-9 and 1.5e-17. Relative errors of the
// quotients: 3.4e-8 and 3.8e-17.
constexpr double kLogSingle[] = {
    -0x1.715472p+0, 0x1.715474p-1,  -0x1.ec78b2p-2,
    0x1.715bcep-2,  -0x1.26645cp-2, 0x1.e92a28p-3,
    -0x1.c0a884p-3, 0x1.ab399ep-3,  -0x1.e76874p-4};
constexpr double kQuotientSingle[] = {
    0x1.de569cp+0,  0x1.1abfd2p+0,   0x1.e1077p-3,   -0x1.5dcea4p-4,
    -0x1.bc3fd8p-6, 0x1.2bfdc8p-6,   0x1.dd17fep-8,  -0x1.270648p-8,
    -0x1.49739p-9,  0x1.b9744cp-10,  0x1.38259p-11,  -0x1.c0fe7cp-11,
    0x1.72cddap-12, -0x1.3733e8p-14, 0x1.0b97a2p-17, -0x1.7044e6p-22};
constexpr double kLogDouble[] = {
    -0x1.71547652b8302p+0, 0x1.71547652b8300p-1,  -0x1.ec709dc39e005p-2,
    0x1.71547652b66fdp-2,  -0x1.2776c51081163p-2, 0x1.ec709dc7983b3p-3,
    -0x1.a61761b591d09p-3, 0x1.7154749bb49fdp-3,  -0x1.484b3c1bbba2fp-3,
    0x1.2777236da32d1p-3,  -0x1.0c96ad1f15b13p-3, 0x1.ec5a00cfb9d10p-4,
    -0x1.c6f9fa65f3af1p-4, 0x1.a7a9df2782eddp-4,  -0x1.871a2607d4095p-4,
    0x1.616bad742f03cp-4,  -0x1.5ddc5d929358fp-4, 0x1.9967081c7a857p-4,
    -0x1.8676e252bac3ep-4, 0x1.5f356464aa092p-5};
constexpr double kQuotientDouble[] = {
    0x1.de569cbac0c1bp+0,   0x1.1abfd4067164ep+0,   0x1.e105565d44be2p-3,
    -0x1.5dd1399fb4929p-4,  -0x1.bb5f34a55e806p-6,  0x1.2bc9e62c98cfep-6,
    0x1.cc7c12fca4300p-8,   -0x1.183bbd6b699f8p-8,  -0x1.10db243f1e180p-9,
    0x1.f1fe1e9b9a86fp-11,  0x1.4a33de94ddc20p-11,  -0x1.96cc09f3d0addp-13,
    -0x1.865e744258e97p-13, 0x1.1ab17f8101203p-15,  0x1.bfc8ca4d18b2ap-15,
    -0x1.f02bb3732c170p-19, -0x1.f6ecc565a69a6p-17, -0x1.e7f8f2a07587cp-22,
    0x1.206e8846691d6p-18,  0x1.4dc153f46c021p-22,  -0x1.5a293c991fe3cp-20,
    0x1.8d5bf02dee043p-24,  0x1.2d598e7da930fp-22,  -0x1.ddb71ad3d2c5fp-24,
    0x1.c046c375759ecp-27};
constexpr double kTailDouble[] = {
    0x1.56e45d8bef78fp+2,   0x1.40b1d6f6811cdp+0,   -0x1.96387c591985fp-7,
    0x1.1b895e9ed4fe7p-9,   -0x1.84a9d0209fc4ep-12, 0x1.5cdf7f686eaddp-15,
    0x1.0ed1eee552a2cp-16,  -0x1.4523e9c1b1cc5p-16, 0x1.9ea63d60f795fp-17,
    -0x1.868df5afa4fa3p-18, 0x1.0d75f5b8aa660p-19,  -0x1.b84ece23bf421p-22,
    -0x1.219f4e77f662cp-25, 0x1.2fcb66fd4584dp-24,  -0x1.183eb45c89b7ep-25,
    0x1.174271edffebdp-27,  -0x1.a1e1cd458b709p-32, -0x1.590353bec3c8bp-31,
    0x1.4b54648ac4fa3p-32,  -0x1.4033df1edb275p-34, 0x1.30341f2a208a8p-37,
    0x1.25e799ceb3e7ap-40,  -0x1.a0f39af7e0599p-40, 0x1.b483e129461a4p-41,
    -0x1.a66353b8c40a6p-43, -0x1.af31305beb81ep-48, 0x1.0798b25da69edp-46,
    -0x1.d0868b9c84a5bp-49, 0x1.14b15c1b8ae58p-52};

const NormalFormat &normalFormatOf(const ElementArithmetic &a) {
  static const NormalFormat single = {2.5, kLogSingle, 2.25, kQuotientSingle,
                                      0.0, 0.0,        {}};
  static const NormalFormat dbl = {
      2.5, kLogDouble, 2.25, kQuotientDouble, 0x1.b211b1c70d023p+1,
      5.0, kTailDouble};
  return a.isDouble() ? dbl : single;
}

} // namespace

Value scanweave::buildNormal(ImplicitLocOpBuilder &b, WordPair hash,
                             FloatType type) {
  Value uniform = buildUniform(b, hash, type);
  ElementArithmetic a(b, uniform.getType());
  const NormalFormat &format = normalFormatOf(a);

  // JAX maps [0, 1) to [lo, 1) with lo the number next to -1, as
  // max(lo, uniform * (1 - lo) + lo). 1 - lo rounds to 2 and the sum is exact:
  // an odd multiple of 2^-24 (2^-53). So u is never 0 nor +-1, and the maximum
  // is the sum itself.
  double lo = type.isF64() ? -0x1.fffffffffffffp-1 : -0x1.fffffep-1;
  Value u = a.fma(uniform, a.constant(2.0), a.constant(lo));

  // 1 - u^2 rounded once, a normal number; -log1p(-u * u) would lose most
  // digits near u = +-1.
  Value complement = a.fma(a.neg(u), u, a.constant(1.0));
  Value exponent = a.toReal(a.exponentOf(complement));
  Value fraction = a.fractionOf(complement);
  // The absolute error of w is what counts, so its two parts are simply added.
  Value shifted = a.fma(a.polynomial(fraction, format.log), fraction,
                        a.sub(a.constant(format.shift), exponent));
  Value t = a.sqrt(shifted);
  Value quotient =
      a.inHalves(a.sub(t, a.constant(format.center)), format.quotient);
  if (!format.tail.empty()) {
    Value tail =
        a.inHalves(a.sub(t, a.constant(format.tailCenter)), format.tail);
    quotient =
        a.select(a.isLess(t, a.constant(format.tailStart)), quotient, tail);
  }
  return a.mul(u, quotient);
}
