// SPDX-License-Identifier: Apache-2.0
//
// The exchanges that emitted code calls, on top of a team's phases.

#include "Team.h"

#include "scanweave/Runtime/Partition.h"

#include <cstring>

using namespace scanweave::runtime;

static const Combination &requireCombination(int32_t kind, int32_t type) {
  const Combination *combination = getCombination(kind, type);
  if (!combination)
    scanweave_fail("all_reduce: no such kind of combination for this type");
  return *combination;
}

/// Reduces a worker's own subtrees, each into its first row.
static void reduceOwnLeaves(const TreePlan &plan,
                            const Combination &combination, char *rows,
                            int64_t length) {
  Range own = plan.ownLeaves();
  for (int64_t i = own.first; i < own.last; ++i) {
    char *first = rows + plan.leaf(i).row * length * combination.elementBytes;
    reduceRows(combination, first, plan.leaf(i).rows, length, first);
  }
}

/// One phase: every worker publishes the results of its subtrees.
static void reduceThroughSlots(Worker &worker, const TreePlan &plan,
                               const Combination &combination, char *rows,
                               int64_t length, char *dest) {
  reduceOwnLeaves(plan, combination, rows, length);
  int64_t rowBytes = length * combination.elementBytes;
  const char *leafRows[maxGrains];
  Range own = plan.ownLeaves();
  char *out = worker.team->nextPayload(worker);
  for (int64_t i = own.first; i < own.last; ++i, out += rowBytes) {
    // What is combined later are the rows, not the slot: the others are just
    // fetching its lines, and reading them back costs another transfer.
    leafRows[i] = rows + plan.leaf(i).row * rowBytes;
    memcpy(out, leafRows[i], rowBytes);
  }
  worker.team->publish(worker);
  auto fromSlot = [&](int64_t i) {
    return worker.team->payload(worker, plan.leaf(i).worker) +
           plan.leaf(i).published * rowBytes;
  };
  for (int64_t i = 0; i < own.first; ++i)
    leafRows[i] = fromSlot(i);
  for (int64_t i = own.last; i < plan.numLeaves(); ++i)
    leafRows[i] = fromSlot(i);
  worker.team->awaitOthers(worker);
  if (rowBytes <= TreePlan::pieceBytes)
    plan.combineSmallLeaves(combination, leafRows, length, worker.scratch,
                            dest);
  else
    plan.combineLeaves(combination, leafRows, {0, length}, worker.scratch,
                       dest);
}

/// Publishes a pointer and waits for everyone's.
static void exchangePointer(Worker &worker, const void *pointer) {
  memcpy(worker.team->nextPayload(worker), &pointer, sizeof(pointer));
  worker.team->exchange(worker);
}

static char *publishedPointer(const Worker &worker, int64_t index) {
  char *pointer;
  memcpy(&pointer, worker.team->payload(worker, index), sizeof(pointer));
  return pointer;
}

/// Three phases, nothing copied into slots: every worker combines a part of
/// the columns from all workers' rows, then fetches the other parts.
static void reduceByColumns(Worker &worker, const TreePlan &plan,
                            const Combination &combination, char *rows,
                            int64_t length, char *dest) {
  int64_t rowBytes = length * combination.elementBytes;
  reduceOwnLeaves(plan, combination, rows, length);
  exchangePointer(worker, rows);

  // Borders between parts lie a multiple of a line apart.
  int64_t unit = lineBytes / combination.elementBytes;
  auto columnsOf = [&](int64_t index) {
    int64_t units = (length + unit - 1) / unit;
    auto border = [&](int64_t w) {
      int64_t column = w * units / worker.size * unit;
      return column < length ? column : length;
    };
    return Range{border(index), border(index + 1)};
  };
  const char *leafRows[maxGrains];
  for (int64_t i = 0; i < plan.numLeaves(); ++i)
    leafRows[i] = publishedPointer(worker, plan.leaf(i).worker) +
                  plan.leaf(i).row * rowBytes;
  plan.combineLeaves(combination, leafRows, columnsOf(worker.index),
                     worker.scratch, dest);
  exchangePointer(worker, dest); // from here on, nobody reads rows any more

  for (int64_t index = 0; index < worker.size; ++index) {
    if (index == worker.index)
      continue;
    Range columns = columnsOf(index);
    int64_t first = columns.first * combination.elementBytes;
    memcpy(dest + first, publishedPointer(worker, index) + first,
           columns.size() * combination.elementBytes);
  }
  worker.team->exchange(worker); // from here on, nobody reads dests any more
}

void scanweave_all_reduce(scanweave_worker *base, int32_t kind, int32_t type,
                          void *rows, int64_t extent, int64_t length,
                          void *dest) {
  Worker &worker = *static_cast<Worker *>(base);
  const Combination &combination = requireCombination(kind, type);
  int64_t count = grains(extent);
  // Everyone leaves here or nobody does. Empty buffers may be null.
  if (length == 0)
    return;
  if (count == 0)
    return fillIdentity(combination, dest, length);
  if (worker.size == 1)
    return reduceRows(combination, rows, count, length, dest);

  ++worker.exchanges;
  const TreePlan &plan = worker.planFor(count);
  bool small = length * combination.elementBytes <= worker.team->slotRowBytes();
  auto reduce = small ? reduceThroughSlots : reduceByColumns;
  reduce(worker, plan, combination, static_cast<char *>(rows), length,
         static_cast<char *>(dest));
}

/// Puts the shard of `range` where it belongs in the whole.
static void placeShard(const char *shard, Range range, int64_t outer,
                       int64_t extent, int64_t inner, char *dest) {
  int64_t bytes = range.size() * inner;
  for (int64_t o = 0; o < outer; ++o) {
    char *to = dest + (o * extent + range.first) * inner;
    const char *from = shard + o * bytes;
    if (to != from && bytes > 0)
      memcpy(to, from, bytes);
  }
}

void scanweave_gather_shards(scanweave_worker *base, const void *shard,
                             int64_t outer, int64_t extent, int64_t inner,
                             void *dest) {
  if (outer == 0 || extent == 0 || inner == 0)
    return; // for everyone alike
  Worker &worker = *static_cast<Worker *>(base);
  const char *mine = static_cast<const char *>(shard);
  char *whole = static_cast<char *>(dest);
  Range range = indicesOf(worker.index, worker.size, extent);
  if (worker.size == 1)
    return placeShard(mine, range, outer, extent, inner, whole);

  ++worker.exchanges;
  scanweave_team &team = *worker.team;
  // The same for everyone: no shard has more grains than this.
  int64_t mostGrains = (grains(extent) + worker.size - 1) / worker.size;
  int64_t mostBytes = outer * mostGrains * grain(extent) * inner;
  bool small = mostBytes <= team.slotBytes();
  if (small) {
    if (range.size() > 0)
      memcpy(team.nextPayload(worker), mine, outer * range.size() * inner);
    team.exchange(worker);
  } else {
    exchangePointer(worker, shard);
  }
  for (int64_t index = 0; index < worker.size; ++index) {
    const char *from = index == worker.index ? mine
                       : small               ? team.payload(worker, index)
                                             : publishedPointer(worker, index);
    placeShard(from, indicesOf(index, worker.size, extent), outer, extent,
               inner, whole);
  }
  if (!small)
    team.exchange(worker); // from here on, nobody reads shards any more
}

void scanweave_barrier(scanweave_worker *base) {
  Worker &worker = *static_cast<Worker *>(base);
  if (worker.size == 1)
    return;
  ++worker.exchanges;
  worker.team->exchange(worker);
}
