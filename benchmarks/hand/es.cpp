// SPDX-License-Identifier: Apache-2.0
//
// The motivating program written by hand, as the mark to measure against:
// OpenAI-ES on f(x) = -x.x with the noise of each step drawn by threefry2x32,
// vectorised with the compiler's vector types, one worker. Dimensions and
// samples are compile-time constants (-DDIMS=10 -DSAMPLES=4), so that all
// noise of a step can stay in registers. Built with -O3 -march=native, with or
// without -ffast-math.
//
//   es_hand [steps [seed]]    prints x, the time and the time per step

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#ifndef DIMS
#define DIMS 10
#endif
#ifndef SAMPLES
#define SAMPLES 4
#endif
#ifndef LANES
#define LANES 16
#endif

namespace {

typedef uint32_t UInt __attribute__((vector_size(4 * LANES)));
typedef int32_t Int __attribute__((vector_size(4 * LANES)));
typedef float Float __attribute__((vector_size(4 * LANES)));

constexpr int total = DIMS * SAMPLES;
constexpr int vectors = (total + LANES - 1) / LANES;

template <typename T> T rotate(T x, int by) {
  return (x << by) | (x >> (32 - by));
}

/// Threefry2x32, 20 rounds (Salmon et al. 2011).
template <typename T> void threefry(uint32_t k0, uint32_t k1, T &x0, T &x1) {
  const uint32_t keys[3] = {k0, k1, k0 ^ k1 ^ 0x1BD11BDAu};
  constexpr int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  x0 += keys[0];
  x1 += keys[1];
#pragma clang loop unroll(full)
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 4; ++i) {
      x0 += x1;
      x1 = rotate(x1, rotations[round & 1][i]);
      x1 ^= x0;
    }
    x0 += keys[(round + 1) % 3];
    x1 += keys[(round + 2) % 3] + uint32_t(round + 1);
  }
}

Float splat(float value) { return Float{} + value; }
Float select(Int mask, Float a, Float b) {
  return (Float)(((Int)a & mask) | ((Int)b & ~mask));
}

/// Natural logarithm of positive normal numbers (Cephes' logf polynomial).
Float logarithm(Float x) {
  Int bits = (Int)x;
  Int exponent = (bits - 0x3f3504f3) >> 23;
  Float m = (Float)(bits - (exponent << 23)) - 1.0f;
  Float e = __builtin_convertvector(exponent, Float);
  Float z = m * m;
  Float p = splat(7.0376836292e-2f);
  p = p * m - 1.1514610310e-1f;
  p = p * m + 1.1676998740e-1f;
  p = p * m - 1.2420140846e-1f;
  p = p * m + 1.4249322787e-1f;
  p = p * m - 1.6668057665e-1f;
  p = p * m + 2.0000714765e-1f;
  p = p * m - 2.4999993993e-1f;
  p = p * m + 3.3333331174e-1f;
  return m + (m * z * p - 0.5f * z + e * 0.693147181f);
}

Float squareRoot(Float x) {
  Float r;
  for (int i = 0; i < LANES; ++i)
    r[i] = std::sqrt(x[i]);
  return r;
}

/// sqrt(2) * erf_inv(u), both of Giles' polynomials (2012) evaluated.
Float normal(UInt bits) {
  Float unit = (Float)((bits >> 9) | 0x3f800000u) - 1.0f;
  Float u = unit * 2.0f + -0.99999994f;
  Float w = -logarithm((1.0f - u) * (1.0f + u));
  Int small = w < 5.0f;
  Float ws = w - 2.5f, wl = squareRoot(w) - 3.0f;
  Float t = select(small, ws, wl);
  const float cs[9] = {2.81022636e-08f,  3.43273939e-07f, -3.5233877e-06f,
                       -4.39150654e-06f, 0.00021858087f,  -0.00125372503f,
                       -0.00417768164f,  0.246640727f,    1.50140941f};
  const float cl[9] = {-0.000200214257f, 0.000100950558f, 0.00134934322f,
                       -0.00367342844f,  0.00573950773f,  -0.0076224613f,
                       0.00943887047f,   1.00167406f,     2.83297682f};
  Float p = select(small, splat(cs[0]), splat(cl[0]));
  for (int i = 1; i < 9; ++i)
    p = p * t + select(small, splat(cs[i]), splat(cl[i]));
  return p * u * 1.41421356237f;
}

void step(float *x, uint32_t k0, uint32_t k1, float std, float stepsize) {
  alignas(64) float z[vectors * LANES];
#pragma clang loop unroll(full)
  for (int v = 0; v < vectors; ++v) {
    UInt counter;
    for (int i = 0; i < LANES; ++i)
      counter[i] = v * LANES + i;
    UInt x0{}, x1 = counter;
    threefry(k0, k1, x0, x1);
    Float draws = normal(x0 ^ x1);
    std::memcpy(z + v * LANES, &draws, sizeof draws);
  }
  float gradient[DIMS] = {};
  for (int s = 0; s < SAMPLES; ++s) {
    const float *row = z + s * DIMS;
    float plus = 0, minus = 0;
    for (int d = 0; d < DIMS; ++d) {
      float p = x[d] + std * row[d], m = x[d] - std * row[d];
      plus += p * p;
      minus += m * m;
    }
    float y = minus - plus;
    for (int d = 0; d < DIMS; ++d)
      gradient[d] += y * row[d];
  }
  for (int d = 0; d < DIMS; ++d)
    x[d] += stepsize * gradient[d];
}

} // namespace

int main(int argc, char **argv) {
  long steps = argc > 1 ? std::atol(argv[1]) : 1000000;
  uint32_t seed = argc > 2 ? std::strtoul(argv[2], nullptr, 0) : 0;
  std::vector<uint32_t> keys(2 * steps);
  for (long i = 0; i < steps; ++i) {
    uint32_t x0 = uint32_t(uint64_t(i) >> 32), x1 = uint32_t(i);
    threefry(0u, seed, x0, x1);
    keys[2 * i] = x0;
    keys[2 * i + 1] = x1;
  }
  float x[DIMS];
  double best = 1e30;
  for (int repetition = 0; repetition < 3; ++repetition) {
    for (float &value : x)
      value = 1;
    auto start = std::chrono::steady_clock::now();
    for (long i = 0; i < steps; ++i)
      step(x, keys[2 * i], keys[2 * i + 1], 1e-2f,
           1e-3f / (2 * 1e-2f * SAMPLES));
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  std::printf("x:");
  for (int d = 0; d < std::min(DIMS, 10); ++d)
    std::printf(" %.8g", x[d]);
  std::printf("\n%.4f s, %.4f us per step\n", best, best * 1e6 / steps);
}
