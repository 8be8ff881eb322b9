// SPDX-License-Identifier: Apache-2.0
//
// CPU features, from cpuid. The compilers' builtins for this know different
// features from version to version, and none of them takes a name at run time.

#include "CpuFeatures.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

using namespace scanweave::runtime;

namespace {

enum class State { None, Avx, Avx512 };

struct Feature {
  std::string_view name;
  uint32_t leaf, subleaf;
  uint32_t Cpu::Registers::*word;
  uint32_t bit;
  State state;
};

constexpr Feature knownFeatures[] = {
#define SCANWEAVE_CPU_FEATURE(name, leaf, subleaf, word, bit, state)           \
  {name, leaf, subleaf, &Cpu::Registers::word, bit, State::state},
#include "scanweave/Runtime/CpuFeatures.def"
};

bool isSaved(State state, const Cpu &cpu) {
  if (state == State::None)
    return true;
  constexpr uint32_t osxsave = 1u << 27;
  if (!(cpu.read(1, 0).ecx & osxsave))
    return false;
  // The lower and upper halves of ymm; masks and the two parts of zmm.
  uint64_t wanted = state == State::Avx ? 0x06 : 0xe6;
  return (cpu.savedState() & wanted) == wanted;
}

bool hasFeature(std::string_view name, const Cpu &cpu) {
  for (const Feature &feature : knownFeatures)
    if (feature.name == name) {
      uint32_t word = cpu.read(feature.leaf, feature.subleaf).*feature.word;
      return (word >> feature.bit & 1) && isSaved(feature.state, cpu);
    }
  return false;
}

#if defined(__x86_64__)
class ThisCpu final : public Cpu {
  Registers read(uint32_t leaf, uint32_t subleaf) const override {
    Registers words;
    if (!__get_cpuid_count(leaf, subleaf, &words.eax, &words.ebx, &words.ecx,
                           &words.edx))
      return {};
    return words;
  }
  uint64_t savedState() const override {
    uint32_t low, high;
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return uint64_t(high) << 32 | low;
  }
};
#endif

} // namespace

std::string scanweave::runtime::missingFeatures(std::string_view features,
                                                const Cpu &cpu) {
  std::string missing;
  while (!features.empty()) {
    size_t end = features.find(',');
    std::string_view name = features.substr(0, end);
    features.remove_prefix(end == features.npos ? features.size() : end + 1);
    if (hasFeature(name, cpu))
      continue;
    if (!missing.empty())
      missing += ", ";
    missing += name;
  }
  return missing;
}

std::string scanweave::runtime::missingFeatures(
    [[maybe_unused]] std::string_view features) {
#if defined(__x86_64__)
  return missingFeatures(features, ThisCpu());
#else
  return {};
#endif
}
