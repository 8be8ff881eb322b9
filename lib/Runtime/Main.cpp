// SPDX-License-Identifier: Apache-2.0
//
// Loads arguments, calls the program, writes or prints results.

#include "Main.h"

#include "CommandLine.h"
#include "Npy.h"
#include "Platform.h"
#include "Print.h"
#include "Program.h"
#include "Run.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <set>

using namespace scanweave::runtime;

namespace {

/// A value as emitted code sees it: a scalar, or a memref descriptor, whose
/// words are the two pointers, the offset, the sizes and the strides.
class EmittedValue {
public:
  EmittedValue(bool isScalar, size_t rank)
      : scalar(isScalar), rank(rank), words(isScalar ? 1 : 3 + 2 * rank, 0) {}

  /// A value that emitted code reads from `tensor`.
  EmittedValue(bool isScalar, const Tensor &tensor)
      : EmittedValue(isScalar, tensor.shape.size()) {
    if (scalar) {
      memcpy(words.data(), tensor.data.get(),
             static_cast<size_t>(bytesOf(tensor.element)));
      return;
    }
    words[0] = words[1] = reinterpret_cast<int64_t>(tensor.data.get());
    int64_t stride = 1;
    for (size_t d = rank; d-- > 0; stride *= tensor.shape[d]) {
      words[3 + d] = tensor.shape[d];
      words[3 + rank + d] = stride;
    }
  }

  void *get() { return words.data(); }
  void *allocation() const {
    return scalar ? nullptr : reinterpret_cast<void *>(words[0]);
  }

  TensorView view(Element element) const {
    if (scalar)
      return {element, {}, reinterpret_cast<const char *>(words.data())};
    TensorView view{element, {}, reinterpret_cast<const char *>(words[1])};
    view.data += words[2] * bytesOf(element);
    view.shape.assign(words.begin() + 3, words.begin() + 3 + rank);
    int64_t stride = 1;
    for (size_t d = rank; d-- > 0; stride *= view.shape[d])
      if (view.shape[d] > 1 && words[3 + rank + d] != stride)
        scanweave_fail("a result is not contiguous");
    return view;
  }

private:
  bool scalar;
  size_t rank;
  std::vector<int64_t> words;
};

/// One run of a program.
class Execution {
public:
  Execution(const Program &program, const Invocation &invocation);
  ~Execution();
  Execution(const Execution &) = delete;
  Execution &operator=(const Execution &) = delete;

  void call(const scanweave_entry *entries);
  /// Writes the results that are asked for, or prints.
  void finish();

private:
  void printTimes() const;
  void warnAboutWorkers() const;

  const Program &program;
  const Invocation &invocation;
  std::vector<Tensor> tensors; ///< of the arguments
  std::vector<EmittedValue> arguments;
  std::vector<EmittedValue> results; ///< of the variant
  std::vector<size_t> wanted;        ///< results to write or print
  bool writes = false;               ///< to files; otherwise prints
  size_t variant = 0;
  double seconds = 0;
};

} // namespace

Execution::Execution(const Program &program, const Invocation &invocation)
    : program(program), invocation(invocation) {
  for (size_t i = 0; i < program.results.size(); ++i)
    if (invocation.results[i]) {
      checkWritable(*invocation.results[i]);
      wanted.push_back(i);
    }
  writes = !wanted.empty();
  // What has a dynamic shape may be large (all steps of a scan): it is not
  // computed to be printed, unless there is nothing else.
  if (!writes)
    for (size_t i = 0; i < program.results.size(); ++i)
      if (program.results[i].hasStaticShape())
        wanted.push_back(i);
  if (wanted.empty())
    for (size_t i = 0; i < program.results.size(); ++i)
      wanted.push_back(i);
  variant = program.smallestVariantWith(wanted);

  for (size_t i = 0; i < program.arguments.size(); ++i) {
    const Value &value = program.arguments[i];
    // There is one of the two, or the command line was refused.
    tensors.push_back(loadArgument(value, invocation.arguments[i]
                                              ? *invocation.arguments[i]
                                              : *value.byDefault));
    arguments.emplace_back(value.isScalar(), tensors.back());
  }
  for (size_t i : program.variants[variant])
    results.emplace_back(program.results[i].isScalar(),
                         program.results[i].shape.value_or(Shape{}).size());
}

Execution::~Execution() {
  // Two results may share a buffer.
  std::set<void *> allocations;
  for (const EmittedValue &result : results)
    allocations.insert(result.allocation());
  for (void *allocation : allocations)
    free(allocation);
}

void Execution::call(const scanweave_entry *entries) {
  std::vector<void *> argumentPointers, resultPointers;
  for (EmittedValue &value : arguments)
    argumentPointers.push_back(value.get());
  for (EmittedValue &value : results)
    resultPointers.push_back(value.get());
  runSettings() = invocation.run;
  runStatistics() = RunStatistics();
  double start = monotonicSeconds();
  entries[variant](argumentPointers.data(), resultPointers.data());
  seconds = monotonicSeconds() - start;
}

void Execution::finish() {
  const std::vector<size_t> &computed = program.variants[variant];
  size_t next = 0; // both lists are ascending
  for (size_t i = 0; i < computed.size(); ++i) {
    if (next == wanted.size() || computed[i] != wanted[next])
      continue;
    ++next;
    const Value &value = program.results[computed[i]];
    TensorView view = results[i].view(value.element);
    if (writes)
      writeNpy(*invocation.results[computed[i]], view);
    else if (!invocation.quiet)
      printf("%s\n", formatTensor(value.name, view).c_str());
  }
  if (!invocation.quiet)
    printTimes();
  if (fflush(stdout) != 0)
    throw UsageError("the output cannot be written");
  warnAboutWorkers();
}

void Execution::printTimes() const {
  const RunStatistics &statistics = runStatistics();
  std::string text;
  if (statistics.steps > 0)
    text = formatCount(statistics.steps) +
           (statistics.steps == 1 ? " step in " : " steps in ");
  text += formatSeconds(seconds);
  if (statistics.steps > 0)
    text += ", " +
            formatSeconds(statistics.steppedSeconds /
                          static_cast<double>(statistics.steps)) +
            " per step";
  if (int32_t workers = statistics.usualWorkers()) {
    text += ", " + std::to_string(workers) +
            (workers == 1 ? " worker" : " workers");
    if (workers < mostWorkers() && invocation.run.threads == 0)
      text += " (faster than " + std::to_string(mostWorkers()) + ")";
  }
  printf("%s\n", text.c_str());
}

void Execution::warnAboutWorkers() const {
  int32_t asked = invocation.run.threads;
  int32_t ran = runStatistics().fewestWorkers;
  if (runStatistics().workers.empty() || ran >= asked)
    return;
  std::string text = "ran on " + std::to_string(ran) +
                     (ran == 1 ? " worker" : " workers") + ", not on the " +
                     std::to_string(asked) + " asked for: ";
  if (ran == mostWorkers())
    text += "this process may use " + std::to_string(processCpus()) +
            (processCpus() == 1 ? " CPU" : " CPUs") +
            " (--force-threads runs more workers all the same)";
  else
    text += "OpenMP granted no more";
  fprintf(stderr, "%s: %s\n", program.name.c_str(), text.c_str());
}

int scanweave::runtime::runMain(int argc, char **argv, const char *descriptor,
                                const scanweave_entry *entries) {
  // Called without a command line: by a JIT, with all defaults.
  char noName[] = "program";
  char *noArguments[] = {noName, nullptr};
  if (argc == 0) {
    argc = 1;
    argv = noArguments;
  }
  std::string name = argv[0];
  auto report = [&](const std::exception &error, ExitCode code) {
    fflush(stdout);
    fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
    if (code == WrongUsage)
      fprintf(stderr, "See %s --help.\n", name.c_str());
    return code;
  };
  // What the environment says; the command line of one call is no setting of
  // the next.
  static const RunSettings environment = runSettings();
  try {
    Program program = parseProgram(descriptor);
    name = program.name;
    setProgramName(name);
    try {
      Invocation invocation =
          parseCommandLine(program, argc, argv, environment);
      if (invocation.helpText) {
        fputs(invocation.helpText->c_str(), stdout);
        return fflush(stdout) == 0 ? Done : FailedToRun;
      }
      Execution execution(program, invocation);
      execution.call(entries);
      try {
        execution.finish();
      } catch (const std::exception &error) {
        return report(error, FailedToRun);
      }
      return Done;
    } catch (const UsageError &error) {
      return report(error, WrongUsage);
    }
  } catch (const std::exception &error) {
    return report(error, FailedToRun);
  }
}
