// SPDX-License-Identifier: Apache-2.0
//
// Options from a program's arguments and results.

#include "CommandLine.h"

#include "Npy.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <cstring>

using namespace scanweave::runtime;

static std::string describe(const Value &value, bool isArgument) {
  std::string text;
  if (value.isScalar())
    text = value.element == Element::Index ? "index" : nameOf(value.element);
  else
    text = std::string(nameOf(value.element)) + " " + formatShape(*value.shape);
  if (isArgument)
    text += value.byDefault ? ", default " + *value.byDefault : ", required";
  return value.help.empty() ? text : value.help + " (" + text + ")";
}

/// What stands for the value in the help text.
static const char *placeholder(const Value &value) {
  if (!value.isScalar())
    return value.hasStaticShape() ? "FILE.npy|NUMBER" : "FILE.npy";
  return value.element == Element::Bool ? "true|false" : "NUMBER";
}

/// An option with one value, whose text is looked at by us.
static CLI::Option *addOption(CLI::App &app, const std::string &name,
                              const std::string &placeholder,
                              const std::string &help,
                              const std::string &group) {
  return app.add_option("--" + name)
      ->description(help)
      ->type_name(placeholder)
      ->group(group)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

static std::optional<std::string> textOf(const CLI::Option &option) {
  const std::vector<std::string> &texts = option.results();
  std::string name = option.get_name();
  if (texts.size() > 1)
    throw UsageError(name + ": given more than once");
  if (texts.empty())
    return std::nullopt;
  if (texts[0].empty() || texts[0].starts_with("--"))
    throw UsageError(name + ": expected a value, found \"" + texts[0] + "\"");
  return texts[0];
}

static int32_t parseThreads(const std::string &text) {
  int32_t threads = 0;
  if (!parseElement(Element::I32, text, &threads) || threads < 1 ||
      threads > maxWorkers)
    throw UsageError("--threads: expected a number from 1 to " +
                     std::to_string(maxWorkers) + ", found \"" + text + "\"");
  return threads;
}

static const char footer[] =
    "Without result options, results of static shape are printed.\n"
    "Results do not depend on the number of workers, bit for bit.\n"
    "Exit codes: 0 done, 1 failed while running, 2 wrong usage or input, "
    "3 unsupported CPU.";

Invocation scanweave::runtime::parseCommandLine(const Program &program,
                                                int argc,
                                                const char *const *argv,
                                                const RunSettings &run) {
  CLI::App app(program.help, program.name);
  app.allow_extras();
  app.get_formatter()->column_width(32);
  app.footer(footer);

  std::vector<CLI::Option *> arguments, results;
  for (const Value &value : program.arguments)
    arguments.push_back(addOption(app, value.name, placeholder(value),
                                  describe(value, true), "Arguments"));
  for (const Value &value : program.results)
    results.push_back(addOption(app, value.name, "FILE.npy",
                                describe(value, false),
                                "Results, written to files"));
  // Groups are shown in the order in which they get their first option.
  app.set_help_flag("-h,--help", "Print this help and exit")->group("Options");
  CLI::Option *threads = addOption(
      app, "threads", "N",
      "Workers, at most the usable CPUs (default: chosen by measuring)",
      "Options");
  Invocation invocation;
  invocation.run = run;
  app.add_flag("--force-threads", invocation.run.force,
               "Run as many workers as asked for, even with fewer CPUs")
      ->group("Options");
  app.add_flag("--quiet", invocation.quiet, "Print neither results nor times")
      ->group("Options");

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp &) {
    invocation.helpText = app.help();
    return invocation;
  } catch (const CLI::ParseError &error) {
    throw UsageError(error.what());
  }
  if (std::vector<std::string> extras = app.remaining(); !extras.empty())
    throw UsageError(std::string(extras[0].starts_with("-")
                                     ? "unknown option \""
                                     : "unexpected argument \"") +
                     extras[0] + "\"");

  if (auto text = textOf(*threads))
    invocation.run.threads = parseThreads(*text);
  for (size_t i = 0; i < arguments.size(); ++i) {
    invocation.arguments.push_back(textOf(*arguments[i]));
    if (!invocation.arguments[i] && !program.arguments[i].byDefault)
      throw UsageError("--" + program.arguments[i].name +
                       " is required: " + describe(program.arguments[i], true));
  }
  for (CLI::Option *result : results)
    invocation.results.push_back(textOf(*result));
  for (size_t i = 0; i < results.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (invocation.results[i] &&
          invocation.results[i] == invocation.results[j])
        throw UsageError(results[j]->get_name() + " and " +
                         results[i]->get_name() + " name the same file");
  return invocation;
}

/// Whether a text that is no valid number was meant as one, rather than as the
/// name of a file.
static bool looksLikeNumber(const std::string &text) {
  char *end = nullptr;
  strtod(text.c_str(), &end);
  return end == text.c_str() + text.size();
}

Tensor scanweave::runtime::loadArgument(const Value &argument,
                                        const std::string &text) {
  std::string option = "--" + argument.name + ": ";
  alignas(8) char number[8];
  bool isNumber = parseElement(argument.element, text, number);
  if (!isNumber && (argument.isScalar() || looksLikeNumber(text)))
    throw UsageError(option + "expected " + expectationOf(argument.element) +
                     ", found \"" + text + "\"");
  try {
    if (!isNumber)
      return readNpy(text, argument.element, *argument.shape);
    if (!argument.hasStaticShape())
      throw UsageError("a number cannot fill the shape " +
                       formatShape(*argument.shape) +
                       ", which has a dynamic extent; expected a .npy file");
    Tensor tensor(argument.element, argument.shape.value_or(Shape{}));
    int64_t bytes = bytesOf(argument.element), count = tensor.count();
    for (int64_t i = 0; i < count; ++i)
      memcpy(tensor.data.get() + i * bytes, number, bytes);
    return tensor;
  } catch (const UsageError &error) {
    throw UsageError(option + error.what());
  }
}
