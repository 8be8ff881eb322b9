// SPDX-License-Identifier: Apache-2.0
//
// Whether a CPU has the features that a program was compiled for.

#ifndef SCANWEAVE_LIB_RUNTIME_CPUFEATURES_H
#define SCANWEAVE_LIB_RUNTIME_CPUFEATURES_H

#include <cstdint>
#include <string>
#include <string_view>

namespace scanweave::runtime {

/// What x86-64-v3 has beyond the first x86-64 CPUs: the least that any program
/// and the runtime's own kernels need.
inline constexpr std::string_view floorFeatures =
    "cx16,popcnt,sse3,ssse3,sse4.1,sse4.2,avx,avx2,bmi,bmi2,f16c,fma,lzcnt,"
    "movbe";

/// A CPU's description of itself.
class Cpu {
public:
  struct Registers {
    uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
  };
  virtual ~Cpu() = default;
  /// cpuid; zeros for leaves that the CPU does not have.
  virtual Registers read(uint32_t leaf, uint32_t subleaf) const = 0;
  /// xgetbv: what the operating system saves. Only asked for where cpuid says
  /// that it can be.
  virtual uint64_t savedState() const = 0;
};

/// The features, of a list with commas between, that a CPU or its operating
/// system does not offer: in their order, separated by ", ". A feature that
/// the runtime doesn't know counts as missing.
std::string missingFeatures(std::string_view features, const Cpu &cpu);

/// The same for the CPU that this runs on. Empty on other architectures, whose
/// floor is all of them.
std::string missingFeatures(std::string_view features);

} // namespace scanweave::runtime

#endif // SCANWEAVE_LIB_RUNTIME_CPUFEATURES_H
