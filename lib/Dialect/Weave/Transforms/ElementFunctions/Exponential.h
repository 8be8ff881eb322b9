// SPDX-License-Identifier: Apache-2.0
//
// What the exponential shares with the functions made from it, and the
// logarithm with those made from that.

#ifndef SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_ELEMENTFUNCTIONS_EXPONENTIAL_H
#define SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_ELEMENTFUNCTIONS_EXPONENTIAL_H

#include "DoubleWord.h"

#include "scanweave/Dialect/Weave/Transforms/ElementFunctions.h"

namespace scanweave {

/// exp(x) = 2^exponent * (1 + high + low), with high within log(2)/2.
struct ReducedExp {
  mlir::Value exponent;
  mlir::Value high, low;
};

/// For an x whose exponential is within the format's range or just beyond.
ReducedExp reduceExp(ElementArithmetic &a, mlir::Value x);

/// The exponential of x + tail, for a small tail.
ReducedExp reduceExp(ElementArithmetic &a, DoubleWord x);

/// 1 + high + low, to somewhat more than the format's digits.
DoubleWord significandOf(ElementArithmetic &a, const ReducedExp &reduced);

/// x * 2^exponent, for x near 1. It overflows and goes subnormal as it should.
mlir::Value scaleBy(ElementArithmetic &a, mlir::Value x, mlir::Value exponent);

/// expm1(x) / 2, so that no intermediate result overflows. The sum of the two
/// is the result; the tail may be a tenth of the head.
DoubleWord halfExpm1(ElementArithmetic &a, const ReducedExp &reduced);

/// Below it, expm1 is -1 to the last bit.
double leastExpm1(const ElementArithmetic &a);

/// 2^exponent as a float, for exponents of normal numbers.
inline mlir::Value powerOfTwo(ElementArithmetic &a, mlir::Value exponent) {
  return a.fromBits(a.addBits(a.shiftLeft(exponent, a.fractionBits()),
                              a.bitsConstant(a.oneBits())));
}

/// `x`, but at most this; NaN stays.
inline mlir::Value atMost(ElementArithmetic &a, mlir::Value x,
                          double greatest) {
  mlir::Value high = a.constant(greatest);
  return a.select(a.isLess(high, x), high, x);
}

/// `x`, but at least and at most these; NaN stays.
inline mlir::Value clamp(ElementArithmetic &a, mlir::Value x, double least,
                         double greatest) {
  mlir::Value low = a.constant(least);
  return atMost(a, a.select(a.isLess(x, low), low, x), greatest);
}

/// `x` where f(x) = x to the last bit, as for log1p, expm1 and tanh: close to
/// zero, -0 and subnormals included.
inline mlir::Value identityNearZero(ElementArithmetic &a, mlir::Value x,
                                    mlir::Value otherwise) {
  mlir::Value tiny = a.constant(a.isDouble() ? 0x1p-55 : 0x1p-26);
  return a.select(a.isLess(a.abs(x), tiny), x, otherwise);
}

} // namespace scanweave

#endif // SCANWEAVE_LIB_DIALECT_WEAVE_TRANSFORMS_ELEMENTFUNCTIONS_EXPONENTIAL_H
