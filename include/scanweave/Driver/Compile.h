// SPDX-License-Identifier: Apache-2.0
//
// The compiler as a function: from a file with a program to an executable, an
// object, LLVM IR or MLIR.

#ifndef SCANWEAVE_DRIVER_COMPILE_H
#define SCANWEAVE_DRIVER_COMPILE_H

#include "scanweave/Analysis/Report.h"
#include "scanweave/Conversion/Passes.h"

#include <optional>
#include <string>
#include <vector>

namespace scanweave {

/// What weavec's exit code says. A program that `--run` runs passes on its own.
enum class ExitCode : int {
  success = 0,
  programError = 1, ///< the program is wrong, or not supported
  usage = 2,        ///< weavec was called wrongly
  file = 3,         ///< a file cannot be read or written
  link = 4,         ///< the linker is missing or failed
  limit = 5,        ///< the program exceeds what --fail-on allows
};

/// What is written.
enum class OutputKind { executable, object, llvmIR, mlir };

struct CompileOptions {
  std::string input; ///< `-` is the standard input
  std::string output;
  OutputKind kind = OutputKind::executable;
  /// Whether the program is optimised and partitioned over workers, or runs
  /// one lane after the other.
  bool optimize = true;
  unsigned llvmLevel = 3; ///< LLVM's optimisation level, 0 to 3
  std::string cpu = "native";
  ExchangeForm exchange = ExchangeForm::slots;
  std::string stopAfter; ///< the pass to stop after, if not empty
  /// Compiles to a temporary file, and runs it with these arguments.
  bool run = false;
  std::vector<std::string> programArguments;
  bool report = false;
  std::optional<ReportLimits> limits;
};

/// Compiles, with messages on the standard error output. Returns an ExitCode,
/// or the exit code of the program that it ran.
int compile(const CompileOptions &options);

/// The tool weavec: parses the command line and compiles.
int runWeavec(int argc, char **argv);

} // namespace scanweave

#endif // SCANWEAVE_DRIVER_COMPILE_H
