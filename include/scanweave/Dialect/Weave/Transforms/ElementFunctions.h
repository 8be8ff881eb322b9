// SPDX-License-Identifier: Apache-2.0
//
// Functions of one element, built from operations whose results IEEE 754 fixes
// to the last bit: additions, multiplications, fused multiply-adds, square
// roots, divisions, comparisons, selections and integer operations. So every
// target, every vector width and every optimisation level gives the same bits.
// There is no branch, no table and no call: a loop over elements vectorises.
//
// Operands are scalars or vectors. The accuracies below are in units in the
// last place of the exact result, over all operands (f32) or sampled ones
// (f64); test/Unit/Numerics measures them. The floating-point mode is assumed
// to keep subnormals and to round to nearest.

#ifndef SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_ELEMENTFUNCTIONS_H
#define SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_ELEMENTFUNCTIONS_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Value.h"

#include <array>

namespace scanweave {

//===----------------------------------------------------------------------===//
// Elementary functions
//===----------------------------------------------------------------------===//

// On f32, f64 and vectors of these, within 1 ulp as far as nothing else is
// said.

/// The natural logarithm, and those to base 2 and 10.
mlir::Value buildLog(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
mlir::Value buildLog2(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
mlir::Value buildLog10(mlir::ImplicitLocOpBuilder &b, mlir::Value x);

/// log(1 + x).
mlir::Value buildLog1p(mlir::ImplicitLocOpBuilder &b, mlir::Value x);

/// The exponential, subnormal results too, and that to base 2.
mlir::Value buildExp(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
mlir::Value buildExp2(mlir::ImplicitLocOpBuilder &b, mlir::Value x);

/// exp(x) - 1.
mlir::Value buildExpm1(mlir::ImplicitLocOpBuilder &b, mlir::Value x);

/// The trigonometric functions, of arguments of any size.
mlir::Value buildSin(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
mlir::Value buildCos(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
mlir::Value buildTan(mlir::ImplicitLocOpBuilder &b, mlir::Value x);

/// Their inverse functions, and the angle of the vector (x, y).
mlir::Value buildAsin(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
mlir::Value buildAcos(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
mlir::Value buildAtan(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
mlir::Value buildAtan2(mlir::ImplicitLocOpBuilder &b, mlir::Value y,
                       mlir::Value x);

/// The hyperbolic functions and their inverse functions.
mlir::Value buildSinh(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
mlir::Value buildCosh(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
mlir::Value buildTanh(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
mlir::Value buildAsinh(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
mlir::Value buildAcosh(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
mlir::Value buildAtanh(mlir::ImplicitLocOpBuilder &b, mlir::Value x);

/// 1 / sqrt(x); -inf of -0, as IEEE 754 recommends.
mlir::Value buildRsqrt(mlir::ImplicitLocOpBuilder &b, mlir::Value x);

/// The cube root.
mlir::Value buildCbrt(mlir::ImplicitLocOpBuilder &b, mlir::Value x);

/// x^y, and x^n for an integer n of at most 32 bits.
mlir::Value buildPow(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                     mlir::Value y);
mlir::Value buildFpowi(mlir::ImplicitLocOpBuilder &b, mlir::Value x,
                       mlir::Value n);

/// The error function and 1 less it.
mlir::Value buildErf(mlir::ImplicitLocOpBuilder &b, mlir::Value x);
mlir::Value buildErfc(mlir::ImplicitLocOpBuilder &b, mlir::Value x);

//===----------------------------------------------------------------------===//
// Random numbers
//===----------------------------------------------------------------------===//

/// Two 32-bit words: a key, a counter or a hash.
struct WordPair {
  mlir::Value first;
  mlir::Value second;
};

/// A key with all that threefry2x32 adds to its words, computed once for all
/// the counters hashed under it.
struct ThreefryKey {
  /// What is added to the first and to the second word before round 0, 4, ...,
  /// 20.
  std::array<WordPair, 6> injections;
};

ThreefryKey buildThreefryKey(mlir::ImplicitLocOpBuilder &b, WordPair key);

/// The 20 rounds of threefry2x32.
WordPair buildThreefry(mlir::ImplicitLocOpBuilder &b, const ThreefryKey &key,
                       WordPair counter);

/// 8, 16, 32 or 64 random bits of a hash, the same as JAX's.
mlir::Value buildRandomBits(mlir::ImplicitLocOpBuilder &b, WordPair hash,
                            unsigned width);

/// A uniform number in [0, 1) of type f32 or f64, the same as JAX's.
mlir::Value buildUniform(mlir::ImplicitLocOpBuilder &b, WordPair hash,
                         mlir::FloatType type);

/// A standard normal number: sqrt(2) * erf_inv(u), with u uniform in (-1, 1)
/// and the same as JAX's; within 4 ulp.
mlir::Value buildNormal(mlir::ImplicitLocOpBuilder &b, WordPair hash,
                        mlir::FloatType type);

} // namespace scanweave

#endif // SCANWEAVE_DIALECT_WEAVE_TRANSFORMS_ELEMENTFUNCTIONS_H
