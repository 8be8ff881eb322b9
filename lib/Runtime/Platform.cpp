// SPDX-License-Identifier: Apache-2.0
//
// Linux, on x86-64 or AArch64; other systems with POSIX and C++20 threads get
// the portable forms.

#include "Platform.h"

#include <algorithm>
#include <chrono>
#include <thread>

#if defined(__linux__)
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

using namespace scanweave::runtime;

void scanweave::runtime::yieldCpu() { std::this_thread::yield(); }

void scanweave::runtime::sleepOn(std::atomic<uint32_t> &word,
                                 uint32_t expected) {
#if defined(__linux__)
  static_assert(sizeof(word) == sizeof(uint32_t));
  // Returns at once if the word has changed already; the caller looks again
  // whatever the reason to return is.
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr, 0);
#else
  word.wait(expected);
#endif
}

void scanweave::runtime::wakeAll(std::atomic<uint32_t> &word) {
#if defined(__linux__)
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, INT32_MAX, nullptr, nullptr, 0);
#else
  word.notify_all();
#endif
}

double scanweave::runtime::monotonicSeconds() {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

#if defined(__x86_64__)
FloatMode scanweave::runtime::floatMode() { return _mm_getcsr(); }
void scanweave::runtime::setFloatMode(FloatMode mode) {
  _mm_setcsr(static_cast<unsigned>(mode));
}
FloatMode scanweave::runtime::ieeeFloatMode() { return 0x1f80; }
#elif defined(__aarch64__)
FloatMode scanweave::runtime::floatMode() {
  FloatMode mode;
  asm volatile("mrs %0, fpcr" : "=r"(mode));
  return mode;
}
void scanweave::runtime::setFloatMode(FloatMode mode) {
  asm volatile("msr fpcr, %0" ::"r"(mode));
}
FloatMode scanweave::runtime::ieeeFloatMode() { return 0; }
#endif

/// CPUs of the affinity mask.
static int affinityCpus() {
#if defined(__linux__)
  // Machines with more CPUs than the mask has bits refuse the smaller ones.
  for (int cpus = 1024; cpus <= 1 << 20; cpus *= 2) {
    cpu_set_t *mask = CPU_ALLOC(cpus);
    size_t size = CPU_ALLOC_SIZE(cpus);
    bool known = mask && sched_getaffinity(0, size, mask) == 0;
    int count = known ? CPU_COUNT_S(size, mask) : 0;
    CPU_FREE(mask);
    if (count > 0)
      return count;
  }
#endif
  return static_cast<int>(std::thread::hardware_concurrency());
}

int scanweave::runtime::usableCpus() {
  int cpus = std::max(affinityCpus(), 1);
  int quota = quotaCpus("");
  return quota > 0 ? std::min(cpus, quota) : cpus;
}
