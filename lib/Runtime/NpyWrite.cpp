// SPDX-License-Identifier: Apache-2.0
//
// Writes .npy files.

#include "Npy.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace scanweave::runtime;

namespace {

/// A file that is being written. One that isn't finished disappears.
class Output {
public:
  explicit Output(const std::string &path) : path(path) {
    struct stat status;
    bool exists = stat(path.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode))
      fail("is a directory");
    if (exists && !S_ISREG(status.st_mode)) {
      descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
      if (descriptor < 0)
        fail(strerror(errno));
      return;
    }
    if (exists && access(path.c_str(), W_OK) != 0)
      fail(strerror(errno));
    // A link stays a link: what it leads to is replaced.
    target = path;
    if (char *resolved = exists ? realpath(path.c_str(), nullptr) : nullptr) {
      target = resolved;
      free(resolved);
    }
    temporary = target + ".XXXXXX";
    descriptor = mkstemp(temporary.data());
    if (descriptor < 0) {
      temporary.clear();
      fail(strerror(errno));
    }
    // mkstemp lets only the owner read.
    mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, exists ? status.st_mode & 07777 : 0666 & ~mask);
  }
  ~Output() {
    if (descriptor >= 0)
      close(descriptor);
    if (!temporary.empty())
      unlink(temporary.c_str());
  }
  Output(const Output &) = delete;
  Output &operator=(const Output &) = delete;

  void write(const char *from, int64_t bytes) {
    while (bytes > 0) {
      ssize_t written = ::write(descriptor, from, static_cast<size_t>(bytes));
      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        fail(strerror(errno));
      from += written;
      bytes -= written;
    }
  }
  void finish() {
    // Full disks are sometimes only noticed here.
    if (close(std::exchange(descriptor, -1)) != 0)
      fail(strerror(errno));
    if (temporary.empty())
      return;
    if (rename(temporary.c_str(), target.c_str()) != 0)
      fail(strerror(errno));
    temporary.clear();
  }

private:
  [[noreturn]] void fail(const std::string &reason) {
    // A constructor that throws runs no destructor.
    if (!temporary.empty())
      unlink(std::exchange(temporary, "").c_str());
    throw UsageError(path + ": cannot be written: " + reason);
  }

  std::string path;
  std::string target;
  std::string temporary;
  int descriptor = -1;
};

} // namespace

static std::string makeHeader(const TensorView &tensor) {
  std::string shape = "(";
  for (size_t d = 0; d < tensor.shape.size(); ++d)
    shape += (d ? ", " : "") + std::to_string(tensor.shape[d]);
  shape += tensor.shape.size() == 1 ? ",)" : ")";
  std::string text = std::string("{'descr': '") + npyNameOf(tensor.element) +
                     "', 'fortran_order': False, 'shape': " + shape + ", }";
  // With magic, version, length and a newline a multiple of 64.
  constexpr size_t before = 10, alignment = 64;
  size_t used = before + text.size() + 1;
  text.append((alignment - used % alignment) % alignment, ' ');
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() & 0xff);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

void scanweave::runtime::checkWritable(const std::string &path) {
  struct stat status;
  bool special = stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) &&
                 !S_ISDIR(status.st_mode);
  if (!special)
    Output probe(path);
  // Opening a pipe and closing it would end its reader.
  else if (access(path.c_str(), W_OK) != 0)
    throw UsageError(path + ": cannot be written: " + strerror(errno));
}

void scanweave::runtime::writeNpy(const std::string &path,
                                  const TensorView &tensor) {
  Output output(path);
  std::string header = makeHeader(tensor);
  output.write(header.data(), static_cast<int64_t>(header.size()));
  output.write(tensor.data, countElements(tensor.shape, tensor.element) *
                                bytesOf(tensor.element));
  output.finish();
}
