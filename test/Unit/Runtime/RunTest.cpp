// SPDX-License-Identifier: Apache-2.0
//
// Launches on OpenMP's threads.

#include "Run.h"
#include "Reference.h"
#include "Team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>

using namespace scanweave;
using namespace scanweave::runtime;

/// LLVM's OpenMP never frees what belongs to its threads.
extern "C" const char *__lsan_default_suppressions() { return "leak:libomp"; }

namespace {

/// A program like the ones that are compiled: a carry, a reduction over lanes.
struct State {
  int64_t lanes = 5;
  float carry[3] = {1, 2, 3};
  std::atomic<int64_t> steps{0}; ///< of all workers
  std::set<int64_t> teamSizes;
  int64_t chunks = 0;
  int64_t next = 0; ///< the step that has to come now
};

void chunk(void *pointer, int64_t first, int64_t last, int32_t threads,
           scanweave_team *team) {
  State &state = *static_cast<State *>(pointer);
  EXPECT_EQ(first, state.next);
  state.next = last;
  ++state.chunks;
#pragma omp parallel num_threads(threads)
  {
    scanweave_worker *worker = scanweave_worker_begin(team);
    if (worker->index == 0)
      state.teamSizes.insert(worker->size);
    Range lanes = indicesOf(worker->index, worker->size, state.lanes);
    float x[3], sum[3];
    memcpy(x, state.carry, sizeof(x));
    // Nobody stores the carry before everyone has read it.
    scanweave_barrier(worker);
    std::vector<float> rows(lanes.size() * 3 + 1);
    for (int64_t step = first; step < last; ++step) {
      for (int64_t lane = lanes.first; lane < lanes.last; ++lane)
        for (int i = 0; i < 3; ++i)
          rows[(lane - lanes.first) * 3 + i] =
              x[i] * (0.7f + 0.01f * float(lane)) + float(step % 10);
      scanweave_all_reduce(worker, SCANWEAVE_ADD, SCANWEAVE_F32, rows.data(),
                           state.lanes, 3, sum);
      for (int i = 0; i < 3; ++i)
        x[i] = sum[i] * 0.25f;
      ++state.steps;
    }
    if (worker->index == 0)
      memcpy(state.carry, x, sizeof(x));
    scanweave_worker_end(worker);
  }
}

/// Runs with settings, which are put back.
void runWith(State &state, int64_t steps, int32_t threads, bool force) {
  RunSettings before = runSettings();
  runSettings().threads = threads;
  runSettings().force = force;
  runStatistics() = RunStatistics();
  scanweave_run(chunk, &state, steps, 12);
  runSettings() = before;
}

TEST(Run, SameBitsForAnyNumberOfWorkers) {
  State expected;
  runWith(expected, 700, 1, true);
  for (int32_t threads : {2, 3, 4, 5, 8, 16}) {
    State state;
    runWith(state, 700, threads, true);
    EXPECT_EQ(memcmp(state.carry, expected.carry, sizeof(state.carry)), 0);
    EXPECT_EQ(state.teamSizes, std::set<int64_t>{threads});
    EXPECT_EQ(state.steps, 700 * threads);
    EXPECT_EQ(state.next, 700);
    EXPECT_EQ(runStatistics().usualWorkers(), threads);
    EXPECT_EQ(runStatistics().fewestWorkers, threads);
    EXPECT_EQ(runStatistics().steps, 700);
  }
  State state; // the runtime chooses
  runWith(state, 700, 0, false);
  EXPECT_EQ(memcmp(state.carry, expected.carry, sizeof(state.carry)), 0);
}

TEST(Run, LaunchWithoutSteps) {
  State state;
  runWith(state, -1, 2, true);
  EXPECT_EQ(state.chunks, 1);
  EXPECT_EQ(state.next, 0);
}

TEST(Run, ZeroStepsRunNothing) {
  State state;
  runWith(state, 0, 2, true);
  EXPECT_EQ(state.chunks, 0);
  EXPECT_EQ(state.carry[0], 1.0f);
  EXPECT_TRUE(runStatistics().workers.empty());
}

TEST(Run, NoMoreWorkersThanCpusUnlessForced) {
  RunSettings before = runSettings();
  runSettings() = {1000, false};
  EXPECT_EQ(mostWorkers(), std::min(1000, processCpus()));
  runSettings() = {1000, true};
  EXPECT_EQ(mostWorkers(), 1000);
  runSettings() = {0, false};
  EXPECT_LE(mostWorkers(), processCpus());
  runSettings() = before;
}

TEST(RunDeath, FailEndsTheProgramWithAMessage) {
  // The process has OpenMP's threads by now.
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(scanweave_fail("extents 3 and 4 differ"),
              testing::ExitedWithCode(1), ": extents 3 and 4 differ\n");
}

} // namespace
