// SPDX-License-Identifier: Apache-2.0
//
// Trees, whole and split over any number of workers, against their definition.

#include "Tree.h"

#include "Reference.h"

#include <gtest/gtest.h>

using namespace scanweave;
using namespace scanweave::runtime;

namespace {

template <typename T>
std::vector<T> makeRows(int64_t first, int64_t count, int64_t length) {
  std::vector<T> rows;
  for (int64_t r = first; r < first + count; ++r)
    for (int64_t c = 0; c < length; ++c)
      rows.push_back(test::valueAt<T>(r, c));
  return rows;
}

template <typename T>
std::vector<T> reference(int kind, int64_t count, int64_t length) {
  std::vector<T> result;
  for (int64_t c = 0; c < length; ++c) {
    std::vector<T> column;
    for (int64_t r = 0; r < count; ++r)
      column.push_back(test::valueAt<T>(r, c));
    result.push_back(test::tree(kind, column));
  }
  return result;
}

template <typename T>
void expectSame(const std::vector<T> &found, const std::vector<T> &expected,
                const std::string &what) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    ASSERT_TRUE(test::sameBits(found[i], expected[i]))
        << what << ", element " << i;
}

TEST(Tree, EqualsTheDefinition) {
  test::forEachType([]<typename T>(int type) {
    for (int kind = 0; kind <= SCANWEAVE_XOR; ++kind) {
      const Combination *combination = getCombination(kind, type);
      if (!combination)
        continue;
      for (int64_t count = 1; count <= 40; ++count) {
        constexpr int64_t length = 5;
        std::vector<T> rows = makeRows<T>(0, count, length);
        std::vector<T> out(length);
        std::vector<T> expected = reference<T>(kind, count, length);
        reduceRows(*combination, rows.data(), count, length, out.data());
        expectSame(out, expected, "kind " + std::to_string(kind));
        // In place.
        rows = makeRows<T>(0, count, length);
        reduceRows(*combination, rows.data(), count, length, rows.data());
        rows.resize(length);
        expectSame(rows, expected, "in place");
      }
    }
  });
}

/// What a team computes, without the team.
template <typename T>
std::vector<T> reduceByPlan(const Combination &combination, int64_t count,
                            int64_t workers, int64_t length) {
  std::vector<std::vector<T>> leafRows;
  std::vector<char> scratch(TreePlan::scratchBytes);
  std::vector<T> result;
  for (int64_t self = 0; self < workers; ++self) {
    TreePlan plan(count, workers, self);
    leafRows.resize(plan.numLeaves());
    Range run = grainsOf(self, workers, count);
    std::vector<T> rows = makeRows<T>(run.first, run.size(), length);
    Range own = plan.ownLeaves();
    int64_t published = 0, covered = 0;
    for (int64_t i = own.first; i < own.last; ++i) {
      const Leaf &leaf = plan.leaf(i);
      EXPECT_EQ(leaf.worker, self);
      EXPECT_EQ(leaf.published, published++);
      EXPECT_EQ(leaf.row, covered);
      covered += leaf.rows;
      leafRows[i].resize(length);
      reduceRows(combination, rows.data() + leaf.row * length, leaf.rows,
                 length, leafRows[i].data());
    }
    EXPECT_EQ(covered, run.size());
    EXPECT_LE(published, maxSubtrees);
  }
  std::vector<const char *> pointers;
  for (const std::vector<T> &row : leafRows)
    pointers.push_back(reinterpret_cast<const char *>(row.data()));
  // Everyone's steps are the same: any worker's plan will do.
  TreePlan plan(count, workers, workers / 2);
  std::vector<T> out(length);
  char *bytes = reinterpret_cast<char *>(out.data());
  // In two parts, as when columns are shared out.
  int64_t middle = length / 3;
  plan.combineLeaves(combination, pointers.data(), {0, middle}, scratch.data(),
                     bytes);
  plan.combineLeaves(combination, pointers.data(), {middle, length},
                     scratch.data(), bytes);
  return out;
}

TEST(Tree, SplitOverWorkersIsTheSame) {
  const Combination &add = *getCombination(SCANWEAVE_ADD, SCANWEAVE_F32);
  for (int64_t count = 1; count <= 128; ++count) {
    std::vector<float> expected = reference<float>(SCANWEAVE_ADD, count, 4);
    for (int64_t workers : {1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 20, 64, 128, 200})
      expectSame(reduceByPlan<float>(add, count, workers, 4), expected,
                 std::to_string(count) + " rows, " + std::to_string(workers) +
                     " workers");
  }
}

TEST(Tree, LongRowsComeInPieces) {
  const Combination &add = *getCombination(SCANWEAVE_ADD, SCANWEAVE_F64);
  constexpr int64_t length = 3 * TreePlan::pieceBytes / sizeof(double) + 17;
  expectSame(reduceByPlan<double>(add, 13, 5, length),
             reference<double>(SCANWEAVE_ADD, 13, length), "long rows");
}

TEST(Tree, NoRowsNeedNoSteps) {
  TreePlan plan(0, 4, 2);
  EXPECT_EQ(plan.numLeaves(), 0);
  EXPECT_EQ(plan.ownLeaves().size(), 0);
}

} // namespace
