// SPDX-License-Identifier: Apache-2.0
//
// The choice of chunks and workers on simulated machines.

#include "Tuner.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

using namespace scanweave::runtime;

namespace {

struct Simulation {
  std::map<int32_t, int64_t> steps; ///< by workers
  double seconds = 0;
  double longestChunk = 0; ///< after the first second
  int64_t chunks = 0;
};

/// Runs `total` steps; `perStep(workers, when)` is what one takes.
Simulation simulate(Tuner &tuner, int64_t total,
                    const std::function<double(int32_t, double)> &perStep) {
  Simulation result;
  for (int64_t done = 0; done < total; ++result.chunks) {
    ChunkPlan plan = tuner.next(total - done);
    EXPECT_GE(plan.steps, 1);
    EXPECT_LE(plan.steps, total - done);
    // Starting a team costs something, the first one more.
    double start = result.chunks == 0 ? 3e-4 : 2e-6;
    double time =
        start + perStep(plan.workers, result.seconds) * double(plan.steps);
    tuner.record(plan, time);
    result.seconds += time;
    if (result.seconds > 1)
      result.longestChunk = std::max(result.longestChunk, time);
    result.steps[plan.workers] += plan.steps;
    done += plan.steps;
  }
  return result;
}

TEST(Tuner, CheapStepsRunOnOneWorker) {
  Tuner tuner({1, 2});
  Simulation run = simulate(tuner, 1000000, [](int32_t workers, double) {
    return workers == 1 ? 0.2e-6 : 0.4e-6;
  });
  EXPECT_EQ(tuner.best(), 1);
  EXPECT_GT(run.steps[1], 950000);
  EXPECT_LT(run.seconds, 0.2 * 1.05);
}

TEST(Tuner, DearStepsRunOnAllWorkers) {
  Tuner tuner({1, 4, 8});
  Simulation run = simulate(tuner, 20000, [](int32_t workers, double) {
    return 1e-3 / workers + 1e-6;
  });
  EXPECT_EQ(tuner.best(), 8);
  EXPECT_LT(run.seconds, 20000 * (1e-3 / 8 + 1e-6) * 1.05);
}

TEST(Tuner, HalfTheWorkersCanBeBest) {
  Tuner tuner({1, 4, 8});
  Simulation run = simulate(tuner, 1000000, [](int32_t workers, double) {
    return workers == 4 ? 1e-6 : 2e-6;
  });
  EXPECT_EQ(tuner.best(), 4);
  EXPECT_LT(run.seconds, 1.1);
}

TEST(Tuner, NoticesThatTheMachineGotBusy) {
  Tuner tuner({1, 2});
  auto perStep = [](int32_t workers, double when) {
    if (workers == 1)
      return 1e-5;
    return when < 2 ? 0.6e-5 : 1e-4; // somebody takes the second CPU
  };
  Simulation run = simulate(tuner, 600000, perStep);
  EXPECT_EQ(tuner.best(), 1);
  // 2 s with two workers, the rest with one, and half a second to notice.
  EXPECT_LT(run.seconds, 2 + 2.7 + 0.7);
}

TEST(Tuner, FewHugeStepsAreNotTriedOut) {
  Tuner tuner({1, 32, 64});
  Simulation run = simulate(
      tuner, 10, [](int32_t workers, double) { return 6.4 / workers; });
  EXPECT_EQ(run.steps[64], 10);
}

TEST(Tuner, AGivenCountIsKept) {
  Tuner tuner({3});
  Simulation run =
      simulate(tuner, 1000000, [](int32_t, double) { return 1e-6; });
  EXPECT_EQ(run.steps[3], 1000000);
}

TEST(Tuner, ChunksAreMilliseconds) {
  for (double perStep : {1e-8, 1e-7, 1e-6, 1e-4}) {
    Tuner tuner({2});
    Simulation run = simulate(tuner, int64_t(2 / perStep),
                              [&](int32_t, double) { return perStep; });
    EXPECT_LT(run.longestChunk, 10e-3);
    EXPECT_LT(run.chunks, 600);
  }
}

TEST(Tuner, KeepsWhatItKnowsBetweenRuns) {
  Tuner tuner({1, 2});
  auto perStep = [](int32_t workers, double) {
    return workers == 1 ? 1e-6 : 3e-6;
  };
  simulate(tuner, 200000, perStep);
  Simulation again = simulate(tuner, 2000, perStep);
  EXPECT_EQ(again.steps[1], 2000);
  EXPECT_EQ(again.chunks, 1);
}

} // namespace
