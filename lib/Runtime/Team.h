// SPDX-License-Identifier: Apache-2.0
//
// A team of workers and the protocol by which they communicate.
//
// Communication goes in phases, numbered by every worker alike. In a phase each
// worker writes its slot of the phase's parity, stamps it with the number
// (release), and waits for the others' stamps (acquire) before it reads their
// slots. No further synchronisation is needed: a worker that writes its slot in
// phase k has seen everyone's stamp of phase k - 1, so everyone has finished
// reading phase k - 2, which used the same slot. This needs everyone to wait
// for everyone in every phase, including those who have nothing to say.
//
// Who has waited long sleeps on the doorbell of the worker that it waits for.
// It counts itself as a sleeper, looks once more, then sleeps unless the bell
// has rung since it last looked. A publisher stamps, then rings if there are
// sleepers. The stamp, the count and both looks at them are sequentially
// consistent, so that at least one side sees the other.

#ifndef SCANWEAVE_LIB_RUNTIME_TEAM_H
#define SCANWEAVE_LIB_RUNTIME_TEAM_H

#include "Platform.h"
#include "Tree.h"

#include "scanweave/Runtime/Runtime.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace scanweave::runtime {

/// Two cache lines: the prefetcher of x86 fetches lines in pairs.
inline constexpr int64_t lineBytes = 128;

struct FreeDeleter {
  void operator()(void *memory) const { std::free(memory); }
};

/// What the interface shows of a worker, and what the runtime adds.
struct alignas(lineBytes) Worker : scanweave_worker {
  uint64_t phase = 0;          ///< number of the last phase taken part in
  FloatMode callerFloatMode{}; ///< what `scanweave_worker_end` restores
  char *scratch = nullptr;     ///< TreePlan::scratchBytes of its own
  int spins = 0;               ///< looks at a stamp before giving way

  /// The plan for the rows of an exchange. Programs alternate between few
  /// extents: the last two are kept.
  const TreePlan &planFor(int64_t grains);

private:
  TreePlan plans[2];
  unsigned oldest = 0;
};

/// Where sleepers wait for one worker's stamps.
struct alignas(lineBytes) Doorbell {
  std::atomic<uint32_t> rings{0};
  std::atomic<uint32_t> sleepers{0};
};

/// One slot's beginning; the payload follows in the same line.
struct Slot {
  std::atomic<uint64_t> stamp{0};
  char *payload() { return reinterpret_cast<char *>(this + 1); }
};

} // namespace scanweave::runtime

/// Memory for a team of up to `capacity` workers, kept between chunks and runs.
struct scanweave_team {
public:
  scanweave_team() = default;
  scanweave_team(const scanweave_team &) = delete;
  scanweave_team &operator=(const scanweave_team &) = delete;
  ~scanweave_team();

  /// Makes room for `workers` workers and rows of `rowBytes` bytes.
  void reserve(int64_t workers, int64_t rowBytes);
  int64_t capacity() const { return workerCapacity; }

  /// Called by each worker of a chunk, first and last. No worker may begin
  /// while another is still in the chunk before.
  scanweave::runtime::Worker *begin(int64_t index, int64_t size);
  void end(scanweave::runtime::Worker &worker);
  /// Called after a chunk, by whoever waited for its workers.
  void finishChunk();
  /// How many workers the last chunk had.
  int64_t lastSize() const { return size; }

  /// Rows up to this size are exchanged through slots; everyone decides alike.
  int64_t slotRowBytes() const { return rowCapacity; }
  int64_t slotBytes() const { return payloadCapacity; }

  /// The payload that `worker` publishes in its next phase.
  char *nextPayload(scanweave::runtime::Worker &worker) {
    return slot(worker.index, worker.phase + 1).payload();
  }
  /// Begins the next phase by publishing that.
  void publish(scanweave::runtime::Worker &worker);
  /// Ends the phase: everyone has published. What does not need the others'
  /// payloads is best done between the two.
  void awaitOthers(const scanweave::runtime::Worker &worker);
  void exchange(scanweave::runtime::Worker &worker) {
    publish(worker);
    awaitOthers(worker);
  }
  /// What `index` publishes in the phase that `worker` is in.
  char *payload(const scanweave::runtime::Worker &worker, int64_t index) {
    return slot(index, worker.phase).payload();
  }

private:
  scanweave::runtime::Slot &slot(int64_t index, uint64_t phase) {
    char *base = static_cast<char *>(slots.get());
    return *reinterpret_cast<scanweave::runtime::Slot *>(
        base + (2 * index + static_cast<int64_t>(phase % 2)) * slotStride);
  }
  void await(const scanweave::runtime::Worker &worker, int64_t index);
  void sleepUntil(int64_t index, uint64_t phase);

  std::unique_ptr<void, scanweave::runtime::FreeDeleter> slots;
  std::unique_ptr<void, scanweave::runtime::FreeDeleter> scratch;
  scanweave::runtime::Worker *workers = nullptr;
  scanweave::runtime::Doorbell *doorbells = nullptr;
  int64_t workerCapacity = 0;
  int64_t rowCapacity = 0;
  int64_t payloadCapacity = 0;
  int64_t slotStride = 0;
  int64_t size = 0;       ///< of the last chunk
  uint64_t basePhase = 0; ///< last phase of the chunks before
  int spins = 0;          ///< looks at a stamp that take some microseconds
};

#endif // SCANWEAVE_LIB_RUNTIME_TEAM_H
