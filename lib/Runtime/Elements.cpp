// SPDX-License-Identifier: Apache-2.0
//
// Names, reading and writing of element types.

#include "Elements.h"

#include "SmallFloat.h"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>

using namespace scanweave::runtime;

namespace {

struct ElementInfo {
  Element element;
  const char *type; ///< in a descriptor
  bool isUnsigned;
  int64_t bytes;
  const char *name;
  const char *npyName;
  const char *expectation;
};

// NumPy has no bfloat16; ml_dtypes saves it as two bytes of no type.
constexpr ElementInfo infos[] = {
    {Element::F16, "f16", false, 2, "float16", "<f2", "a float16"},
    {Element::BF16, "bf16", false, 2, "bfloat16", "<V2", "a bfloat16"},
    {Element::F32, "f32", false, 4, "float32", "<f4", "a float32"},
    {Element::F64, "f64", false, 8, "float64", "<f8", "a float64"},
    {Element::Bool, "i1", false, 1, "bool", "|b1", "true or false"},
    {Element::I8, "i8", false, 1, "int8", "|i1", "an int8"},
    {Element::I16, "i16", false, 2, "int16", "<i2", "an int16"},
    {Element::I32, "i32", false, 4, "int32", "<i4", "an int32"},
    {Element::I64, "i64", false, 8, "int64", "<i8", "an int64"},
    {Element::U8, "i8", true, 1, "uint8", "|u1", "a uint8"},
    {Element::U16, "i16", true, 2, "uint16", "<u2", "a uint16"},
    {Element::U32, "i32", true, 4, "uint32", "<u4", "a uint32"},
    {Element::U64, "i64", true, 8, "uint64", "<u8", "a uint64"},
    {Element::Index, "index", false, 8, "int64", "<i8",
     "a non-negative index"}};

constexpr bool isOrdered() {
  for (size_t i = 0; i < std::size(infos); ++i)
    if (infos[i].element != Element(i))
      return false;
  return true;
}
static_assert(isOrdered(), "infos are looked up by the enumerator's number");

const ElementInfo &infoOf(Element element) {
  return infos[static_cast<size_t>(element)];
}

/// The whole text as a float; false if it is none, or too large to be one.
template <typename T>
bool parseFloat(const std::string &text, T &value,
                T (*convert)(const char *, char **)) {
  if (text.empty() || isspace(static_cast<unsigned char>(text[0])))
    return false;
  char *end = nullptr;
  errno = 0;
  value = convert(text.c_str(), &end);
  if (end != text.c_str() + text.size())
    return false;
  // Too small a number also sets errno, but has its nearest value.
  return !(errno == ERANGE && std::isinf(value));
}

/// The whole text as an integer of [lowest, highest]. 1e6 is one as well.
template <typename T>
bool parseInteger(const std::string &text, T lowest, T &value) {
  const char *begin = text.c_str(), *end = begin + text.size();
  if (*begin == '+')
    ++begin;
  auto [stop, error] = std::from_chars(begin, end, value);
  if (stop == end && error == std::errc())
    return value >= lowest;
  double number;
  if (error == std::errc::result_out_of_range || stop == begin ||
      (*stop != 'e' && *stop != 'E' && *stop != '.') ||
      !parseFloat(text, number, strtod) || std::floor(number) != number ||
      std::fabs(number) > 0x1p53)
    return false;
  if (number < double(lowest) || number > double(std::numeric_limits<T>::max()))
    return false;
  value = static_cast<T>(number);
  return true;
}

template <typename T>
bool storeInteger(const std::string &text, void *value,
                  T lowest = std::numeric_limits<T>::min()) {
  T number;
  if (!parseInteger(text, lowest, number))
    return false;
  memcpy(value, &number, sizeof(number));
  return true;
}

bool storeSmallFloat(const std::string &text, void *value,
                     const SmallFloat &format) {
  double number;
  if (!parseFloat(text, number, strtod))
    return false;
  uint16_t bits = format.encode(number);
  if (std::isinf(format.decode(bits)) && !std::isinf(number))
    return false;
  memcpy(value, &bits, sizeof(bits));
  return true;
}

bool storeBool(const std::string &text, void *value) {
  bool yes = text == "true" || text == "True" || text == "1";
  bool no = text == "false" || text == "False" || text == "0";
  uint8_t byte = yes;
  memcpy(value, &byte, 1);
  return yes || no;
}

template <typename T> T load(const void *value) {
  T number;
  memcpy(&number, value, sizeof(number));
  return number;
}

template <typename T> std::string shortest(T number) {
  char buffer[64];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), number);
  std::string text(buffer, end);
  // A float looks like one, as in NumPy.
  if constexpr (std::is_floating_point_v<T>)
    if (text.find_first_not_of("-0123456789") == std::string::npos)
      text += ".";
  return text;
}

/// The shortest text that reads back as the same 16 bits: 9 digits always do.
std::string shortest(uint16_t bits, const SmallFloat &format) {
  double number = format.decode(bits);
  for (int digits = 1; digits < 9 && std::isfinite(number); ++digits) {
    char buffer[64];
    auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), number,
                                      std::chars_format::general, digits);
    std::string text(buffer, end);
    if (format.encode(atof(text.c_str())) == bits)
      return shortest(atof(text.c_str()));
  }
  return shortest(number);
}

} // namespace

std::optional<Element> scanweave::runtime::findElement(const std::string &type,
                                                       bool isUnsigned) {
  for (const ElementInfo &info : infos)
    if (info.type == type && info.isUnsigned == isUnsigned)
      return info.element;
  // Floats, bools and indices have no second form.
  return isUnsigned ? findElement(type, false) : std::nullopt;
}

int64_t scanweave::runtime::bytesOf(Element e) { return infoOf(e).bytes; }
const char *scanweave::runtime::nameOf(Element e) { return infoOf(e).name; }
const char *scanweave::runtime::npyNameOf(Element e) {
  return infoOf(e).npyName;
}
const char *scanweave::runtime::expectationOf(Element e) {
  return infoOf(e).expectation;
}

bool scanweave::runtime::parseElement(Element element, const std::string &text,
                                      void *value) {
  switch (element) {
  case Element::F16:
    return storeSmallFloat(text, value, float16);
  case Element::BF16:
    return storeSmallFloat(text, value, bfloat16);
  case Element::F32: {
    float number;
    bool valid = parseFloat(text, number, strtof);
    memcpy(value, &number, sizeof(number));
    return valid;
  }
  case Element::F64: {
    double number;
    bool valid = parseFloat(text, number, strtod);
    memcpy(value, &number, sizeof(number));
    return valid;
  }
  case Element::Bool:
    return storeBool(text, value);
  case Element::I8:
    return storeInteger<int8_t>(text, value);
  case Element::I16:
    return storeInteger<int16_t>(text, value);
  case Element::I32:
    return storeInteger<int32_t>(text, value);
  case Element::I64:
    return storeInteger<int64_t>(text, value);
  case Element::U8:
    return storeInteger<uint8_t>(text, value);
  case Element::U16:
    return storeInteger<uint16_t>(text, value);
  case Element::U32:
    return storeInteger<uint32_t>(text, value);
  case Element::U64:
    return storeInteger<uint64_t>(text, value);
  case Element::Index:
    return storeInteger<int64_t>(text, value, 0);
  }
  return false;
}

std::string scanweave::runtime::formatElement(Element element,
                                              const void *value) {
  switch (element) {
  case Element::F16:
    return shortest(load<uint16_t>(value), float16);
  case Element::BF16:
    return shortest(load<uint16_t>(value), bfloat16);
  case Element::F32:
    return shortest(load<float>(value));
  case Element::F64:
    return shortest(load<double>(value));
  case Element::Bool:
    return load<uint8_t>(value) ? "True" : "False";
  case Element::I8:
    return shortest(int(load<int8_t>(value)));
  case Element::I16:
    return shortest(load<int16_t>(value));
  case Element::I32:
    return shortest(load<int32_t>(value));
  case Element::I64:
  case Element::Index:
    return shortest(load<int64_t>(value));
  case Element::U8:
    return shortest(unsigned(load<uint8_t>(value)));
  case Element::U16:
    return shortest(load<uint16_t>(value));
  case Element::U32:
    return shortest(load<uint32_t>(value));
  case Element::U64:
    return shortest(load<uint64_t>(value));
  }
  return {};
}
