// SPDX-License-Identifier: Apache-2.0
//
// A program's command line, on a small program whose entries are written here.

#include "Main.h"
#include "Npy.h"
#include "Platform.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

using namespace scanweave::runtime;
namespace fs = std::filesystem;

namespace {

const char descriptor[] = R"({
  "name": "toy", "help": "Adds a number to a tensor, step by step.",
  "arguments": [
    {"name": "steps", "type": "index", "shape": null, "default": 3, "help": "How often"},
    {"name": "by", "type": "f32", "shape": null, "default": 0.5},
    {"name": "x0", "type": "f32", "shape": [4], "default": 1.0, "help": "Start"},
    {"name": "salt", "type": "i8", "shape": null, "unsigned": true, "default": 0}],
  "results": [
    {"name": "x", "type": "f32", "shape": [4]},
    {"name": "xs", "type": "f32", "shape": [-1, 4]}],
  "variants": [[0], [0, 1]]})";

template <int64_t rank> struct MemRef {
  char *allocated, *aligned;
  int64_t offset, sizes[rank], strides[rank];
};

int calls[2]; ///< of each variant
uint8_t salt;

void run(void **arguments, void **results, bool withAll) {
  ++calls[withAll];
  int64_t steps = *static_cast<int64_t *>(arguments[0]);
  float by = *static_cast<float *>(arguments[1]);
  auto &x0 = *static_cast<MemRef<1> *>(arguments[2]);
  salt = *static_cast<uint8_t *>(arguments[3]);
  EXPECT_EQ(x0.sizes[0], 4);
  EXPECT_EQ(x0.strides[0], 1);
  const float *from = reinterpret_cast<float *>(x0.aligned) + x0.offset;
  auto *x = static_cast<float *>(malloc(4 * sizeof(float)));
  auto *xs = static_cast<float *>(withAll ? malloc(16 * (steps + 1)) : nullptr);
  memcpy(x, from, 16);
  for (int64_t s = 0; s < steps; ++s) {
    if (withAll)
      memcpy(xs + 4 * s, x, 16);
    for (int i = 0; i < 4; ++i)
      x[i] += by;
  }
  auto bytes = [](float *data) { return reinterpret_cast<char *>(data); };
  *static_cast<MemRef<1> *>(results[0]) = {bytes(x), bytes(x), 0, {4}, {1}};
  if (withAll)
    *static_cast<MemRef<2> *>(results[1]) = {
        bytes(xs), bytes(xs), 0, {steps, 4}, {4, 1}};
}

const scanweave_entry entries[] = {
    [](void **arguments, void **results) { run(arguments, results, false); },
    [](void **arguments, void **results) { run(arguments, results, true); }};

struct Outcome {
  int code;
  std::string out, err;
};

Outcome runProgram(const char *text, const scanweave_entry *functions,
                   std::vector<std::string> options) {
  options.insert(options.begin(), "./toy");
  std::vector<char *> argv;
  for (std::string &option : options)
    argv.push_back(option.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.code = scanweave_main(static_cast<int>(argv.size()), argv.data(),
                                text, functions);
  outcome.out = testing::internal::GetCapturedStdout();
  outcome.err = testing::internal::GetCapturedStderr();
  return outcome;
}

class Main : public testing::Test {
protected:
  void SetUp() override {
    directory = testing::TempDir() + "main-" +
                testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(directory);
    fs::create_directories(directory);
    calls[0] = calls[1] = 0;
  }
  void TearDown() override { fs::remove_all(directory); }
  std::string file(const std::string &name) { return directory + "/" + name; }

  Outcome toy(const std::vector<std::string> &options) {
    return runProgram(descriptor, entries, options);
  }
  void expectUsageError(const std::vector<std::string> &options,
                        const std::string &message) {
    Outcome outcome = toy(options);
    EXPECT_EQ(outcome.code, WrongUsage);
    EXPECT_EQ(outcome.err, "toy: " + message + "\nSee toy --help.\n");
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(calls[0] + calls[1], 0);
  }
  std::string directory;
};

TEST_F(Main, PrintsWithoutOptions) {
  Outcome outcome = toy({});
  EXPECT_EQ(outcome.code, Done);
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(outcome.out.starts_with("x = [2.5 2.5 2.5 2.5]\n"))
      << outcome.out;
  // What is dynamic was not computed.
  EXPECT_EQ(calls[0], 1);
  EXPECT_EQ(calls[1], 0);
}

TEST_F(Main, Scalars) {
  Outcome outcome = toy({"--steps", "2", "--by=-1e-1", "--salt", "255"});
  EXPECT_TRUE(outcome.out.starts_with("x = [0.79999995 ")) << outcome.out;
  EXPECT_EQ(salt, 255);
  EXPECT_TRUE(toy({"--by", "-1"}).out.starts_with("x = [-2. -2.")); // no option
}

TEST_F(Main, FilesInAndOut) {
  std::vector<float> values = {1, 2, 3, 4};
  writeNpy(file("x0.npy"),
           {Element::F32, {4}, reinterpret_cast<char *>(values.data())});
  Outcome outcome = toy({"--x0", file("x0.npy"), "--xs", file("xs.npy")});
  EXPECT_EQ(outcome.code, Done) << outcome.err;
  EXPECT_EQ(calls[1], 1);
  EXPECT_FALSE(outcome.out.starts_with("x"));
  Tensor xs = readNpy(file("xs.npy"), Element::F32, {3, 4});
  EXPECT_EQ(reinterpret_cast<float *>(xs.data.get())[11], 5.0f);
  EXPECT_FALSE(fs::exists(file("x.npy")));

  EXPECT_EQ(toy({"--x", file("x.npy"), "--quiet"}).out, "");
  EXPECT_EQ(calls[0], 1);
  EXPECT_TRUE(fs::exists(file("x.npy")));
}

TEST_F(Main, NumbersFillTensors) {
  EXPECT_TRUE(toy({"--x0", "7"}).out.starts_with("x = [8.5 8.5"));
}

TEST_F(Main, Help) {
  Outcome outcome = toy({"--help"});
  EXPECT_EQ(outcome.code, Done);
  for (const char *part :
       {"Adds a number to a tensor", "--steps NUMBER",
        "How often (index, default 3)", "--x0 FILE.npy|NUMBER",
        "Start (float32 4, default 1.0)", "uint8, default 0", "--xs FILE.npy",
        "float32 ?x4", "--threads N", "--force-threads", "--quiet",
        "Exit codes"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n"
                                                         << outcome.out;
}

TEST_F(Main, WrongUsage) {
  expectUsageError({"--steps", "-3"},
                   "--steps: expected a non-negative index, found \"-3\"");
  expectUsageError({"--steps", "many"},
                   "--steps: expected a non-negative index, found \"many\"");
  expectUsageError({"--salt", "256"},
                   "--salt: expected a uint8, found \"256\"");
  expectUsageError({"--x0", "1e99"},
                   "--x0: expected a float32, found \"1e99\"");
  expectUsageError({"--stepz", "3"}, "unknown option \"--stepz\"");
  expectUsageError({"x.npy"}, "unexpected argument \"x.npy\"");
  expectUsageError({"--by", "--steps"},
                   "--by: expected a value, found \"--steps\"");
  expectUsageError({"--by", ""}, "--by: expected a value, found \"\"");
  expectUsageError({"--by", "1", "--by", "2"}, "--by: given more than once");
  for (const char *threads : {"0", "-1", "x", "1025"})
    expectUsageError(
        {"--threads", threads},
        std::string("--threads: expected a number from 1 to 1024, found \"") +
            threads + "\"");
  expectUsageError({"--x", file("a.npy"), "--xs", file("a.npy")},
                   "--x and --xs name the same file");
  EXPECT_EQ(toy({"--steps"}).code, WrongUsage);
}

TEST_F(Main, WrongFiles) {
  expectUsageError({"--x0", file("none.npy")},
                   "--x0: " + file("none.npy") + ": No such file or directory");
  std::vector<double> values = {1, 2, 3, 4};
  writeNpy(file("f8.npy"),
           {Element::F64, {4}, reinterpret_cast<char *>(values.data())});
  expectUsageError({"--x0", file("f8.npy")},
                   "--x0: " + file("f8.npy") +
                       ": expected float32, found float64");
  writeNpy(file("wide.npy"),
           {Element::F32, {4, 2}, reinterpret_cast<char *>(values.data())});
  expectUsageError({"--x0", file("wide.npy")},
                   "--x0: " + file("wide.npy") +
                       ": expected shape 4, found 4x2");
  expectUsageError({"--xs", file("no/xs.npy")},
                   file("no/xs.npy") +
                       ": cannot be written: No such file or directory");
}

TEST_F(Main, AFullDiskIsNoWrongUsage) {
  Outcome outcome = toy({"--x", "/dev/full"});
  EXPECT_EQ(outcome.code, FailedToRun);
  EXPECT_EQ(outcome.err,
            "toy: /dev/full: cannot be written: No space left on device\n");
}

TEST_F(Main, RequiredArguments) {
  const char required[] = R"({"name": "toy", "arguments": [
    {"name": "z", "type": "f64", "shape": [-1, 3], "help": "Points"}],
    "results": [], "variants": [[]]})";
  scanweave_entry entry = [](void **arguments, void **) {
    EXPECT_EQ(static_cast<MemRef<2> *>(arguments[0])->sizes[0], 2);
    EXPECT_EQ(static_cast<MemRef<2> *>(arguments[0])->strides[0], 3);
  };
  Outcome outcome = runProgram(required, &entry, {});
  EXPECT_EQ(outcome.code, WrongUsage);
  EXPECT_EQ(outcome.err, "toy: --z is required: Points (float64 ?x3, "
                         "required)\nSee toy --help.\n");
  EXPECT_EQ(runProgram(required, &entry, {"--z", "1"}).err,
            "toy: --z: a number cannot fill the shape ?x3, which has a dynamic "
            "extent; expected a .npy file\nSee toy --help.\n");
  std::vector<double> values(6);
  writeNpy(file("z.npy"),
           {Element::F64, {2, 3}, reinterpret_cast<char *>(values.data())});
  EXPECT_EQ(runProgram(required, &entry, {"--z", file("z.npy")}).code, Done);
}

TEST_F(Main, BrokenDescriptors) {
  auto errorOf = [](const std::string &arguments, const std::string &results,
                    const std::string &variants) {
    Outcome outcome =
        runProgram(("{\"arguments\": [" + arguments + "], \"results\": [" +
                    results + "], \"variants\": " + variants + "}")
                       .c_str(),
                   entries, {});
    EXPECT_EQ(outcome.code, FailedToRun);
    return outcome.err;
  };
  std::string x = R"({"name": "x", "type": "f32", "shape": null})";
  EXPECT_EQ(errorOf(x, x, "[[0]]"),
            "./toy: broken program descriptor: two arguments or results are "
            "called 'x'; each is an option and needs a name of its own\n");
  EXPECT_EQ(errorOf(R"({"name": "threads", "type": "f32", "shape": null})", "",
                    "[[]]"),
            "./toy: broken program descriptor: '--threads' is an option of "
            "every program; the argument or result needs another name\n");
  EXPECT_EQ(
      errorOf(R"({"name": "a b", "type": "f32", "shape": null})", "", "[[]]"),
      "./toy: broken program descriptor: 'a b' cannot be the name of an "
      "option\n");
  EXPECT_EQ(
      errorOf(R"({"name": "x", "type": "f8", "shape": null})", "", "[[]]"),
      "./toy: broken program descriptor: 'x' has the unknown type f8\n");
  EXPECT_EQ(errorOf(R"({"name": "x", "type": "i8", "shape": null,
                        "default": 300})",
                    "", "[[]]"),
            "./toy: broken program descriptor: the default of 'x' does not fit "
            "its type\n");
  EXPECT_EQ(errorOf("", x, "[[]]"),
            "./toy: broken program descriptor: no variant computes all "
            "results\n");
  EXPECT_EQ(runProgram("{", entries, {}).code, FailedToRun);
}

TEST_F(Main, FewerWorkersThanAskedFor) {
  const char launch[] = R"({"name": "toy", "arguments": [], "results": [],
                            "variants": [[]]})";
  scanweave_entry entry = [](void **, void **) {
    scanweave_chunk chunk = [](void *, int64_t, int64_t, int32_t threads,
                               scanweave_team *team) {
#pragma omp parallel num_threads(threads)
      scanweave_worker_end(scanweave_worker_begin(team));
    };
    scanweave_run(chunk, nullptr, 5, 0);
  };
  std::string cpus = std::to_string(usableCpus());
  Outcome outcome = runProgram(launch, &entry, {"--threads", "1000"});
  EXPECT_EQ(outcome.code, Done);
  EXPECT_EQ(outcome.err,
            "toy: ran on " + cpus + (cpus == "1" ? " worker" : " workers") +
                ", not on the 1000 asked for: this process may use " + cpus +
                (cpus == "1" ? " CPU" : " CPUs") +
                " (--force-threads runs more workers all the same)\n");
  outcome = runProgram(launch, &entry, {"--threads", "5", "--force-threads"});
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("5 steps in "), std::string::npos);
  EXPECT_NE(outcome.out.find("per step, 5 workers\n"), std::string::npos);
}

} // namespace
