// SPDX-License-Identifier: Apache-2.0
//
// Grains, the fixed groups of indices that define the order of a reduction,
// their cut into one run per worker, and the subtrees of the reduction tree
// that lie in a run. Everything here depends on extents and worker counts
// alone; the order of a reduction depends on the extent alone.

#ifndef SCANWEAVE_RUNTIME_PARTITION_H
#define SCANWEAVE_RUNTIME_PARTITION_H

#include <bit>
#include <cstdint>

namespace scanweave::runtime {

/// The most grains that an extent is cut into.
inline constexpr int64_t maxGrains = 128;

/// The most maximal subtrees that a run of grains consists of: at most two of
/// each level below the root.
inline constexpr int64_t maxSubtrees = 2 * (std::bit_width(128u) - 1);
static_assert(maxGrains == 128, "maxSubtrees counts the levels of its tree");

/// Indices per grain: the smallest power of two G with ceil(n / G) <=
/// maxGrains. 1 for an extent of 0.
constexpr int64_t grain(int64_t n) {
  uint64_t size = static_cast<uint64_t>(n / maxGrains + (n % maxGrains != 0));
  return static_cast<int64_t>(std::bit_ceil(size));
}

/// The number of grains of an extent; the last one may be shorter.
constexpr int64_t grains(int64_t n) {
  uint64_t size = static_cast<uint64_t>(grain(n));
  // Shifts: this is computed in every exchange, and dividing takes longer than
  // the rest of it.
  uint64_t whole = static_cast<uint64_t>(n) >> std::countr_zero(size);
  return static_cast<int64_t>(whole + ((n & (size - 1)) != 0));
}

/// Consecutive indices (or grains), from `first` to before `last`.
struct Range {
  int64_t first = 0;
  int64_t last = 0;

  constexpr int64_t size() const { return last - first; }
  friend constexpr bool operator==(const Range &, const Range &) = default;
};

/// The grains, of `count` <= maxGrains, that `worker` of `workers` owns.
constexpr Range grainsOf(int64_t worker, int64_t workers, int64_t count) {
  // In 32 bits, where dividing is much faster.
  auto border = [&](int64_t w) -> int64_t {
    return static_cast<uint32_t>(w * count) / static_cast<uint32_t>(workers);
  };
  return {border(worker), border(worker + 1)};
}

/// The indices, of `extent`, that `worker` of `workers` owns.
constexpr Range indicesOf(int64_t worker, int64_t workers, int64_t extent) {
  int shift = std::countr_zero(static_cast<uint64_t>(grain(extent)));
  Range owned = grainsOf(worker, workers, grains(extent));
  // Comparing before multiplying: the last border may exceed every int64_t.
  auto border = [&](int64_t grain) {
    return grain > extent >> shift ? extent : grain << shift;
  };
  return {border(owned.first), border(owned.last)};
}

/// A node of the tree over `count` grains: node `index` of `level` covers the
/// grains index * 2^level to min(count, (index + 1) * 2^level).
struct Subtree {
  int level = 0;
  int64_t index = 0;

  constexpr Range grains(int64_t count) const {
    int64_t end = (index + 1) << level;
    return {index << level, end < count ? end : count};
  }
  friend constexpr bool operator==(const Subtree &, const Subtree &) = default;
};

/// The largest node of the tree over `count` grains that begins at grain
/// `first` and ends at or before grain `last`. Needs first < last.
constexpr Subtree largestSubtree(int64_t first, int64_t last, int64_t count) {
  int level = 0;
  while ((int64_t(1) << level) < count) {
    Subtree parent{level + 1, first >> (level + 1)};
    Range covered = parent.grains(count);
    if (covered.first != first || covered.last > last)
      break;
    ++level;
  }
  return {level, first >> level};
}

/// Calls `visit(Subtree)` for the maximal nodes in `run`, from left to right.
template <typename Visitor>
constexpr void forEachSubtree(Range run, int64_t count, Visitor &&visit) {
  while (run.first < run.last) {
    Subtree node = largestSubtree(run.first, run.last, count);
    visit(node);
    run.first = node.grains(count).last;
  }
}

} // namespace scanweave::runtime

#endif // SCANWEAVE_RUNTIME_PARTITION_H
