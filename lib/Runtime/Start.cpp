// SPDX-License-Identifier: Apache-2.0
//
// Where a binary begins: nothing here, and nothing that it calls before the
// check of the CPU, is compiled for more than the oldest CPU.

#include "Main.h"
#include "Platform.h"

#include <cstdio>

using namespace scanweave::runtime;

int scanweave_main(int argc, char **argv, const char *descriptor,
                   const scanweave_entry *entries) {
  if (!cpuIsSupported()) {
    fprintf(stderr, "%s: %s\n", argc > 0 ? argv[0] : "program",
            unsupportedCpuMessage);
    return UnsupportedCpu;
  }
  return runMain(argc, argv, descriptor, entries);
}
