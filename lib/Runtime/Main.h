// SPDX-License-Identifier: Apache-2.0
//
// The main function of a compiled program, after the check of the CPU.

#ifndef SCANWEAVE_LIB_RUNTIME_MAIN_H
#define SCANWEAVE_LIB_RUNTIME_MAIN_H

#include "scanweave/Runtime/Runtime.h"

namespace scanweave::runtime {

/// Exit codes of every compiled program.
enum ExitCode {
  Done = 0,
  FailedToRun = 1,
  WrongUsage = 2,
  UnsupportedCpu = 3,
};

int runMain(int argc, char **argv, const char *descriptor,
            const scanweave_entry *entries);

} // namespace scanweave::runtime

#endif // SCANWEAVE_LIB_RUNTIME_MAIN_H
