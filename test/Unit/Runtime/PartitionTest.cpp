// SPDX-License-Identifier: Apache-2.0
//
// The laws of the partition, for all small extents and worker counts.

#include "scanweave/Runtime/Partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

using namespace scanweave::runtime;

static_assert(grain(0) == 1 && grains(0) == 0);
static_assert(grain(128) == 1 && grain(129) == 2 && grain(1000) == 8);

TEST(Partition, GrainIsTheSmallestPowerOfTwo) {
  for (int64_t n = 0; n <= 2000; ++n) {
    int64_t size = grain(n);
    EXPECT_TRUE(std::has_single_bit(static_cast<uint64_t>(size)));
    EXPECT_LE((n + size - 1) / size, maxGrains);
    if (size > 1)
      EXPECT_GT((n + size / 2 - 1) / (size / 2), maxGrains) << n;
    EXPECT_EQ(grains(n), (n + size - 1) / size);
  }
}

TEST(Partition, HugeExtents) {
  EXPECT_EQ(grain(INT64_MAX), int64_t(1) << 56);
  EXPECT_EQ(grains(INT64_MAX), 128);
  EXPECT_EQ(indicesOf(127, 128, INT64_MAX).last, INT64_MAX);
  EXPECT_EQ(indicesOf(0, 1, INT64_MAX), (Range{0, INT64_MAX}));
}

TEST(Partition, WorkersCoverEveryIndexOnce) {
  for (int64_t n = 0; n <= 300; ++n)
    for (int64_t workers = 1; workers <= 20; ++workers) {
      int64_t expected = 0, count = grains(n), size = grain(n);
      for (int64_t w = 0; w < workers; ++w) {
        Range run = grainsOf(w, workers, count);
        EXPECT_EQ(run.first, w * count / workers);
        // No worker has two grains more than another.
        EXPECT_GE(run.size(), count / workers);
        EXPECT_LE(run.size(), count / workers + 1);
        Range indices = indicesOf(w, workers, n);
        EXPECT_EQ(indices.first, expected);
        EXPECT_EQ(indices.first, std::min(n, run.first * size));
        EXPECT_EQ(indices.last, std::min(n, run.last * size));
        expected = indices.last;
      }
      EXPECT_EQ(expected, n);
    }
}

TEST(Partition, SubtreesAreMaximalAndCoverTheRun) {
  for (int64_t count = 1; count <= 40; ++count)
    for (int64_t first = 0; first < count; ++first)
      for (int64_t last = first; last <= count; ++last) {
        std::vector<Subtree> nodes;
        forEachSubtree({first, last}, count,
                       [&](Subtree node) { nodes.push_back(node); });
        EXPECT_LE(static_cast<int64_t>(nodes.size()), maxSubtrees);
        int64_t at = first;
        for (const Subtree &node : nodes) {
          EXPECT_EQ(node.grains(count).first, at);
          at = node.grains(count).last;
          if (node.grains(count) == (Range{0, count}))
            continue; // the root
          // The parent does not lie in the run.
          Range parent = Subtree{node.level + 1, node.index / 2}.grains(count);
          EXPECT_TRUE(parent.first < first || parent.last > last);
        }
        EXPECT_EQ(at, last);
      }
}

TEST(Partition, NoRunNeedsMoreSubtreesThanThereAreSlots) {
  int64_t most = 0;
  for (int64_t count = 1; count <= maxGrains; ++count)
    for (int64_t first = 0; first < count; ++first)
      for (int64_t last = first; last <= count; ++last) {
        int64_t nodes = 0;
        forEachSubtree({first, last}, count, [&](Subtree) { ++nodes; });
        most = std::max(most, nodes);
      }
  EXPECT_EQ(most, 12);
  EXPECT_LE(most, maxSubtrees);
}
