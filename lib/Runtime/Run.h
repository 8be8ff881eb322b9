// SPDX-License-Identifier: Apache-2.0
//
// How launches are run: what the command line may say about it, and what is
// known afterwards.

#ifndef SCANWEAVE_LIB_RUNTIME_RUN_H
#define SCANWEAVE_LIB_RUNTIME_RUN_H

#include <cstdint>
#include <map>
#include <string>

namespace scanweave::runtime {

/// More workers than this are refused.
inline constexpr int32_t maxWorkers = 1024;

struct RunSettings {
  int32_t threads = 0; ///< workers asked for, 0: the runtime chooses
  bool force = false;  ///< also more than there are usable CPUs
};

/// Settings of this process. They begin as the environment says:
/// SCANWEAVE_THREADS=<n>, SCANWEAVE_FORCE_THREADS=1. Without a command line
/// (mlir-runner, a library in another program) that is the way to choose.
RunSettings &runSettings();

struct RunStatistics {
  int64_t steps = 0;
  double seconds = 0;                 ///< in launches
  double steppedSeconds = 0;          ///< in launches with steps
  std::map<int32_t, double> workers;  ///< seconds by team size
  int32_t fewestWorkers = maxWorkers; ///< of any team

  /// The team size that most of the time was spent with; 0 if nothing ran.
  int32_t usualWorkers() const;
};

/// What has run in this thread since its statistics were last reset.
RunStatistics &runStatistics();

/// `usableCpus`, looked up once.
int processCpus();

/// The most workers that a launch may have under the present settings.
int32_t mostWorkers();

/// The name that messages of `scanweave_fail` begin with.
void setProgramName(const std::string &name);

} // namespace scanweave::runtime

#endif // SCANWEAVE_LIB_RUNTIME_RUN_H
