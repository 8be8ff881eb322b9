// SPDX-License-Identifier: Apache-2.0
//
// Decides how many steps the next chunk has and how many workers run it, from
// the times of the chunks before. Pure bookkeeping: it neither runs nor
// measures anything.

#ifndef SCANWEAVE_LIB_RUNTIME_TUNER_H
#define SCANWEAVE_LIB_RUNTIME_TUNER_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace scanweave::runtime {

struct ChunkPlan {
  int32_t workers = 1;
  int64_t steps = 1;
};

class Tuner {
public:
  /// `candidates` are worker counts, ascending. With a single one there is
  /// nothing to choose.
  explicit Tuner(std::vector<int32_t> candidates);

  const std::vector<int32_t> &candidates() const { return counts; }

  /// What to run next, with `remaining` >= 1 steps to go.
  ChunkPlan next(int64_t remaining);
  /// What running it took.
  void record(const ChunkPlan &plan, double seconds);

  /// The worker count that is the fastest so far.
  int32_t best() const { return counts[current]; }

private:
  /// Seconds per step of a candidate; before it has run, what it takes at
  /// worst, going by the current one.
  double estimate(size_t candidate) const;
  int64_t stepsFor(size_t candidate, double seconds, int64_t remaining) const;
  /// Whether trying all candidates costs little of what the rest will take.
  bool worthTrying(int64_t remaining) const;
  void finishTrials();

  std::vector<int32_t> counts;
  std::vector<double> perStep; ///< latest estimates, 0 where unknown
  std::vector<double> trialPerStep;
  size_t current;
  size_t trial = 0;      ///< the candidate on trial
  int rounds = 0;        ///< rounds of trials still to do, 0 outside of trials
  bool compared = false; ///< trials have been made
  bool started = false;  ///< a chunk has run
  int64_t lastSteps = 0; ///< length of the last chunk of the current candidate
  double lastSeconds = 0;
  double sinceTrials = 0; ///< time that was spent since the last trials
};

} // namespace scanweave::runtime

#endif // SCANWEAVE_LIB_RUNTIME_TUNER_H
