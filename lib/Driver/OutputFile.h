// SPDX-License-Identifier: Apache-2.0
//
// A file that appears when it is complete, or not at all.

#ifndef SCANWEAVE_LIB_DRIVER_OUTPUTFILE_H
#define SCANWEAVE_LIB_DRIVER_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace scanweave {

/// What is written goes to a temporary file, which `commit` turns into the
/// output. Without that, nothing is left behind.
class OutputFile {
public:
  OutputFile() = default;
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  ~OutputFile();

  /// Makes the temporary file, next to `output`, whose place may turn out not
  /// to be writable. `-` is the standard output.
  llvm::Error open(llvm::StringRef output);
  /// Makes a temporary file for its own sake.
  llvm::Error openTemporary(llvm::StringRef suffix);

  /// The file to write to.
  const std::string &getPath() const { return temporary; }

  llvm::Error commit();

private:
  std::string output, temporary;
  bool isRenamed = false; ///< the temporary file becomes the output
};

} // namespace scanweave

#endif // SCANWEAVE_LIB_DRIVER_OUTPUTFILE_H
