// SPDX-License-Identifier: Apache-2.0
//
// Calls the system's compiler driver to link a program.

#include "Link.h"

#include "Config.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace scanweave;

static std::string findRuntime() {
  // Any symbol of this program will do to find its file.
  std::string tool = sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&findRuntime));
  SmallString<128> path(sys::path::parent_path(sys::path::parent_path(tool)));
  sys::path::append(path, "lib", "libscanweave_runtime.a");
  return path.str().str();
}

static std::string findTool(ArrayRef<StringRef> names,
                            ArrayRef<StringRef> folders = {}) {
  for (StringRef name : names)
    if (ErrorOr<std::string> path = sys::findProgramByName(name, folders))
      return *path;
  return {};
}

Error scanweave::link(StringRef object, StringRef executable) {
  std::string runtime = findRuntime();
  if (!sys::fs::exists(runtime))
    return createStringError("the runtime library is missing: '%s'",
                             runtime.c_str());
  std::string driver = findTool({"clang++-22", "c++", "g++", "clang++"});
  if (driver.empty())
    return createStringError(
        "no compiler driver to link with: none of clang++-22, c++, g++ and "
        "clang++ is on the path");
  std::string openmp = SCANWEAVE_OPENMP_LIBRARY;
  std::string rpath = ("-Wl,-rpath," + sys::path::parent_path(openmp)).str();
  SmallVector<StringRef> arguments = {driver, object, runtime,    openmp,
                                      rpath,  "-o",   executable, "-pthread"};
  // LLVM's linker is quicker; only Clang takes it by path.
  std::string linker;
  if (sys::path::filename(driver).starts_with("clang")) {
    linker = findTool({"ld.lld"}, {SCANWEAVE_LLVM_TOOLS_DIR});
    if (!linker.empty())
      arguments.push_back(linker.insert(0, "--ld-path="));
  }
  std::string message;
  bool isMissing = false;
  int code = sys::ExecuteAndWait(driver, arguments, std::nullopt, {}, 0, 0,
                                 &message, &isMissing);
  if (code == 0)
    return Error::success();
  if (message.empty())
    message = "exit code " + std::to_string(code);
  return createStringError("linking with '%s' failed: %s", driver.c_str(),
                           message.c_str());
}
