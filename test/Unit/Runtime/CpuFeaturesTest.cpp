// SPDX-License-Identifier: Apache-2.0
//
// The check of a CPU's features, on CPUs that are made up.

#include "CpuFeatures.h"

#include <gtest/gtest.h>

using namespace scanweave::runtime;

namespace {

/// Has everything, but for what is taken away.
class FakeCpu final : public Cpu {
public:
  uint32_t leaf = 0, subleaf = 0; ///< with these bits missing:
  Registers without;
  uint64_t state = 0xe7;

  Registers read(uint32_t l, uint32_t s) const override {
    Registers all{~0u, ~0u, ~0u, ~0u};
    if (l != leaf || s != subleaf)
      return all;
    return {all.eax & ~without.eax, all.ebx & ~without.ebx,
            all.ecx & ~without.ecx, all.edx & ~without.edx};
  }
  uint64_t savedState() const override { return state; }
};

TEST(CpuFeatures, NothingIsMissing) {
  EXPECT_EQ(missingFeatures(floorFeatures, FakeCpu()), "");
  EXPECT_EQ(missingFeatures("avx512f,avx512vl,gfni", FakeCpu()), "");
  EXPECT_EQ(missingFeatures("", FakeCpu()), "");
}

TEST(CpuFeatures, EachIsLookedUpWhereItIs) {
  FakeCpu noAvx2;
  noAvx2.leaf = 7;
  noAvx2.without.ebx = 1u << 5;
  EXPECT_EQ(missingFeatures(floorFeatures, noAvx2), "avx2");
  FakeCpu noFma;
  noFma.leaf = 1;
  noFma.without.ecx = 1u << 12 | 1u << 22;
  EXPECT_EQ(missingFeatures(floorFeatures, noFma), "fma, movbe");
  FakeCpu noBf16;
  noBf16.leaf = 7;
  noBf16.subleaf = 1;
  noBf16.without.eax = 1u << 5;
  EXPECT_EQ(missingFeatures("avx2,avx512bf16,fma", noBf16), "avx512bf16");
}

TEST(CpuFeatures, TheOperatingSystemHasToSaveVectors) {
  FakeCpu onlyXmm;
  onlyXmm.state = 0x3;
  EXPECT_EQ(missingFeatures("sse4.2,avx,avx2,bmi2,avx512f", onlyXmm),
            "avx, avx2, avx512f");
  FakeCpu onlyYmm;
  onlyYmm.state = 0x7;
  EXPECT_EQ(missingFeatures("avx2,avx512f,avx512vl", onlyYmm),
            "avx512f, avx512vl");
  FakeCpu saysNothing; // and must not be asked
  saysNothing.leaf = 1;
  saysNothing.without.ecx = 1u << 27;
  EXPECT_EQ(missingFeatures("sse4.2,avx", saysNothing), "avx");
}

TEST(CpuFeatures, UnknownOnesAreMissing) {
  EXPECT_EQ(missingFeatures("avx2,avx9000", FakeCpu()), "avx9000");
}

TEST(CpuFeatures, ThisMachineRunsPrograms) {
  // The tests of compiled programs need that, too.
  EXPECT_EQ(missingFeatures(floorFeatures), "");
}

} // namespace
