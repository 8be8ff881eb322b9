// SPDX-License-Identifier: Apache-2.0
//
// The fixed binary tree over the rows of all grains: neighbours combine first,
// a row without a neighbour moves up unchanged. A plan splits it between the
// workers, who each reduce the subtrees in their own run of grains, and the
// steps above those, which everyone does alike.

#ifndef SCANWEAVE_LIB_RUNTIME_TREE_H
#define SCANWEAVE_LIB_RUNTIME_TREE_H

#include "Combine.h"

#include "scanweave/Runtime/Partition.h"

#include <cstdint>

namespace scanweave::runtime {

/// Reduces `count` >= 1 rows of `length` elements in the tree over them. The
/// rows are overwritten; the result goes to `out`, which may be the first row.
void reduceRows(const Combination &combination, void *rows, int64_t count,
                int64_t length, void *out);

/// One subtree that a worker reduces by itself.
struct Leaf {
  int16_t worker = 0;    ///< who owns it
  int16_t row = 0;       ///< its first row among the worker's rows
  int16_t rows = 0;      ///< how many rows it has
  int16_t published = 0; ///< its number among the worker's leaves
};

/// One combination above the leaves. Operands are leaves, or (as ~k) the
/// scratch row k that an earlier step filled.
struct TreeStep {
  int16_t out; ///< scratch row; the last step writes the result instead
  int16_t left;
  int16_t right;
};

/// How worker `self` of a team of `workers` reduces `grains` rows.
class TreePlan {
public:
  TreePlan() = default;
  TreePlan(int64_t grains, int64_t workers, int64_t self);

  bool isFor(int64_t grains, int64_t workers) const {
    return grains == numGrains && workers == numWorkers;
  }
  int64_t numLeaves() const { return leafCount; }
  const Leaf &leaf(int64_t i) const { return leaves[i]; }
  /// The leaves that `self` owns.
  Range ownLeaves() const { return own; }

  /// The steps above the leaves, for the elements from `first` to `last`.
  /// `leafRows[i]` is the reduced row of leaf i; `scratch` has `scratchBytes`
  /// bytes of the worker's own.
  void combineLeaves(const Combination &combination,
                     const char *const *leafRows, Range elements, char *scratch,
                     char *out) const;
  /// The same for all of a row that is not larger than pieceBytes.
  void combineSmallLeaves(const Combination &combination,
                          const char *const *leafRows, int64_t length,
                          char *scratch, char *out) const;

  /// Rows are worked on in pieces, so that scratch stays in the cache.
  static constexpr int64_t pieceBytes = 4096;
  /// The steps need a row for each level of the tree and one more.
  static constexpr int64_t maxScratchRows = 9;
  static constexpr int64_t scratchBytes = maxScratchRows * pieceBytes;

private:
  int64_t numGrains = -1;
  int64_t numWorkers = -1;
  Range own;
  int16_t leafCount = 0;
  int16_t stepCount = 0;
  Leaf leaves[maxGrains];
  TreeStep steps[maxGrains];
};

} // namespace scanweave::runtime

#endif // SCANWEAVE_LIB_RUNTIME_TREE_H
