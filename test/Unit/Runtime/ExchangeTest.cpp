// SPDX-License-Identifier: Apache-2.0
//
// Exchanges between real threads, on every extent that is uneven in some way.

#include "Reference.h"
#include "Team.h"

#include <gtest/gtest.h>

#include <functional>
#include <thread>

using namespace scanweave;
using namespace scanweave::runtime;

namespace {

/// Runs `body` on `workers` threads as one chunk of `team`.
void runChunk(scanweave_team &team, int64_t workers,
              const std::function<void(Worker &)> &body) {
  std::vector<std::thread> threads;
  for (int64_t w = 0; w < workers; ++w)
    threads.emplace_back([&, w] {
      Worker *worker = team.begin(w, workers);
      body(*worker);
      team.end(*worker);
    });
  for (std::thread &thread : threads)
    thread.join();
  team.finishChunk();
}

/// The rows of a worker; `salt` makes each exchange's different.
template <typename T>
std::vector<T> ownRows(const Worker &worker, int64_t extent, int64_t length,
                       int64_t salt) {
  Range run = grainsOf(worker.index, worker.size, grains(extent));
  std::vector<T> rows;
  for (int64_t r = run.first; r < run.last; ++r)
    for (int64_t c = 0; c < length; ++c)
      rows.push_back(test::valueAt<T>(r, c, salt));
  return rows;
}

template <typename T>
bool reduceIsRight(Worker &worker, int kind, int type, int64_t extent,
                   int64_t length, int64_t salt) {
  std::vector<T> rows = ownRows<T>(worker, extent, length, salt);
  std::vector<T> dest(length + 1, test::valueAt<T>(99, 99));
  scanweave_all_reduce(&worker, kind, type, rows.data(), extent, length,
                       dest.data());
  bool right = test::sameBits(dest[length], test::valueAt<T>(99, 99));
  for (int64_t c = 0; c < length; ++c) {
    std::vector<T> column;
    for (int64_t r = 0; r < grains(extent); ++r)
      column.push_back(test::valueAt<T>(r, c, salt));
    right &= test::sameBits(dest[c], test::tree(kind, column));
  }
  // A worker that goes on may use its rows again.
  std::fill(rows.begin(), rows.end(), T(0));
  return right;
}

bool gatherIsRight(Worker &worker, int64_t outer, int64_t extent, int64_t inner,
                   int64_t salt) {
  Range own = indicesOf(worker.index, worker.size, extent);
  auto byteAt = [&](int64_t o, int64_t e, int64_t i) {
    return test::valueAt<int8_t>(o * 131 + e, i, salt);
  };
  std::vector<int8_t> shard, dest(outer * extent * inner + 1, 42);
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t e = own.first; e < own.last; ++e)
      for (int64_t i = 0; i < inner; ++i)
        shard.push_back(byteAt(o, e, i));
  scanweave_gather_shards(&worker, shard.data(), outer, extent, inner,
                          dest.data());
  std::fill(shard.begin(), shard.end(), int8_t(-1));
  bool right = dest.back() == 42;
  for (int64_t o = 0, at = 0; o < outer; ++o)
    for (int64_t e = 0; e < extent; ++e)
      for (int64_t i = 0; i < inner; ++i, ++at)
        right &= dest[at] == byteAt(o, e, i);
  return right;
}

class Exchange : public testing::TestWithParam<int64_t> {
protected:
  void SetUp() override { team.reserve(GetParam(), 1024); }
  void run(const std::function<bool(Worker &)> &body) {
    std::atomic<int> wrong{0};
    runChunk(team, GetParam(), [&](Worker &worker) {
      if (!body(worker))
        ++wrong;
    });
    EXPECT_EQ(wrong, 0);
  }
  scanweave_team team;
};

TEST_P(Exchange, AllReduceOfUnevenExtents) {
  run([](Worker &worker) {
    bool right = true;
    for (int64_t extent :
         {0, 1, 2, 3, 4, 5, 7, 8, 13, 31, 64, 100, 127, 128, 129, 300, 10007})
      right &= reduceIsRight<float>(worker, SCANWEAVE_ADD, SCANWEAVE_F32,
                                    extent, 10, extent);
    return right;
  });
}

TEST_P(Exchange, AllReduceOfEveryKindAndType) {
  run([](Worker &worker) {
    bool right = true;
    test::forEachType([&]<typename T>(int type) {
      for (int kind = 0; kind <= SCANWEAVE_XOR; ++kind)
        if (test::hasKind<T>(kind))
          right &= reduceIsRight<T>(worker, kind, type, 11, 3, kind);
    });
    return right;
  });
}

TEST_P(Exchange, AllReduceOfLargeRows) {
  // More than a slot holds, more than one piece, and not a multiple of a line.
  run([](Worker &worker) {
    bool right = true;
    for (int64_t length : {0, 1, 255, 257, 1100, 9001})
      for (int64_t extent : {1, 3, 20})
        right &= reduceIsRight<double>(worker, SCANWEAVE_ADD, SCANWEAVE_F64,
                                       extent, length, length);
    return right;
  });
}

TEST_P(Exchange, GatherShards) {
  run([](Worker &worker) {
    bool right = true;
    for (int64_t outer : {1, 3})
      for (int64_t extent : {0, 1, 2, 5, 16, 129, 300})
        for (int64_t inner : {1, 4, 40, 1000})
          right &= gatherIsRight(worker, outer, extent, inner, extent);
    return right;
  });
}

TEST_P(Exchange, GatherOfAShardThatIsInPlace) {
  run([](Worker &worker) {
    std::vector<int64_t> whole(100, -1);
    Range own = indicesOf(worker.index, worker.size, 100);
    for (int64_t i = own.first; i < own.last; ++i)
      whole[i] = i;
    scanweave_gather_shards(&worker, whole.data() + own.first, 1, 100, 8,
                            whole.data());
    bool right = true;
    for (int64_t i = 0; i < 100; ++i)
      right &= whole[i] == i;
    return right;
  });
}

TEST_P(Exchange, BarrierOrdersPlainMemory) {
  std::vector<int> shared(GetParam(), 0);
  run([&](Worker &worker) {
    bool right = true;
    for (int round = 1; round <= 200; ++round) {
      shared[worker.index] = round;
      scanweave_barrier(&worker);
      for (int value : shared)
        right &= value == round;
      scanweave_barrier(&worker);
    }
    return right;
  });
}

TEST_P(Exchange, MixedSequences) {
  int64_t rounds = GetParam() <= 4 ? 2500 : 400;
  run([&](Worker &worker) {
    bool right = true;
    for (int64_t i = 0; i < rounds; ++i) {
      int64_t choice = test::valueAt<uint8_t>(i, 1);
      int64_t extent = test::valueAt<uint8_t>(i, 2) % 37;
      int64_t length = choice % 16 == 0 ? 3000 : choice % 7;
      switch (choice % 4) {
      case 0:
        right &= reduceIsRight<float>(worker, SCANWEAVE_ADD, SCANWEAVE_F32,
                                      extent, length, i);
        break;
      case 1:
        right &= reduceIsRight<int32_t>(worker, SCANWEAVE_MAX, SCANWEAVE_I32,
                                        extent, length, i);
        break;
      case 2:
        right &= gatherIsRight(worker, 2, extent, length, i);
        break;
      default:
        scanweave_barrier(&worker);
      }
      // Uneven speeds: who is late, and who is asleep, changes.
      if (choice % 61 == worker.index)
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return right;
  });
}

TEST_P(Exchange, ChunksOfDifferentTeams) {
  for (int64_t chunk = 0; chunk < 60; ++chunk) {
    int64_t workers = 1 + chunk * 7 % GetParam();
    std::atomic<int> wrong{0};
    runChunk(team, workers, [&](Worker &worker) {
      for (int64_t i = 0; i < 1 + chunk % 3; ++i)
        if (!reduceIsRight<float>(worker, SCANWEAVE_ADD, SCANWEAVE_F32, 9, 4,
                                  chunk))
          ++wrong;
      EXPECT_EQ(worker.exchanges, workers == 1 ? 0 : 1 + chunk % 3);
    });
    EXPECT_EQ(wrong, 0) << "chunk " << chunk;
    if (chunk == 30) // a launch with larger rows
      team.reserve(GetParam(), 4096);
  }
}

INSTANTIATE_TEST_SUITE_P(Workers, Exchange,
                         testing::Values(1, 2, 3, 4, 5, 8, 16),
                         testing::PrintToStringParamName());

TEST(ExchangeSleep, WorkersThatWaitLongSleepAndWakeUp) {
  scanweave_team team;
  team.reserve(3, 0);
  runChunk(team, 3, [](Worker &worker) {
    for (int i = 0; i < 6; ++i) {
      if (i % 3 == worker.index)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      scanweave_barrier(&worker);
    }
  });
}

TEST(ExchangeDeath, KindsThatDoNotExist) {
  // The process has OpenMP's threads by now.
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  scanweave_team team;
  team.reserve(1, 4);
  Worker *worker = team.begin(0, 1);
  float row = 0;
  EXPECT_EXIT(scanweave_all_reduce(worker, SCANWEAVE_XOR, SCANWEAVE_F32, &row,
                                   1, 1, &row),
              testing::ExitedWithCode(1), "no such kind of combination");
}

TEST(FloatMode, IsSetForAWorkerAndRestored) {
  scanweave_team team;
  team.reserve(1, 0);
  FloatMode before = floatMode();
#if defined(__x86_64__)
  FloatMode flushing = ieeeFloatMode() | 0x8040; // as JAX's threads have it
  setFloatMode(flushing);
  Worker *worker = team.begin(0, 1);
  volatile float tiny = 1e-40f;
  EXPECT_EQ(floatMode(), ieeeFloatMode());
  EXPECT_GT(tiny * 1.0f, 0.0f);
  team.end(*worker);
  EXPECT_EQ(floatMode() & 0xffc0, flushing);
#endif
  setFloatMode(before);
}

} // namespace
