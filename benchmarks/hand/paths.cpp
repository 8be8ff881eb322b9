// SPDX-License-Identifier: Apache-2.0
//
// benchmarks/programs/paths.mlir by hand: the price of an Asian option from
// 16384 paths, in vectors of paths that stay in registers over all steps.

#include "random.h"
#include "timing.h"

#include <vector>

namespace {

constexpr int paths = 16384, N = interleaved * lanes;
constexpr float strike = 99, drift = 2e-4f, deviation = 1.25e-2f;
typedef Vectors<N>::Float Float;
typedef Vectors<N>::UInt UInt;

Float payoffs(int first, long steps) {
  UInt k0{}, k1;
  for (int i = 0; i < N; ++i)
    k1[i] = first + i;
  threefry(0u, 0u, k0, k1); // the path's own key: fold_in of its number
  Float s = Float{} + 100.0f, total{};
  for (long i = 0; i < steps; ++i) {
    Float z = Normal<N>::of(bits(k0, k1, UInt{} + uint32_t(i)));
    s += s * (deviation * z + drift);
    total += s;
  }
  Float above = total / float(steps) - strike;
  return Normal<N>::select(above > Float{}, above, Float{});
}

} // namespace

int main(int argc, char **argv) {
  Arguments arguments(argc, argv, 256);
  Clock clock;
  std::vector<Float> paid(paths / N);
#pragma omp parallel for num_threads(arguments.workers) schedule(static)
  for (int i = 0; i < paths / N; ++i)
    paid[i] = payoffs(i * N, arguments.steps);
  Float sums{};
  for (Float part : paid)
    sums += part;
  float price = 0;
  for (int i = 0; i < N; ++i)
    price += sums[i];
  price /= paths;
  double seconds = clock.seconds();
  printValues("price", &price, 1);
  printTime(seconds, arguments.steps);
}
