// SPDX-License-Identifier: Apache-2.0
//
// Prints tensors as NumPy does.

#include "Print.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

using namespace scanweave::runtime;

/// More elements than this are abbreviated.
static constexpr int64_t maxPrinted = 1000;
/// How many are shown at each end then.
static constexpr int64_t edge = 3;
static constexpr size_t lineLength = 79;

namespace {

class TensorPrinter {
public:
  TensorPrinter(const TensorView &tensor, size_t indent)
      : tensor(tensor), indent(indent),
        shortened(countElements(tensor.shape, tensor.element) > maxPrinted) {
    collect(0, 0);
    // Columns line up.
    for (const std::string &text : texts)
      width = std::max(width, text.size());
  }

  std::string print() {
    printFrom(0);
    return std::move(out);
  }

private:
  /// Calls `visit(i)` for the shown indices of a dimension, and `visit(-1)` for
  /// the gap.
  template <typename Visitor> void forEachShown(size_t dim, Visitor visit) {
    int64_t extent = tensor.shape[dim];
    bool gap = shortened && extent > 2 * edge;
    for (int64_t i = 0; i < extent; ++i) {
      if (gap && i == edge) {
        visit(int64_t(-1));
        i = extent - edge;
      }
      visit(i);
    }
  }

  /// The texts of all shown elements, in order.
  void collect(size_t dim, int64_t offset) {
    if (dim == tensor.shape.size()) {
      texts.push_back(formatElement(
          tensor.element, tensor.data + offset * bytesOf(tensor.element)));
      return;
    }
    forEachShown(dim, [&](int64_t i) {
      if (i >= 0)
        collect(dim + 1, offset * tensor.shape[dim] + i);
    });
  }

  void printFrom(size_t dim) {
    if (dim == tensor.shape.size()) {
      out += texts[next++];
      return;
    }
    out += '[';
    if (dim + 1 == tensor.shape.size()) {
      printRow(dim);
    } else {
      bool first = true;
      forEachShown(dim, [&](int64_t i) {
        if (!first)
          startLine(dim + 1);
        first = false;
        if (i < 0)
          out += "...";
        else
          printFrom(dim + 1);
      });
    }
    out += ']';
  }

  void printRow(size_t dim) {
    size_t used = indent + dim + 1;
    bool first = true;
    forEachShown(dim, [&](int64_t i) {
      std::string text = i < 0 ? "..." : texts[next++];
      if (i >= 0)
        text.insert(0, width - text.size(), ' ');
      // The brackets that close come after the last one.
      if (!first && used + 1 + text.size() + dim + 1 > lineLength) {
        startLine(dim + 1);
        used = indent + dim + 1;
      } else if (!first) {
        out += ' ';
        ++used;
      }
      first = false;
      out += text;
      used += text.size();
    });
  }

  void startLine(size_t brackets) {
    out += '\n';
    out.append(indent + brackets, ' ');
  }

  const TensorView &tensor;
  size_t indent;
  bool shortened;
  std::vector<std::string> texts;
  size_t next = 0;
  size_t width = 0;
  std::string out;
};

} // namespace

std::string scanweave::runtime::formatTensor(const std::string &name,
                                             const TensorView &tensor) {
  std::string text = name + " = ";
  text += TensorPrinter(tensor, text.size()).print();
  if (countElements(tensor.shape, tensor.element) > maxPrinted ||
      tensor.shape.size() > 1)
    text += "  (" + std::string(nameOf(tensor.element)) + " " +
            formatShape(tensor.shape) + ")";
  return text;
}

std::string scanweave::runtime::formatSeconds(double seconds) {
  static constexpr struct {
    double unit;
    const char *name;
  } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  for (auto [unit, name] : units) {
    double value = seconds / unit;
    if (value < 1 && unit != 1e-9)
      continue;
    int digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
    char buffer[64];
    snprintf(buffer, sizeof(buffer), "%.*f %s", digits, value, name);
    return buffer;
  }
  return {};
}

std::string scanweave::runtime::formatCount(int64_t count) {
  std::string text = std::to_string(count);
  size_t sign = count < 0;
  for (size_t at = text.size(); at > sign + 3; at -= 3)
    text.insert(at - 3, ",");
  return text;
}
