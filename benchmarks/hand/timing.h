// SPDX-License-Identifier: Apache-2.0
//
// How the hand-written programs time themselves and print what they computed:
// values so that they can be compared bit for bit, then the last line's time.

#ifndef BENCHMARKS_HAND_TIMING_H
#define BENCHMARKS_HAND_TIMING_H

#include <chrono>
#include <cstdio>
#include <cstdlib>

/// The arguments that all of them have: steps, then workers.
struct Arguments {
  long steps;
  int workers;
  Arguments(int argc, char **argv, long usualSteps)
      : steps(argc > 1 ? std::atol(argv[1]) : usualSteps),
        workers(argc > 2 ? std::atoi(argv[2]) : 1) {}
};

class Clock {
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();

public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  }
};

inline void printValues(const char *name, const float *values, int count) {
  std::printf("%s:", name);
  for (int i = 0; i < count; ++i)
    std::printf(" %.9g", values[i]);
  std::printf("\n");
}

inline void printTime(double seconds, long steps) {
  std::printf("%.6f s, %.5f us per step\n", seconds, seconds * 1e6 / steps);
}

#endif // BENCHMARKS_HAND_TIMING_H
