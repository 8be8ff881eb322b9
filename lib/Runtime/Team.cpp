// SPDX-License-Identifier: Apache-2.0
//
// Memory of a team, phases, and how workers wait.

#include "Team.h"

#include "Run.h"

#include <algorithm>
#include <new>

using namespace scanweave::runtime;

/// Rows up to this size are copied through slots in one phase. Larger ones are
/// read where they are, and every worker combines a part of the columns: two
/// phases more, but each row is read once by the team instead of by everyone.
static constexpr int64_t maxSlotRowBytes = 16 * 1024;

/// Shards up to this size go through slots as well.
static constexpr int64_t minPayloadBytes = 2048 + 128 - sizeof(Slot);

/// How long a worker spins: longer than an exchange between running workers
/// takes, shorter than what it costs to be woken up.
static constexpr double spinSeconds = 4e-6;

/// How often a worker yields before it sleeps. If nobody else wants the CPU,
/// that takes some 50 us; otherwise the others have had that many turns.
static constexpr int maxYields = 100;

static void *allocateLines(int64_t bytes) {
  int64_t rounded = (bytes + lineBytes - 1) / lineBytes * lineBytes;
  void *memory = std::aligned_alloc(lineBytes, rounded);
  if (!memory)
    scanweave_fail("out of memory for the exchange between workers");
  return memory;
}

/// How many looks with a pause in between fill `spinSeconds`: a pause takes 10
/// cycles on some cores and 140 on others.
static int measureSpins() {
  constexpr int tries = 64;
  double start = monotonicSeconds();
  for (int i = 0; i < tries; ++i)
    relaxCpu();
  double perTry = (monotonicSeconds() - start) / tries;
  return static_cast<int>(
      std::clamp(spinSeconds / std::max(perTry, 1e-9), 16.0, 4096.0));
}

const TreePlan &Worker::planFor(int64_t grains) {
  for (const TreePlan &plan : plans)
    if (plan.isFor(grains, size))
      return plan;
  TreePlan &plan = plans[oldest];
  oldest ^= 1;
  return plan = TreePlan(grains, size, index);
}

scanweave_team::~scanweave_team() {
  std::destroy_n(workers, workerCapacity);
  std::destroy_n(doorbells, workerCapacity);
  std::free(workers);
  std::free(doorbells);
}

void scanweave_team::reserve(int64_t wantedWorkers, int64_t rowBytes) {
  rowBytes = std::min(rowBytes, maxSlotRowBytes);
  int64_t payload = std::max(minPayloadBytes, maxSubtrees * rowBytes);
  bool more = wantedWorkers > workerCapacity;
  if (!more && payload <= payloadCapacity && rowBytes <= rowCapacity)
    return;

  if (more) {
    std::destroy_n(workers, workerCapacity);
    std::destroy_n(doorbells, workerCapacity);
    std::free(workers);
    std::free(doorbells);
    workers = static_cast<Worker *>(
        allocateLines(wantedWorkers * static_cast<int64_t>(sizeof(Worker))));
    doorbells = static_cast<Doorbell *>(
        allocateLines(wantedWorkers * static_cast<int64_t>(sizeof(Doorbell))));
    std::uninitialized_value_construct_n(workers, wantedWorkers);
    std::uninitialized_default_construct_n(doorbells, wantedWorkers);
    workerCapacity = wantedWorkers;
    scratch.reset(allocateLines(workerCapacity * TreePlan::scratchBytes));
    for (int64_t i = 0; i < workerCapacity; ++i)
      workers[i].scratch =
          static_cast<char *>(scratch.get()) + i * TreePlan::scratchBytes;
  }
  payloadCapacity = std::max(payloadCapacity, payload);
  rowCapacity = std::max(rowCapacity, rowBytes);
  slotStride =
      (static_cast<int64_t>(sizeof(Slot)) + payloadCapacity + lineBytes - 1) /
      lineBytes * lineBytes;
  slots.reset(allocateLines(2 * workerCapacity * slotStride));
  // Pages of payloads that no exchange touches never become memory.
  for (int64_t i = 0; i < 2 * workerCapacity; ++i)
    new (static_cast<char *>(slots.get()) + i * slotStride) Slot;
  if (spins == 0)
    spins = measureSpins();
}

Worker *scanweave_team::begin(int64_t index, int64_t teamSize) {
  if (teamSize > workerCapacity)
    scanweave_fail("the threading layer granted more workers than asked for");
  Worker &worker = workers[index];
  worker.index = index;
  worker.size = teamSize;
  worker.team = this;
  worker.exchanges = 0;
  worker.phase = basePhase;
  // Spinning where another worker needs the CPU only delays that worker.
  worker.spins = teamSize > processCpus() ? 0 : spins;
  worker.callerFloatMode = floatMode();
  setFloatMode(ieeeFloatMode());
  if (index == 0)
    size = teamSize;
  return &worker;
}

void scanweave_team::end(Worker &worker) {
  setFloatMode(worker.callerFloatMode);
}

void scanweave_team::finishChunk() {
  // All workers have the same count.
  if (workerCapacity > 0)
    basePhase = std::max(basePhase, workers[0].phase);
}

void scanweave_team::publish(Worker &worker) {
  uint64_t phase = ++worker.phase;
  // Release for the payload, sequentially consistent with `sleepers`.
  slot(worker.index, phase).stamp.store(phase, std::memory_order_seq_cst);
  Doorbell &bell = doorbells[worker.index];
  if (bell.sleepers.load(std::memory_order_seq_cst) != 0) {
    bell.rings.fetch_add(1, std::memory_order_seq_cst);
    wakeAll(bell.rings);
  }
}

void scanweave_team::awaitOthers(const Worker &worker) {
  for (int64_t index = 0; index < worker.size; ++index)
    if (index != worker.index)
      await(worker, index);
}

void scanweave_team::await(const Worker &worker, int64_t index) {
  uint64_t phase = worker.phase;
  std::atomic<uint64_t> &stamp = slot(index, phase).stamp;
  if (stamp.load(std::memory_order_acquire) == phase)
    return;
  for (int i = 0; i < worker.spins; ++i) {
    relaxCpu();
    if (stamp.load(std::memory_order_acquire) == phase)
      return;
  }
  for (int i = 0; i < maxYields; ++i) {
    yieldCpu();
    if (stamp.load(std::memory_order_acquire) == phase)
      return;
  }
  sleepUntil(index, phase);
}

void scanweave_team::sleepUntil(int64_t index, uint64_t phase) {
  std::atomic<uint64_t> &stamp = slot(index, phase).stamp;
  Doorbell &bell = doorbells[index];
  bell.sleepers.fetch_add(1, std::memory_order_seq_cst);
  while (true) {
    // The count of rings comes first: a stamp that is missed below rings
    // later, and then the count is another.
    uint32_t rings = bell.rings.load(std::memory_order_seq_cst);
    if (stamp.load(std::memory_order_seq_cst) == phase)
      break;
    sleepOn(bell.rings, rings);
  }
  bell.sleepers.fetch_sub(1, std::memory_order_seq_cst);
}
