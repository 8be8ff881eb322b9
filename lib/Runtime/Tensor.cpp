// SPDX-License-Identifier: Apache-2.0
//
// Shapes, and memory for tensors.

#include "Tensor.h"

#include <algorithm>
#include <utility>

using namespace scanweave::runtime;

bool scanweave::runtime::isStatic(const Shape &shape) {
  return std::find(shape.begin(), shape.end(), dynamicExtent) == shape.end();
}

int64_t scanweave::runtime::countElements(const Shape &shape, Element element) {
  int64_t bytes = bytesOf(element);
  if (std::find(shape.begin(), shape.end(), 0) != shape.end())
    return 0;
  for (int64_t extent : shape)
    if (__builtin_mul_overflow(bytes, extent, &bytes))
      throw UsageError("a tensor of shape " + formatShape(shape) +
                       " does not fit into memory");
  return bytes / bytesOf(element);
}

std::string scanweave::runtime::formatShape(const Shape &shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  for (int64_t extent : shape) {
    if (!text.empty())
      text += "x";
    text += extent == dynamicExtent ? "?" : std::to_string(extent);
  }
  return text;
}

Tensor::Tensor(Element element, Shape tensorShape)
    : element(element), shape(std::move(tensorShape)) {
  constexpr int64_t alignment = 64;
  int64_t bytes = countElements(shape, element) * bytesOf(element);
  if (bytes <= INT64_MAX - alignment) {
    // At least one line: a null pointer would mean that there is no memory.
    int64_t rounded =
        std::max(alignment, (bytes + alignment - 1) / alignment * alignment);
    data.reset(static_cast<char *>(std::aligned_alloc(alignment, rounded)));
  }
  if (!data)
    throw UsageError("out of memory for a tensor of shape " +
                     formatShape(shape));
}
