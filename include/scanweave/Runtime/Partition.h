// SPDX-License-Identifier: Apache-2.0
//
// Grains: the fixed groups of indices that define the order of a reduction.

#ifndef SCANWEAVE_RUNTIME_PARTITION_H
#define SCANWEAVE_RUNTIME_PARTITION_H

#include <cstdint>

namespace scanweave::runtime {

/// The most grains that an extent is cut into.
inline constexpr int64_t maxGrains = 128;

/// Indices per grain: the smallest power of two G with ceil(n / G) <=
/// maxGrains.
constexpr int64_t grain(int64_t n) {
  int64_t size = 1;
  while ((n + size - 1) / size > maxGrains)
    size *= 2;
  return size;
}

} // namespace scanweave::runtime

#endif // SCANWEAVE_RUNTIME_PARTITION_H
