// SPDX-License-Identifier: Apache-2.0
//
// A tensor in memory, row-major, as files hold it and emitted code takes it.

#ifndef SCANWEAVE_LIB_RUNTIME_TENSOR_H
#define SCANWEAVE_LIB_RUNTIME_TENSOR_H

#include "Elements.h"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace scanweave::runtime {

/// An extent that is only known at run time.
inline constexpr int64_t dynamicExtent = -1;

using Shape = std::vector<int64_t>;

bool isStatic(const Shape &shape);
/// The number of elements of a static shape, or an error where that exceeds
/// what memory can hold.
int64_t countElements(const Shape &shape, Element element);
/// Written as 10x4, with ? for what is dynamic; a rank of 0 is "scalar".
std::string formatShape(const Shape &shape);

/// Row-major elements that somebody else owns.
struct TensorView {
  Element element = Element::F32;
  Shape shape;
  const char *data = nullptr;
};

struct Tensor {
  Element element = Element::F32;
  Shape shape;
  std::unique_ptr<char, decltype(&std::free)> data{nullptr, &std::free};

  Tensor() = default;
  /// Uninitialised, aligned for every vector.
  Tensor(Element element, Shape shape);

  int64_t count() const { return countElements(shape, element); }
  TensorView view() const { return {element, shape, data.get()}; }
};

} // namespace scanweave::runtime

#endif // SCANWEAVE_LIB_RUNTIME_TENSOR_H
