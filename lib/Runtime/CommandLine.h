// SPDX-License-Identifier: Apache-2.0
//
// The command line of a compiled program.

#ifndef SCANWEAVE_LIB_RUNTIME_COMMANDLINE_H
#define SCANWEAVE_LIB_RUNTIME_COMMANDLINE_H

#include "Program.h"
#include "Run.h"

#include <optional>
#include <string>
#include <vector>

namespace scanweave::runtime {

/// What a user asks for.
struct Invocation {
  std::optional<std::string> helpText;               ///< nothing but this
  std::vector<std::optional<std::string>> arguments; ///< none: the default
  std::vector<std::optional<std::string>> results;   ///< files to write
  RunSettings run;
  bool quiet = false;
};

/// Throws UsageError.
Invocation parseCommandLine(const Program &program, int argc,
                            const char *const *argv, const RunSettings &run);

/// The value of an argument: read from a file, or a number that is repeated
/// as often as the shape needs. A scalar becomes a tensor of rank 0. Throws
/// UsageError.
Tensor loadArgument(const Value &argument, const std::string &text);

} // namespace scanweave::runtime

#endif // SCANWEAVE_LIB_RUNTIME_COMMANDLINE_H
