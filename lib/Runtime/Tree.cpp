// SPDX-License-Identifier: Apache-2.0
//
// The fixed binary tree over rows.

#include "Tree.h"

#include <algorithm>
#include <cassert>
#include <cstring>

using namespace scanweave::runtime;

void scanweave::runtime::reduceRows(const Combination &combination, void *rows,
                                    int64_t count, int64_t length, void *out) {
  char *base = static_cast<char *>(rows);
  int64_t rowBytes = length * combination.elementBytes;
  if (count == 1) {
    if (out != rows)
      memcpy(out, rows, rowBytes);
    return;
  }
  // Row r * 2 * distance stands for its node; one without a neighbour is
  // already where it moves up to.
  int64_t distance = 1;
  for (; 2 * distance < count; distance *= 2)
    for (int64_t row = 0; row + distance < count; row += 2 * distance)
      combination.combine(base + row * rowBytes, base + row * rowBytes,
                          base + (row + distance) * rowBytes, length);
  combination.combine(out, base, base + distance * rowBytes, length);
}

TreePlan::TreePlan(int64_t grains, int64_t workers, int64_t self)
    : numGrains(grains), numWorkers(workers) {
  // The nodes that are complete so far and wait for their right neighbour,
  // levels falling from bottom to top.
  struct Pending {
    Subtree node;
    int16_t operand;
  };
  Pending stack[maxScratchRows];
  int depth = 0;

  auto isRoot = [&](const Subtree &node) {
    return (int64_t(1) << node.level) >= grains;
  };
  // Moves the top of the stack up as far as it goes.
  auto climb = [&] {
    while (!isRoot(stack[depth - 1].node)) {
      Pending &top = stack[depth - 1];
      if (top.node.index % 2 == 0) {
        // The right neighbour is still to come, if there is one.
        if ((top.node.index + 1) << top.node.level < grains)
          return;
      } else {
        assert(depth > 1 && stack[depth - 2].node.level == top.node.level);
        int16_t out = static_cast<int16_t>(depth - 2);
        Pending &left = stack[depth - 2];
        steps[stepCount++] = {out, left.operand, top.operand};
        left.operand = static_cast<int16_t>(~out);
        --depth;
      }
      Subtree &node = stack[depth - 1].node;
      node = {node.level + 1, node.index / 2};
    }
  };

  for (int64_t worker = 0; worker < workers; ++worker) {
    Range run = grainsOf(worker, workers, grains);
    int16_t published = 0;
    if (worker == self)
      own.first = leafCount;
    forEachSubtree(run, grains, [&](Subtree node) {
      Range covered = node.grains(grains);
      leaves[leafCount] = {static_cast<int16_t>(worker),
                           static_cast<int16_t>(covered.first - run.first),
                           static_cast<int16_t>(covered.size()), published++};
      assert(depth < maxScratchRows);
      stack[depth++] = {node, leafCount++};
      climb();
    });
    if (worker == self)
      own.last = leafCount;
  }
  assert((grains == 0 || depth == 1) && "the root is not complete");
}

void TreePlan::combineSmallLeaves(const Combination &combination,
                                  const char *const *leafRows, int64_t length,
                                  char *scratch, char *out) const {
  auto operand = [&](int16_t id) -> const char * {
    return id >= 0 ? leafRows[id] : scratch + ~id * pieceBytes;
  };
  int64_t last = stepCount - 1;
  if (last < 0) {
    if (leafRows[0] != out)
      memcpy(out, leafRows[0], length * combination.elementBytes);
    return;
  }
  for (int64_t s = 0; s < last; ++s)
    combination.combine(scratch + steps[s].out * pieceBytes,
                        operand(steps[s].left), operand(steps[s].right),
                        length);
  combination.combine(out, operand(steps[last].left),
                      operand(steps[last].right), length);
}

void TreePlan::combineLeaves(const Combination &combination,
                             const char *const *leafRows, Range elements,
                             char *scratch, char *out) const {
  int64_t bytes = combination.elementBytes;
  int64_t piece = pieceBytes / bytes;
  for (int64_t first = elements.first; first < elements.last; first += piece) {
    const char *pieces[maxGrains];
    for (int64_t i = 0; i < leafCount; ++i)
      pieces[i] = leafRows[i] + first * bytes;
    combineSmallLeaves(combination, pieces,
                       std::min(piece, elements.last - first), scratch,
                       out + first * bytes);
  }
}
