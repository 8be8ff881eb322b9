// SPDX-License-Identifier: Apache-2.0
//
// Times exchanges: ExchangeBenchmark [<workers> [<elements> [<extent>
// [<exchanges per measurement>]]]]. Run as emitted code runs them, through
// scanweave_run with forced workers, in short measurements: other processes
// disturb few of them.

#include "scanweave/Runtime/Partition.h"
#include "scanweave/Runtime/Runtime.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace scanweave::runtime;

namespace {

enum class Kind { Reduce, Gather, Barrier };

struct State {
  Kind kind;
  int64_t length;
  int64_t extent;
  int64_t repetitions;
  std::vector<double> times; ///< seconds per exchange
};

void chunk(void *pointer, int64_t, int64_t, int32_t threads,
           scanweave_team *team) {
  State &state = *static_cast<State *>(pointer);
#pragma omp parallel num_threads(threads)
  {
    scanweave_worker *worker = scanweave_worker_begin(team);
    Range mine = grainsOf(worker->index, worker->size, grains(state.extent));
    std::vector<float> rows(std::max<int64_t>(mine.size(), 1) * state.length);
    std::vector<float> dest(state.extent * state.length);
    for (int round = 0; round < 200; ++round) {
      scanweave_barrier(worker);
      auto start = std::chrono::steady_clock::now();
      for (int64_t i = 0; i < state.repetitions; ++i) {
        switch (state.kind) {
        case Kind::Reduce:
          rows[0] = dest[0] * 0.5f + 1;
          scanweave_all_reduce(worker, SCANWEAVE_ADD, SCANWEAVE_F32,
                               rows.data(), state.extent, state.length,
                               dest.data());
          break;
        case Kind::Gather:
          scanweave_gather_shards(worker, rows.data(), 1, state.extent,
                                  state.length * 4, dest.data());
          break;
        case Kind::Barrier:
          scanweave_barrier(worker);
          break;
        }
      }
      std::chrono::duration<double> time =
          std::chrono::steady_clock::now() - start;
      if (worker->index == 0)
        state.times.push_back(time.count() / state.repetitions);
    }
    scanweave_worker_end(worker);
  }
}

} // namespace

int main(int argc, char **argv) {
  std::string workers = argc > 1 ? argv[1] : "2";
  State state{Kind::Reduce, argc > 2 ? atol(argv[2]) : 10,
              argc > 3 ? atol(argv[3]) : 4, argc > 4 ? atol(argv[4]) : 2000};
  setenv("SCANWEAVE_THREADS", workers.c_str(), 1);
  setenv("SCANWEAVE_FORCE_THREADS", "1", 1);
  const char *names[] = {"all_reduce", "gather_shards", "barrier"};
  for (Kind kind : {Kind::Reduce, Kind::Gather, Kind::Barrier}) {
    state.kind = kind;
    state.times.clear();
    scanweave_run(chunk, &state, -1, state.length * 4);
    std::sort(state.times.begin(), state.times.end());
    printf("%-13s %s workers, %ld x %ld floats: median %.1f ns, best %.1f ns\n",
           names[static_cast<int>(kind)], workers.c_str(), state.extent,
           state.length, state.times[state.times.size() / 2] * 1e9,
           state.times[0] * 1e9);
  }
  return 0;
}
