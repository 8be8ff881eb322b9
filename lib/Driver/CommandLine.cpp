// SPDX-License-Identifier: Apache-2.0
//
// The command line of weavec, declared in Options.td.

#include "scanweave/Driver/Compile.h"

#include "Config.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Option/Option.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace llvm::opt;
using namespace scanweave;

namespace {

#define OPTTABLE_STR_TABLE_CODE
#include "Options.inc"
#undef OPTTABLE_STR_TABLE_CODE

#define OPTTABLE_PREFIXES_TABLE_CODE
#include "Options.inc"
#undef OPTTABLE_PREFIXES_TABLE_CODE

enum OptionId {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "Options.inc"
#undef OPTION
};

constexpr OptTable::Info optionInfos[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "Options.inc"
#undef OPTION
};

class WeavecOptions final : public GenericOptTable {
public:
  WeavecOptions()
      : GenericOptTable(OptionStrTable, OptionPrefixesTable, optionInfos) {}
};

/// Reads the command line into options.
class CommandLine {
public:
  /// What to do: compile, or exit at once.
  std::optional<ExitCode> parse(ArrayRef<const char *> arguments) {
    // What follows -- is not for us.
    const auto *separator = llvm::find_if(
        arguments, [](const char *text) { return StringRef(text) == "--"; });
    bool hasSeparator = separator != arguments.end();
    if (hasSeparator)
      options.programArguments.assign(separator + 1, arguments.end());
    unsigned missingIndex, missingCount;
    InputArgList parsed =
        table.ParseArgs(ArrayRef<const char *>(arguments.begin(), separator),
                        missingIndex, missingCount);
    if (missingCount)
      return complain("option '" + Twine(parsed.getArgString(missingIndex)) +
                      "' needs a value");
    if (parsed.hasArg(OPT_help)) {
      printHelp();
      return ExitCode::success;
    }
    if (parsed.hasArg(OPT_version)) {
      outs() << "weavec " SCANWEAVE_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
      return ExitCode::success;
    }
    for (const Arg *unknown : parsed.filtered(OPT_UNKNOWN))
      return complainAboutUnknown(unknown->getAsString(parsed));
    if (!readValues(parsed))
      return ExitCode::usage;
    std::vector<std::string> inputs = parsed.getAllArgValues(OPT_INPUT);
    if (inputs.size() != 1)
      return complain(inputs.empty()
                          ? "no input file (see weavec --help)"
                          : "more than one input file: '" + inputs[0] +
                                "' and '" + inputs[1] + "'");
    options.input = inputs[0];
    if (hasSeparator && !options.run)
      return complain("arguments after -- are for the program: give --run");
    if (options.run && (parsed.hasArg(OPT_output) || parsed.hasArg(OPT_emit) ||
                        !options.stopAfter.empty()))
      return complain("--run writes no file: -o, --emit and --stop-after "
                      "don't go with it");
    chooseOutput();
    return std::nullopt;
  }

  CompileOptions options;

private:
  static ExitCode complain(const Twine &message) {
    WithColor::error(errs(), "weavec") << message << '\n';
    return ExitCode::usage;
  }

  ExitCode complainAboutUnknown(const std::string &option) {
    std::string nearest;
    if (table.findNearest(option, nearest) > 2)
      return complain("unknown option '" + option + "' (see weavec --help)");
    return complain("unknown option '" + option + "', did you mean '" +
                    nearest + "'?");
  }

  /// Reads an option with one of several values; false if it has another one.
  template <typename T>
  static bool readChoice(const InputArgList &parsed, OptSpecifier option,
                         ArrayRef<std::pair<StringRef, T>> choices, T &value) {
    const Arg *argument = parsed.getLastArg(option);
    if (!argument)
      return true;
    std::string known;
    for (auto [name, choice] : choices) {
      if (name == argument->getValue()) {
        value = choice;
        return true;
      }
      known += (known.empty() ? "" : ", ") + name.str();
    }
    complain("'" + argument->getAsString(parsed) + "': expected one of " +
             known);
    return false;
  }

  bool readValues(const InputArgList &parsed) {
    if (!readChoice<OutputKind>(parsed, OPT_emit,
                                {{"exe", OutputKind::executable},
                                 {"obj", OutputKind::object},
                                 {"llvm", OutputKind::llvmIR},
                                 {"mlir", OutputKind::mlir}},
                                options.kind) ||
        !readChoice<ExchangeForm>(
            parsed, OPT_exchange,
            {{"slots", ExchangeForm::slots}, {"omp", ExchangeForm::omp}},
            options.exchange) ||
        !readChoice<unsigned>(parsed, OPT_llvm_opt,
                              {{"0", 0}, {"1", 1}, {"2", 2}, {"3", 3}},
                              options.llvmLevel))
      return false;
    options.optimize = parsed.hasFlag(OPT_O2, OPT_O0, true);
    options.output = parsed.getLastArgValue(OPT_output);
    options.cpu = parsed.getLastArgValue(OPT_target_cpu, "native");
    options.stopAfter = parsed.getLastArgValue(OPT_stop_after);
    options.run = parsed.hasArg(OPT_run);
    options.report = parsed.hasArg(OPT_report);
    for (const std::string &limit : parsed.getAllArgValues(OPT_fail_on)) {
      if (!options.limits)
        options.limits.emplace();
      if (!options.limits->parse(limit)) {
        complain("'--fail-on=" + limit +
                 "': expected copy, alloc, copy=<n>, alloc=<n> or "
                 "exchange=<n>");
        return false;
      }
    }
    return readLLVMOptions(parsed);
  }

  static bool readLLVMOptions(const InputArgList &parsed) {
    std::vector<std::string> values = parsed.getAllArgValues(OPT_mllvm);
    std::vector<const char *> arguments = {"weavec -mllvm"};
    for (const std::string &value : values)
      arguments.push_back(value.c_str());
    return arguments.size() == 1 ||
           cl::ParseCommandLineOptions(arguments.size(), arguments.data(), "",
                                       &errs());
  }

  /// Where the result goes if nothing is said.
  void chooseOutput() {
    if (!options.stopAfter.empty())
      options.kind = OutputKind::mlir;
    if (!options.output.empty() || options.run)
      return;
    if (options.kind == OutputKind::llvmIR ||
        options.kind == OutputKind::mlir) {
      options.output = "-";
      return;
    }
    StringRef stem =
        options.input == "-" ? StringRef("a") : sys::path::stem(options.input);
    options.output = stem.str();
    // An input without an extension would be overwritten.
    if (options.kind == OutputKind::object)
      options.output += ".o";
    else if (sys::path::filename(options.input) == stem)
      options.output += ".out";
  }

  void printHelp() {
    table.printHelp(outs(), "weavec [options] <program.mlir> [-- argument...]",
                    "weavec: compiles a program over the weave dialect");
    outs() << "\nEXIT CODES:\n"
              "  0  done\n"
              "  1  the program is wrong or not supported\n"
              "  2  weavec was called wrongly\n"
              "  3  a file cannot be read or written\n"
              "  4  the linker is missing or failed\n"
              "  5  the program exceeds what --fail-on allows\n"
              "  With --run, the exit code is the program's.\n";
  }

  WeavecOptions table;
};

} // namespace

int scanweave::runWeavec(int argc, char **argv) {
  CommandLine commandLine;
  if (std::optional<ExitCode> code =
          commandLine.parse(ArrayRef<const char *>(argv + 1, argv + argc)))
    return static_cast<int>(*code);
  return compile(commandLine.options);
}
