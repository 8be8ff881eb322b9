// SPDX-License-Identifier: Apache-2.0
//
// What a program takes and gives, read from the descriptor that the compiler
// puts into the binary.

#ifndef SCANWEAVE_LIB_RUNTIME_PROGRAM_H
#define SCANWEAVE_LIB_RUNTIME_PROGRAM_H

#include "Tensor.h"

#include <optional>
#include <string>
#include <vector>

namespace scanweave::runtime {

/// An argument or a result.
struct Value {
  std::string name;
  std::string help;
  Element element = Element::F32;
  std::optional<Shape> shape;           ///< none: a scalar
  std::optional<std::string> byDefault; ///< as it could stand on the command
                                        ///< line; none: required

  bool isScalar() const { return !shape.has_value(); }
  /// Whether a plain number can stand for it; scalars count.
  bool hasStaticShape() const { return isScalar() || isStatic(*shape); }
};

struct Program {
  std::string name;
  std::string help;
  std::vector<Value> arguments;
  std::vector<Value> results;
  std::vector<std::vector<size_t>> variants; ///< results that each computes

  /// The variant that computes the fewest results, among them `wanted`.
  size_t smallestVariantWith(const std::vector<size_t> &wanted) const;
};

/// Throws std::runtime_error with what is wrong with the descriptor.
Program parseProgram(const std::string &descriptor);

} // namespace scanweave::runtime

#endif // SCANWEAVE_LIB_RUNTIME_PROGRAM_H
