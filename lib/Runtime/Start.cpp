// SPDX-License-Identifier: Apache-2.0
//
// Where a binary begins: nothing here, and nothing that it calls before the
// check of the CPU, is compiled for more than the oldest CPU.

#include "CpuFeatures.h"
#include "Main.h"

#include <cstdio>

using namespace scanweave::runtime;

// Defined by weavec in each program, for what it was compiled for. Programs
// that other tools made of our IR have none.
extern "C" __attribute__((weak)) const char scanweave_cpu_features[];

int scanweave_main(int argc, char **argv, const char *descriptor,
                   const scanweave_entry *entries) {
  std::string missing = missingFeatures(floorFeatures);
  if (missing.empty() && scanweave_cpu_features)
    missing = missingFeatures(scanweave_cpu_features);
  if (!missing.empty()) {
    fprintf(stderr,
            "%s: compiled for another CPU: this one, or its operating system, "
            "lacks %s (weavec --target-cpu chooses the CPU; x86-64-v3 is the "
            "least that programs run on)\n",
            argc > 0 ? argv[0] : "program", missing.c_str());
    return UnsupportedCpu;
  }
  return runMain(argc, argv, descriptor, entries);
}
