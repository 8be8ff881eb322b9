// SPDX-License-Identifier: Apache-2.0
//
// Reads .npy files: magic, version, a header that is a Python dict, data.

#include "Npy.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

#include <sys/stat.h>

using namespace scanweave::runtime;

namespace {

struct Header {
  std::string type; ///< such as <f4; empty for a structured one
  bool fortranOrder = false;
  Shape shape;
};

/// Reads the Python literal {'descr': '<f4', 'fortran_order': False, 'shape':
/// (10, 4), }, its keys in any order.
class HeaderParser {
public:
  explicit HeaderParser(const std::string &text) : text(text) {}

  bool parse(Header &header) {
    bool hasType = false, hasOrder = false, hasShape = false;
    if (!accept('{'))
      return false;
    while (!accept('}')) {
      std::string key;
      if (!parseString(key) || !accept(':'))
        return false;
      bool &has = key == "descr"           ? hasType
                  : key == "fortran_order" ? hasOrder
                                           : hasShape;
      has = key == "descr"           ? parseType(header.type)
            : key == "fortran_order" ? parseBool(header.fortranOrder)
            : key == "shape"         ? parseShape(header.shape)
                                     : false;
      if (!has || (!accept(',') && peek() != '}'))
        return false;
    }
    return hasType && hasOrder && hasShape;
  }

private:
  char peek() {
    while (at < text.size() && isspace(static_cast<unsigned char>(text[at])))
      ++at;
    return at < text.size() ? text[at] : '\0';
  }
  bool accept(char c) {
    if (peek() != c)
      return false;
    ++at;
    return true;
  }
  bool parseString(std::string &value) {
    char quote = peek();
    if (quote != '\'' && quote != '"')
      return false;
    size_t end = text.find(quote, at + 1);
    if (end == std::string::npos)
      return false;
    value = text.substr(at + 1, end - at - 1);
    at = end + 1;
    return true;
  }
  bool parseBool(bool &value) {
    peek();
    for (bool candidate : {false, true}) {
      std::string word = candidate ? "True" : "False";
      if (text.compare(at, word.size(), word) != 0)
        continue;
      at += word.size();
      value = candidate;
      return true;
    }
    return false;
  }
  bool parseType(std::string &type) {
    if (peek() != '[')
      return parseString(type);
    // A structured type: skipped, for the caller to refuse.
    int depth = 0;
    for (; at < text.size(); ++at) {
      depth += (text[at] == '[') - (text[at] == ']');
      if (depth == 0) {
        ++at;
        return true;
      }
    }
    return false;
  }
  bool parseShape(Shape &shape) {
    if (!accept('('))
      return false;
    while (!accept(')')) {
      peek();
      int64_t extent;
      auto [end, error] =
          std::from_chars(text.data() + at, text.data() + text.size(), extent);
      if (error != std::errc() || extent < 0)
        return false;
      shape.push_back(extent);
      at = static_cast<size_t>(end - text.data());
      if (!accept(',') && peek() != ')')
        return false;
    }
    return true;
  }

  const std::string &text;
  size_t at = 0;
};

class File {
public:
  explicit File(const std::string &path)
      : path(path), stream(fopen(path.c_str(), "rb"), &fclose) {
    if (!stream)
      fail(strerror(errno));
    struct stat status;
    if (fstat(fileno(stream.get()), &status) == 0) {
      if (S_ISDIR(status.st_mode))
        fail("is a directory");
      if (S_ISREG(status.st_mode))
        size = status.st_size;
    }
  }

  [[noreturn]] void fail(const std::string &message) const {
    throw UsageError(path + ": " + message);
  }
  /// Reads up to `bytes` bytes and says how many there were.
  int64_t read(void *to, int64_t bytes) {
    return static_cast<int64_t>(
        fread(to, 1, static_cast<size_t>(bytes), stream.get()));
  }
  void readHeaderBytes(void *to, int64_t bytes) {
    if (read(to, bytes) != bytes)
      fail("truncated: the header of the .npy file is not complete");
  }
  /// Bytes left in a file of known size; -1 for a pipe.
  int64_t bytesLeft() const {
    return size < 0 ? -1 : std::max<int64_t>(size - ftell(stream.get()), 0);
  }

private:
  std::string path;
  std::unique_ptr<FILE, decltype(&fclose)> stream;
  int64_t size = -1;
};

} // namespace

static Header readHeader(File &file) {
  static const char magic[] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};
  char found[sizeof(magic)];
  if (file.read(found, sizeof(found)) != sizeof(found) ||
      memcmp(found, magic, sizeof(magic)) != 0)
    file.fail("not a .npy file");
  uint8_t version[2], length[4] = {};
  file.readHeaderBytes(version, 2);
  if (version[0] < 1 || version[0] > 3)
    file.fail("version " + std::to_string(version[0]) + "." +
              std::to_string(version[1]) + " of the .npy format is not known");
  file.readHeaderBytes(length, version[0] == 1 ? 2 : 4);
  uint32_t bytes = length[0] | length[1] << 8 | length[2] << 16 |
                   static_cast<uint32_t>(length[3]) << 24;
  if (bytes > 1 << 20)
    file.fail("broken .npy header of " + std::to_string(bytes) + " bytes");
  std::string text(bytes, '\0');
  file.readHeaderBytes(text.data(), bytes);
  Header header;
  if (!HeaderParser(text).parse(header))
    file.fail("broken .npy header: " + text.substr(0, text.find('\n')));
  return header;
}

/// The name that NumPy has for a type of the file, or the type itself.
static std::string describeType(const std::string &type) {
  if (type.empty())
    return "a structured type";
  std::string kind = type.substr(1);
  if (kind == "V2") // what ml_dtypes makes of bfloat16
    return nameOf(Element::BF16);
  for (int i = 0; i <= static_cast<int>(Element::Index); ++i)
    if (kind == npyNameOf(Element(i)) + 1)
      return nameOf(Element(i));
  return "type '" + type + "'";
}

/// Whether a file's type is `element`'s, in whatever byte order.
static bool isType(const std::string &type, Element element) {
  static const std::string orders = "<>=|";
  return !type.empty() && orders.find(type[0]) != std::string::npos &&
         type.substr(1) == npyNameOf(element) + 1;
}

static bool fits(const Shape &found, const Shape &expected) {
  return std::equal(
      found.begin(), found.end(), expected.begin(), expected.end(),
      [](int64_t f, int64_t e) { return e == dynamicExtent || f == e; });
}

static void swapBytes(Tensor &tensor) {
  int64_t bytes = bytesOf(tensor.element), count = tensor.count();
  for (int64_t i = 0; i < count; ++i)
    std::reverse(tensor.data.get() + i * bytes,
                 tensor.data.get() + (i + 1) * bytes);
}

/// From the first dimension running fastest to the last one.
static Tensor toRowMajor(const Tensor &columnMajor) {
  Tensor tensor(columnMajor.element, columnMajor.shape);
  int64_t bytes = bytesOf(tensor.element), count = tensor.count();
  size_t rank = tensor.shape.size();
  std::vector<int64_t> strides(rank, 1), index(rank, 0);
  for (size_t d = 1; d < rank; ++d)
    strides[d] = strides[d - 1] * tensor.shape[d - 1];
  for (int64_t i = 0; i < count; ++i) {
    int64_t from = 0;
    for (size_t d = 0; d < rank; ++d)
      from += index[d] * strides[d];
    memcpy(tensor.data.get() + i * bytes, columnMajor.data.get() + from * bytes,
           bytes);
    for (size_t d = rank; d-- > 0 && ++index[d] == tensor.shape[d];)
      index[d] = 0;
  }
  return tensor;
}

/// What emitted code relies on beyond the type.
static void checkValues(const File &file, Tensor &tensor) {
  int64_t count = tensor.count();
  if (tensor.element == Element::Bool)
    for (int64_t i = 0; i < count; ++i)
      tensor.data.get()[i] = tensor.data.get()[i] != 0;
  if (tensor.element != Element::Index)
    return;
  for (int64_t i = 0; i < count; ++i) {
    int64_t value;
    memcpy(&value, tensor.data.get() + i * sizeof(value), sizeof(value));
    if (value < 0)
      file.fail("expected non-negative indices, found " +
                std::to_string(value));
  }
}

Tensor scanweave::runtime::readNpy(const std::string &path, Element element,
                                   const Shape &expected) {
  File file(path);
  Header header = readHeader(file);
  if (!isType(header.type, element))
    file.fail(std::string("expected ") + nameOf(element) + ", found " +
              describeType(header.type));
  if (!fits(header.shape, expected))
    file.fail("expected shape " + formatShape(expected) + ", found " +
              formatShape(header.shape));

  int64_t bytes = countElements(header.shape, element) * bytesOf(element);
  auto truncated = [&](int64_t found) {
    file.fail("truncated: expected " + std::to_string(bytes) +
              " bytes of data, found " + std::to_string(found));
  };
  // Before memory is taken for what a broken header claims.
  if (int64_t left = file.bytesLeft(); left >= 0 && left < bytes)
    truncated(left);
  Tensor tensor(element, header.shape);
  if (int64_t found = file.read(tensor.data.get(), bytes); found != bytes)
    truncated(found);
  if (header.type[0] == '>')
    swapBytes(tensor);
  if (header.fortranOrder && tensor.shape.size() > 1)
    tensor = toRowMajor(tensor);
  checkValues(file, tensor);
  return tensor;
}
