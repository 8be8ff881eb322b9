// SPDX-License-Identifier: Apache-2.0
//
// The length of chunks and the choice of the worker count.
//
// The first chunks run with all workers and grow, from one step, until one
// takes long enough to be measured. Then every candidate gets two short trials
// in turn, and the fastest goes on. From time to time the others get a trial
// again: the machine may have become busier, or the program's steps longer.

#include "Tuner.h"

#include <algorithm>

using namespace scanweave::runtime;

/// A chunk is as long as this: starting one takes some microseconds, and one
/// is the unit in which the team can be changed or the program be interrupted.
static constexpr double chunkSeconds = 4e-3;
/// A trial is this long, which is a hundred times what starting it takes.
static constexpr double trialSeconds = 5e-4;
/// A chunk shorter than this says little about the time of a step.
static constexpr double shortestMeasure = 2e-4;
/// Chunks grow by at most this factor: the first ones also pay for starting
/// threads and for cold caches.
static constexpr int64_t growth = 8;
/// Trials are repeated after this time, when their cost is lost in it.
static constexpr double retrySeconds = 0.5;
/// Trials may cost this part of what the remaining steps take.
static constexpr double trialShare = 0.1;
/// Another candidate has to be better than the current one by this factor.
static constexpr double margin = 0.97;

Tuner::Tuner(std::vector<int32_t> candidates)
    : counts(std::move(candidates)), perStep(counts.size(), 0.0),
      trialPerStep(counts.size(), 0.0), current(counts.size() - 1) {}

double Tuner::estimate(size_t candidate) const {
  if (perStep[candidate] > 0)
    return perStep[candidate];
  double slower = std::max(1.0, double(counts[current]) / counts[candidate]);
  return perStep[current] * slower;
}

int64_t Tuner::stepsFor(size_t candidate, double seconds,
                        int64_t remaining) const {
  double steps = seconds / std::max(estimate(candidate), 1e-12);
  // Comparing as doubles first: the quotient may exceed every int64_t.
  return steps >= double(remaining) ? remaining
                                    : std::max<int64_t>(int64_t(steps), 1);
}

bool Tuner::worthTrying(int64_t remaining) const {
  double cost = 0;
  for (size_t c = 0; c < counts.size(); ++c)
    cost += std::max(trialSeconds, estimate(c));
  return cost * (compared ? 1 : 2) <
         trialShare * perStep[current] * double(remaining);
}

ChunkPlan Tuner::next(int64_t remaining) {
  bool measured = lastSeconds >= shortestMeasure;
  if (counts.size() > 1 && rounds == 0 && measured &&
      (!compared || sinceTrials > retrySeconds) && worthTrying(remaining)) {
    rounds = compared ? 1 : 2;
    trial = 0;
    std::fill(trialPerStep.begin(), trialPerStep.end(), 0.0);
  }
  if (rounds > 0)
    return {counts[trial], stepsFor(trial, trialSeconds, remaining)};

  int64_t most = lastSteps == 0                   ? 1
                 : lastSteps > remaining / growth ? remaining
                                                  : lastSteps * growth;
  int64_t wanted = perStep[current] > 0
                       ? stepsFor(current, chunkSeconds, remaining)
                       : int64_t(1);
  return {counts[current], std::min({most, wanted, remaining})};
}

void Tuner::record(const ChunkPlan &plan, double seconds) {
  double measured = std::max(seconds, 1e-9) / double(plan.steps);
  if (rounds == 0) {
    perStep[current] = measured;
    lastSteps = plan.steps;
    // The first chunk is no measure: it starts the threads.
    lastSeconds = started ? seconds : 0;
    started = true;
    sinceTrials += seconds;
    return;
  }
  // The smallest of the trials: what disturbs a trial makes it longer.
  double &best = trialPerStep[trial];
  best = best > 0 ? std::min(best, measured) : measured;
  // Known from the first trial on, so that the second has the right length.
  perStep[trial] = best;
  if (++trial < counts.size())
    return;
  trial = 0;
  if (--rounds == 0)
    finishTrials();
}

void Tuner::finishTrials() {
  size_t fastest = current;
  for (size_t c = 0; c < counts.size(); ++c)
    if (trialPerStep[c] < trialPerStep[fastest])
      fastest = c;
  if (trialPerStep[fastest] < margin * trialPerStep[current])
    current = fastest;
  // Chunks may have another length now, and need not grow towards it.
  lastSteps = std::max(lastSteps,
                       static_cast<int64_t>(chunkSeconds / perStep[current]));
  compared = true;
  sinceTrials = 0;
}
