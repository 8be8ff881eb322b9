// SPDX-License-Identifier: Apache-2.0
//
// All that depends on the operating system or the instruction set. A port
// writes another Platform.cpp; nothing else in the runtime has an #ifdef for a
// system.

#ifndef SCANWEAVE_LIB_RUNTIME_PLATFORM_H
#define SCANWEAVE_LIB_RUNTIME_PLATFORM_H

#include <atomic>
#include <cstdint>
#include <string>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace scanweave::runtime {

/// Tells the core that this is a loop that waits.
inline void relaxCpu() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

/// Lets another thread have the CPU, if one is waiting for it.
void yieldCpu();

/// Sleeps while `word` is `expected`, until `wakeAll` of it. May also wake up
/// for no reason.
void sleepOn(std::atomic<uint32_t> &word, uint32_t expected);
void wakeAll(std::atomic<uint32_t> &word);

/// Seconds since some moment, never going back.
double monotonicSeconds();

/// The floating-point mode of a thread: rounding, trapping, subnormals.
using FloatMode = uint64_t;
FloatMode floatMode();
void setFloatMode(FloatMode mode);
/// Round to nearest, no exception traps, subnormals kept.
FloatMode ieeeFloatMode();

/// CPUs that this process may use: those of its affinity mask, or fewer where
/// a cgroup's quota gives less time. At least 1.
int usableCpus();

/// CPUs' worth of time that the cgroups (v1 or v2) of this process allow,
/// rounded down but at least 1; 0 where nothing is limited. Files are looked
/// up below `root`, which is empty but for tests.
int quotaCpus(const std::string &root);

} // namespace scanweave::runtime

#endif // SCANWEAVE_LIB_RUNTIME_PLATFORM_H
