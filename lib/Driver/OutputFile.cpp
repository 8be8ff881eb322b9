// SPDX-License-Identifier: Apache-2.0
//
// Outputs are written to temporary files, which become the output at the end.

#include "OutputFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace scanweave;

static Error makeError(const Twine &action, StringRef path,
                       std::error_code code) {
  return createStringError(code, "cannot %s '%s': %s", action.str().c_str(),
                           path.str().c_str(), code.message().c_str());
}

OutputFile::~OutputFile() {
  if (temporary.empty())
    return;
  (void)sys::fs::remove(temporary);
  sys::DontRemoveFileOnSignal(temporary);
}

Error OutputFile::open(StringRef path) {
  output = path.str();
  sys::fs::file_status status;
  bool exists = path != "-" && !sys::fs::status(path, status);
  if (exists && sys::fs::is_directory(status))
    return makeError("write", path,
                     std::make_error_code(std::errc::is_a_directory));
  // Devices and pipes are written to, not replaced.
  if (path == "-" || (exists && !sys::fs::is_regular_file(status)))
    return openTemporary("");
  if (exists)
    if (std::error_code code =
            sys::fs::access(path, sys::fs::AccessMode::Write))
      return makeError("write", path, code);
  isRenamed = true;
  SmallString<128> name;
  if (std::error_code code =
          sys::fs::createUniqueFile(path + ".tmp-%%%%%%", name))
    return makeError("write", path, code);
  temporary = name.str().str();
  sys::RemoveFileOnSignal(temporary);
  return Error::success();
}

Error OutputFile::openTemporary(StringRef suffix) {
  SmallString<128> name;
  if (std::error_code code =
          sys::fs::createTemporaryFile("weavec", suffix, name))
    return makeError("make a temporary file for", "weavec", code);
  temporary = name.str().str();
  sys::RemoveFileOnSignal(temporary);
  return Error::success();
}

Error OutputFile::commit() {
  if (isRenamed) {
    if (std::error_code code = sys::fs::rename(temporary, output))
      return makeError("write", output, code);
    sys::DontRemoveFileOnSignal(temporary);
    temporary.clear();
    return Error::success();
  }
  ErrorOr<std::unique_ptr<MemoryBuffer>> content =
      MemoryBuffer::getFile(temporary);
  if (!content)
    return makeError("read", temporary, content.getError());
  std::error_code code;
  raw_fd_ostream os(output, code);
  if (!code) {
    os << (*content)->getBuffer();
    os.flush();
    code = os.error();
    os.clear_error();
  }
  return code ? makeError("write", output, code) : Error::success();
}
