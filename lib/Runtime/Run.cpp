// SPDX-License-Identifier: Apache-2.0
//
// Runs launches chunk by chunk on OpenMP's threads.

#include "Run.h"

#include "Platform.h"
#include "Team.h"
#include "Tuner.h"

#include "scanweave/Runtime/Partition.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>

#include <unistd.h>

using namespace scanweave::runtime;

// Declared here, since omp.h is part of the compiler that emitted code is built
// with, which need not be the one that builds the runtime.
extern "C" {
int omp_get_thread_num();
int omp_get_num_threads();
void omp_set_dynamic(int);
// LLVM's OpenMP only.
__attribute__((weak)) void kmp_set_blocktime(int milliseconds);
__attribute__((weak)) void kmp_set_stacksize_s(size_t bytes);
}

/// A worker's stack holds the buffers that emitted code keeps per worker. It is
/// address space, not memory, until it is used.
static constexpr size_t stackBytes = size_t(64) << 20;

namespace {

/// What a thread that runs launches keeps between them.
struct Launcher {
  scanweave_team team;
  /// A launch may be run many times, say in a loop around a scan: what was
  /// measured stays.
  std::unordered_map<scanweave_chunk, Tuner> tuners;
};

} // namespace

static std::string &programName() {
  static std::string name = "scanweave";
  return name;
}

void scanweave::runtime::setProgramName(const std::string &name) {
  programName() = name;
}

void scanweave_fail(const char *message) {
  // Other workers may be running or waiting. Leaving through exit() would
  // unload the threading layer under them.
  fflush(stdout);
  fprintf(stderr, "%s: %s\n", programName().c_str(), message);
  fflush(stderr);
  _exit(1);
}

RunSettings &scanweave::runtime::runSettings() {
  static RunSettings settings = [] {
    RunSettings initial;
    if (const char *threads = getenv("SCANWEAVE_THREADS"))
      initial.threads =
          static_cast<int32_t>(std::clamp(atol(threads), 0L, long(maxWorkers)));
    const char *force = getenv("SCANWEAVE_FORCE_THREADS");
    initial.force = force && std::string(force) == "1";
    return initial;
  }();
  return settings;
}

RunStatistics &scanweave::runtime::runStatistics() {
  thread_local RunStatistics statistics;
  return statistics;
}

int32_t RunStatistics::usualWorkers() const {
  int32_t usual = 0;
  double most = -1;
  for (auto [count, time] : workers)
    if (time > most) {
      usual = count;
      most = time;
    }
  return usual;
}

int scanweave::runtime::processCpus() {
  static const int cpus = usableCpus();
  return cpus;
}

int32_t scanweave::runtime::mostWorkers() {
  const RunSettings &settings = runSettings();
  if (settings.threads > 0)
    return settings.force ? settings.threads
                          : std::min(settings.threads, processCpus());
  // There are no more grains than that to own.
  return std::min<int32_t>(processCpus(), maxGrains);
}

/// Settings of OpenMP, unless the user's environment has them.
static void configureOpenMP() {
  omp_set_dynamic(0);
  if (kmp_set_stacksize_s && !getenv("OMP_STACKSIZE") &&
      !getenv("KMP_STACKSIZE"))
    kmp_set_stacksize_s(stackBytes);
  // Idle workers keep spinning this long. The next chunk follows within
  // microseconds; with fewer workers in it, the others should go to sleep.
  if (kmp_set_blocktime && !getenv("KMP_BLOCKTIME") &&
      !getenv("OMP_WAIT_POLICY"))
    kmp_set_blocktime(1);
}

/// All workers, half of them, one; only the first where the user has decided.
static std::vector<int32_t> workerCandidates() {
  int32_t most = mostWorkers();
  if (runSettings().threads > 0 || most == 1)
    return {most};
  if (most < 4)
    return {1, most};
  return {1, most / 2, most};
}

/// Runs one chunk and returns how long it took.
static double runChunk(scanweave_chunk chunk, void *state, int64_t first,
                       int64_t last, int32_t workers, scanweave_team &team) {
  double start = monotonicSeconds();
  chunk(state, first, last, workers, &team);
  double seconds = monotonicSeconds() - start;
  team.finishChunk();

  RunStatistics &statistics = runStatistics();
  auto granted = static_cast<int32_t>(team.lastSize());
  statistics.seconds += seconds;
  statistics.workers[granted] += seconds;
  // A team that the tuner made smaller got what was asked for.
  if (granted < workers || workers == mostWorkers())
    statistics.fewestWorkers = std::min(statistics.fewestWorkers, granted);
  return seconds;
}

void scanweave_run(scanweave_chunk chunk, void *state, int64_t steps,
                   int64_t row_bytes) {
  static const bool configured = (configureOpenMP(), true);
  (void)configured;
  if (steps == 0)
    return;

  thread_local Launcher launcher;
  int32_t most = mostWorkers();
  launcher.team.reserve(most, row_bytes);
  if (steps < 0) {
    runChunk(chunk, state, 0, 0, most, launcher.team);
    return;
  }

  std::vector<int32_t> candidates = workerCandidates();
  Tuner &tuner = launcher.tuners.try_emplace(chunk, candidates).first->second;
  if (tuner.candidates() != candidates)
    tuner = Tuner(candidates);
  RunStatistics &statistics = runStatistics();
  for (int64_t first = 0; first < steps;) {
    ChunkPlan plan = tuner.next(steps - first);
    double seconds = runChunk(chunk, state, first, first + plan.steps,
                              plan.workers, launcher.team);
    tuner.record(plan, seconds);
    statistics.steps += plan.steps;
    statistics.steppedSeconds += seconds;
    first += plan.steps;
  }
}

scanweave_worker *scanweave_worker_begin(scanweave_team *team) {
  return team->begin(omp_get_thread_num(), omp_get_num_threads());
}

void scanweave_worker_end(scanweave_worker *worker) {
  worker->team->end(*static_cast<Worker *>(worker));
}
