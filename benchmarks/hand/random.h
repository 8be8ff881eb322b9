// SPDX-License-Identifier: Apache-2.0
//
// What the hand-written programs share: vectors as wide as the target's
// registers, threefry2x32 (Salmon et al. 2011), and uniform and normal numbers
// of its bits.

#ifndef BENCHMARKS_HAND_RANDOM_H
#define BENCHMARKS_HAND_RANDOM_H

#include <cmath>
#include <cstdint>
#include <cstring>

#ifdef __AVX512F__
constexpr int lanes = 16;
#else
constexpr int lanes = 8;
#endif
constexpr int interleaved = 4;

/// Of N numbers. Code over several times the lanes of a register interleaves
/// as many independent chains; four of them are the fastest.
template <int N> struct Vectors {
  typedef uint32_t UInt __attribute__((ext_vector_type(N)));
  typedef int32_t Int __attribute__((ext_vector_type(N)));
  typedef float Float __attribute__((ext_vector_type(N)));
};

template <typename T> inline T rotate(T x, int by) {
  return (x << by) | (x >> (32 - by));
}

/// 20 rounds, of numbers or of vectors of them.
template <typename Key, typename T>
inline void threefry(Key k0, Key k1, T &x0, T &x1) {
  const Key keys[3] = {k0, k1, k0 ^ k1 ^ 0x1BD11BDAu};
  constexpr int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  x0 += keys[0];
  x1 += keys[1];
#pragma clang loop unroll(full)
  for (int round = 0; round < 5; ++round) {
#pragma clang loop unroll(full)
    for (int i = 0; i < 4; ++i) {
      x0 += x1;
      x1 = rotate(x1, rotations[round & 1][i]) ^ x0;
    }
    x0 += keys[(round + 1) % 3];
    x1 += keys[(round + 2) % 3] + uint32_t(round + 1);
  }
}

/// The bits that the key has at the counters.
template <typename Key, typename T> inline T bits(Key k0, Key k1, T counter) {
  T x0{};
  threefry(k0, k1, x0, counter);
  return x0 ^ counter;
}

/// A uniform number in [0, 1).
inline float uniform(uint32_t k0, uint32_t k1, uint32_t counter) {
  uint32_t mantissa = (bits(k0, k1, counter) >> 9) | 0x3f800000u;
  float result;
  std::memcpy(&result, &mantissa, sizeof result);
  return result - 1;
}

/// Normal numbers of vectors of N random bits.
template <int N> struct Normal {
  using UInt = typename Vectors<N>::UInt;
  using Int = typename Vectors<N>::Int;
  using Float = typename Vectors<N>::Float;

  static Float select(Int mask, Float a, Float b) {
    return (Float)(((Int)a & mask) | ((Int)b & ~mask));
  }

  /// Natural logarithm of positive normal numbers (Cephes' logf polynomial).
  static Float logarithm(Float x) {
    Int pattern = (Int)x;
    Int exponent = (pattern - 0x3f3504f3) >> 23;
    Float m = (Float)(pattern - (exponent << 23)) - 1.0f;
    Float e = __builtin_convertvector(exponent, Float);
    const float c[8] = {-1.1514610310e-1f, 1.1676998740e-1f,  -1.2420140846e-1f,
                        1.4249322787e-1f,  -1.6668057665e-1f, 2.0000714765e-1f,
                        -2.4999993993e-1f, 3.3333331174e-1f};
    Float z = m * m, p = m * 7.0376836292e-2f + c[0];
    for (int i = 1; i < 8; ++i)
      p = p * m + c[i];
    return m + (m * z * p - 0.5f * z + e * 0.693147181f);
  }

  static Float polynomial(const float (&c)[9], Float t) {
    Float p = t * c[0] + c[1];
    for (int i = 2; i < 9; ++i)
      p = p * t + c[i];
    return p;
  }

  /// sqrt(2) * erf_inv(u) by Giles' polynomials (2012). The second one, of the
  /// tails, is evaluated only where one of the numbers needs it.
  static Float of(UInt random) {
    const float centre[9] = {2.81022636e-08f,  3.43273939e-07f, -3.5233877e-06f,
                             -4.39150654e-06f, 0.00021858087f,  -0.00125372503f,
                             -0.00417768164f,  0.246640727f,    1.50140941f};
    const float tail[9] = {-0.000200214257f, 0.000100950558f, 0.00134934322f,
                           -0.00367342844f,  0.00573950773f,  -0.0076224613f,
                           0.00943887047f,   1.00167406f,     2.83297682f};
    Float unit = (Float)((random >> 9) | 0x3f800000u) - 1.0f;
    // Fast-math would make the least of them -1, whose normal is infinite.
    Float least = Float{} + -0.99999994f, u = unit * 2.0f + least;
    u = select(u > least, u, least);
    Float w = -logarithm((1.0f - u) * (1.0f + u));
    Float p = polynomial(centre, w - 2.5f);
    Int far = w >= 5.0f;
    if (__builtin_expect(__builtin_reduce_or(far) != 0, 0))
      p = select(far, polynomial(tail, __builtin_elementwise_sqrt(w) - 3.0f),
                 p);
    return p * u * 1.41421356237f;
  }
};

#endif // BENCHMARKS_HAND_RANDOM_H
