// SPDX-License-Identifier: Apache-2.0
//
// benchmarks/programs/exchange.mlir by hand: in each step a sum over two lanes
// of ten numbers, through slots with stamps; with -DBARRIER through shared rows
// between two OpenMP barriers.

#include "team.h"
#include "timing.h"

#include <cmath>

namespace {

constexpr int numbers = 10;
constexpr float rates[2] = {0.25f, 0.125f};

struct Row {
  float of[numbers];
};

#ifdef BARRIER

void run(long steps, int workers, float *result) {
  struct alignas(128) Padded : Row {};
  Padded rows[2];
#pragma omp parallel num_threads(workers)
  {
    float x[numbers] = {};
    for (long i = 0; i < steps; ++i) {
#pragma omp for schedule(static)
      for (int lane = 0; lane < 2; ++lane)
        for (int k = 0; k < numbers; ++k)
          rows[lane].of[k] = std::fma(rates[lane], x[k], 1.0f);
      for (int k = 0; k < numbers; ++k)
        x[k] = rows[0].of[k] + rows[1].of[k];
#pragma omp barrier
    }
#pragma omp single
    std::copy(x, x + numbers, result);
  }
}

#else

void run(long steps, int workers, float *result) {
  Team<Row> team(2);
#pragma omp parallel for num_threads(workers) schedule(static, 1)
  for (int worker = 0; worker < workers; ++worker) {
    float x[numbers] = {};
    for (long i = 1; i <= steps; ++i) {
      for (int lane = worker; lane < 2; lane += workers) {
        Row &row = team.mine(lane, i);
        for (int k = 0; k < numbers; ++k)
          row.of[k] = std::fma(rates[lane], x[k], 1.0f);
        team.publish(lane, i);
      }
      const Row &a = team.await(0, i), &b = team.await(1, i);
      for (int k = 0; k < numbers; ++k)
        x[k] = a.of[k] + b.of[k];
    }
    if (worker == 0)
      std::copy(x, x + numbers, result);
  }
}

#endif

} // namespace

int main(int argc, char **argv) {
  Arguments arguments(argc, argv, 1000000);
  Clock clock;
  float x[numbers];
  run(arguments.steps, arguments.workers, x);
  double seconds = clock.seconds();
  printValues("x", x, numbers);
  printTime(seconds, arguments.steps);
}
