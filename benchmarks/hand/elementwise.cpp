// SPDX-License-Identifier: Apache-2.0
//
// benchmarks/programs/elementwise.mlir by hand: 4096 FitzHugh-Nagumo neurons by
// Euler's method. Built with -O3 -march=native, with or without -ffast-math.
//
//   elementwise [steps]    prints v and w of eight neurons, the time per step

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace {

constexpr int neurons = 4096;
alignas(64) float v[neurons], w[neurons], current[neurons];

uint32_t rotate(uint32_t x, int by) { return (x << by) | (x >> (32 - by)); }

/// A uniform number in [0, 1) under the key (0, 0): threefry2x32, 20 rounds
/// (Salmon et al. 2011).
float uniform(uint32_t counter) {
  const uint32_t keys[3] = {0, 0, 0x1BD11BDAu};
  constexpr int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  uint32_t x0 = 0, x1 = counter;
  for (int round = 0; round < 5; ++round) {
    for (int by : rotations[round & 1]) {
      x0 += x1;
      x1 = rotate(x1, by) ^ x0;
    }
    x0 += keys[(round + 1) % 3];
    x1 += keys[(round + 2) % 3] + uint32_t(round + 1);
  }
  uint32_t bits = ((x0 ^ x1) >> 9) | 0x3f800000u;
  float result;
  std::memcpy(&result, &bits, sizeof result);
  return result - 1;
}

void step() {
  for (int i = 0; i < neurons; ++i) {
    float a = v[i], b = w[i];
    v[i] = a + 1e-2f * (a - 0.333333343f * (a * a * a) - b + current[i]);
    w[i] = b + 8e-4f * (a + 0.7f - 0.8f * b);
  }
}

} // namespace

int main(int argc, char **argv) {
  long steps = argc > 1 ? std::atol(argv[1]) : 10000;
  for (int i = 0; i < neurons; ++i)
    current[i] = uniform(i);
  auto start = std::chrono::steady_clock::now();
  for (long i = 0; i < steps; ++i)
    step();
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  for (const float *values : {v, w}) {
    std::printf("values:");
    for (int i = 0; i < 8; ++i)
      std::printf(" %.8g", values[i]);
    std::printf("\n");
  }
  std::printf("%.4f s, %.4f us per step\n", time.count(),
              time.count() * 1e6 / steps);
}
