// SPDX-License-Identifier: Apache-2.0
//
// The keys of the steps: what a split of the key of seed 0 gives.

#ifndef BENCHMARKS_HAND_KEYS_H
#define BENCHMARKS_HAND_KEYS_H

#include "random.h"

/// Makes a vector of keys at a time. Steps are asked for in ascending order.
class Keys {
  using UInt = Vectors<lanes>::UInt;
  alignas(64) uint32_t k0[lanes], k1[lanes];

public:
  void load(long step, uint32_t &a, uint32_t &b) {
    if (step % lanes == 0) {
      UInt x0 = UInt{} + uint32_t(step >> 32), x1;
      for (int i = 0; i < lanes; ++i)
        x1[i] = uint32_t(step + i);
      threefry(0u, 0u, x0, x1);
      std::memcpy(k0, &x0, sizeof k0);
      std::memcpy(k1, &x1, sizeof k1);
    }
    a = k0[step % lanes];
    b = k1[step % lanes];
  }
};

/// Numbers `first` to `first` + `count` of a draw, in vectors of N; zeros after
/// them.
template <int N, int count>
void drawRow(uint32_t k0, uint32_t k1, uint32_t first,
             typename Vectors<N>::Float *z) {
  constexpr int vectors = (count + N - 1) / N;
  typename Vectors<N>::UInt counter;
  for (int i = 0; i < N; ++i)
    counter[i] = first + i;
  for (int v = 0; v < vectors; ++v, counter += uint32_t(N))
    z[v] = Normal<N>::of(bits(k0, k1, counter));
  for (int i = count % N; i % N; ++i)
    z[vectors - 1][i] = 0;
}

#endif // BENCHMARKS_HAND_KEYS_H
