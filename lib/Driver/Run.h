// SPDX-License-Identifier: Apache-2.0
//
// Running a program that was just compiled.

#ifndef SCANWEAVE_LIB_DRIVER_RUN_H
#define SCANWEAVE_LIB_DRIVER_RUN_H

#include <string>
#include <vector>

namespace scanweave {

/// Runs an executable as if the shell had, under the name `name`. Returns its
/// exit code, 128 more than the signal that ended it, or ExitCode::file where
/// it can't be run.
int runProgram(const std::string &executable, const std::string &name,
               const std::vector<std::string> &arguments);

} // namespace scanweave

#endif // SCANWEAVE_LIB_DRIVER_RUN_H
