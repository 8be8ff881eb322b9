// SPDX-License-Identifier: Apache-2.0
//
// Element types of arguments and results: what they are called, how a number
// is read from text and written as text.

#ifndef SCANWEAVE_LIB_RUNTIME_ELEMENTS_H
#define SCANWEAVE_LIB_RUNTIME_ELEMENTS_H

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace scanweave::runtime {

/// A mistake in how the program is used, or in what it is given to read.
class UsageError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

enum class Element {
  F16,
  BF16,
  F32,
  F64,
  Bool,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  Index ///< a non-negative i64
};

/// The element type that a descriptor calls `type`; none if there is none.
std::optional<Element> findElement(const std::string &type, bool isUnsigned);

int64_t bytesOf(Element element);
/// As NumPy calls it: float32.
const char *nameOf(Element element);
/// As a .npy file calls it, little-endian: <f4.
const char *npyNameOf(Element element);
/// What a value is called where one is asked for: "a non-negative index".
const char *expectationOf(Element element);

/// Reads one value from the whole of `text` into `value`, of bytesOf(element)
/// bytes. False if it is no such number; floats are rounded, to nearest even,
/// and refused if they are too large.
bool parseElement(Element element, const std::string &text, void *value);

/// The shortest text that reads back as the same value.
std::string formatElement(Element element, const void *value);

} // namespace scanweave::runtime

#endif // SCANWEAVE_LIB_RUNTIME_ELEMENTS_H
