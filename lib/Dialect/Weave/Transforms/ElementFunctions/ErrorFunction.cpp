// SPDX-License-Identifier: Apache-2.0
//
// The error function of one element and its complement. Far from zero,
// (1 + 2x) exp(x^2) erfc(x) is a polynomial in (x - 3) / (x + 3), after
// Shepherd and Laframboise (Chebyshev approximation of (1 + 2x) exp(x^2) erfc
// x, Mathematics of Computation 36, 1981).

#include "Exponential.h"

using namespace mlir;
using namespace scanweave;

namespace {

// erf(x) / x - 1 in x^2 for |x| <= 1 (scripts/minimax.py). Maximal relative
// errors of erf: 1.5e-9 and 1.1e-17.
constexpr double kErrorSingle[] = {0x1.06eba80000000p-3, -0x1.81273e0000000p-2,
                                   0x1.ce2cf20000000p-4, -0x1.b7f88c0000000p-6,
                                   0x1.5401700000000p-8, -0x1.a3d7ea0000000p-11,
                                   0x1.4916e00000000p-14};
constexpr double kErrorDouble[] = {
    0x1.06eba8214db69p-3,   -0x1.812746b037a05p-2,  0x1.ce2f21a043f14p-4,
    -0x1.b82ce312e43a5p-6,  0x1.565bcd1de7329p-8,   -0x1.c02db74cf2559p-11,
    0x1.f9a39f635066dp-14,  -0x1.f4de46e602c0cp-17, 0x1.babcaef97bf8bp-20,
    -0x1.6a26d272af503p-23, 0x1.5f71a14955a48p-26,  -0x1.853336f49185fp-28,
    0x1.47ce59187bf8dp-29,  -0x1.84cc68f385d8cp-31, 0x1.a82ae46343466p-34};

// (1 + 2x) exp(x^2) erfc(x) - 5/4 in (x - 3) / (x + 3) from 0 to where erfc(x)
// is below all numbers. Maximal relative errors of erfc: 1.0e-9 and 2.5e-19.
constexpr double kComplementSingle[] = {
    0x1.8a45b80000000p-9,   -0x1.15c0860000000p-3,  -0x1.85a19a0000000p-5,
    0x1.09838a0000000p-3,   -0x1.e888f20000000p-4,  0x1.17c89c0000000p-4,
    -0x1.85c3e00000000p-6,  0x1.4afbf40000000p-9,   0x1.ff22940000000p-10,
    -0x1.8094c00000000p-11, -0x1.6d8b9c0000000p-13, 0x1.3f0a8c0000000p-15};
constexpr double kComplementDouble[] = {
    0x1.8a45afc930e68p-9,   -0x1.15c084bb9e8f3p-3,  -0x1.85a15c58aa60ep-5,
    0x1.098366a5b46bep-3,   -0x1.e88b803a48988p-4,  0x1.17ca2877f14ccp-4,
    -0x1.8574c40c15053p-6,  0x1.4b884e4342c31p-9,   0x1.ef1bdd892bbc1p-10,
    -0x1.98db50eaf33aep-11, -0x1.b91297e48a53ap-14, 0x1.065a331c59fcep-13,
    0x1.4c30c7ddf84d1p-18,  -0x1.513ad4a9bbcffp-16, -0x1.89a62a201a859p-21,
    0x1.d1feaf3589458p-19,  0x1.830c032c7fbcep-22,  -0x1.4a64e52b08c92p-21,
    -0x1.3afbfe86d9012p-23, 0x1.ad0d7f8ac49e6p-24,  0x1.8e5c3cab63444p-25,
    -0x1.87c01efb1906fp-27, -0x1.781474dd9488ap-27, -0x1.46240b17f562cp-34,
    0x1.a40a533b0e748p-30,  0x1.189562a61ee17p-32,  -0x1.5fef4a3bb636fp-35};

/// erfc(x) of an x >= 0 as significand * 2^exponent.
struct Complement {
  DoubleWord significand;
  Value exponent;
};

Complement complementOf(ElementArithmetic &a, Value x) {
  x = atMost(a, x, a.isDouble() ? 28.0 : 11.0);
  // exp(-x^2), with the square in two words.
  DoubleWord square = mulExact(a, x, x);
  ReducedExp reduced = reduceExp(a, negate(a, square));
  DoubleWord exponential = normalize(a, significandOf(a, reduced));
  Value three = a.constant(3.0);
  Value t = a.div(a.sub(x, three), a.add(x, three));
  ArrayRef<double> table =
      a.isDouble() ? ArrayRef(kComplementDouble) : kComplementSingle;
  DoubleWord polynomial = addOrdered(a, a.constant(1.25), a.horner(t, table));
  DoubleWord below = addExact(a, a.constant(1.0), a.add(x, x));
  DoubleWord quotient = div(a, mul(a, exponential, polynomial), below);
  return {quotient, reduced.exponent};
}

/// erf(x) / x - 1 for |x| <= 1.
Value errorNearZero(ElementArithmetic &a, Value x) {
  ArrayRef<double> table = a.isDouble() ? ArrayRef(kErrorDouble) : kErrorSingle;
  return a.horner(a.mul(x, x), table);
}

} // namespace

Value scanweave::buildErf(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  Value one = a.constant(1.0), magnitude = a.abs(x);
  // From 6 on, erf is 1 to the last bit.
  auto [significand, exponent] = complementOf(a, atMost(a, magnitude, 6.0));
  Value scale = powerOfTwo(a, exponent);
  DoubleWord rest = addOrdered(a, one, a.neg(a.mul(scale, significand.head)));
  Value far =
      a.add(rest.head, a.fma(a.neg(scale), significand.tail, rest.tail));
  Value near = a.fma(magnitude, errorNearZero(a, magnitude), magnitude);
  Value isNear = a.isLess(magnitude, one);
  return a.copySign(a.select(isNear, near, far), x);
}

Value scanweave::buildErfc(ImplicitLocOpBuilder &b, Value x) {
  ElementArithmetic a(b, x.getType());
  Value zero = a.constant(0.0);
  auto [significand, exponent] = complementOf(a, a.abs(x));
  Value right = scaleBy(a, round(a, significand), exponent);
  // 2 - erfc(-x), whose tail counts as long as its exponent is an ordinary one.
  Value scale = powerOfTwo(a, a.maxBits(exponent, a.bitsConstant(-100)));
  DoubleWord rest =
      addOrdered(a, a.constant(2.0), a.neg(a.mul(scale, significand.head)));
  Value left =
      a.add(rest.head, a.fma(a.neg(scale), significand.tail, rest.tail));
  Value result = a.select(a.isLess(x, zero), left, right);
  // Near zero, the complement is computed as such: 1 - erf(x).
  DoubleWord sum = addOrdered(a, a.constant(1.0), a.neg(x));
  Value near = a.add(sum.head, a.fma(a.neg(x), errorNearZero(a, x), sum.tail));
  Value isNear = a.isLess(a.abs(x), a.constant(0.5));
  return a.select(isNear, near, result);
}
