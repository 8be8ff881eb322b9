// SPDX-License-Identifier: Apache-2.0
//
// What tests compare with: combinations written out element by element, and
// the tree as its definition has it. Shares nothing with the runtime.

#ifndef SCANWEAVE_TEST_UNIT_RUNTIME_REFERENCE_H
#define SCANWEAVE_TEST_UNIT_RUNTIME_REFERENCE_H

#include "scanweave/Runtime/Runtime.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

namespace scanweave::test {

/// Stands for bool, whose storage is a byte.
enum class Bool : uint8_t { False = 0, True = 1 };

template <typename T> constexpr bool isFloat = std::is_floating_point_v<T>;

template <typename T> bool hasKind(int kind) {
  return !isFloat<T> || kind <= SCANWEAVE_MIN;
}

/// The larger by IEEE 754-2019 maximum: NaN wins, -0 < +0.
template <typename T> T maximum(T l, T r) {
  if (std::isnan(l) || std::isnan(r))
    return std::numeric_limits<T>::quiet_NaN();
  if (l == r)
    return std::signbit(l) ? r : l;
  return l > r ? l : r;
}

template <typename T> T combine(int kind, T l, T r) {
  if constexpr (std::is_same_v<T, Bool>) {
    bool a = l == Bool::True, b = r == Bool::True;
    switch (kind) {
    case SCANWEAVE_MUL:
    case SCANWEAVE_MAX: // True is -1.
    case SCANWEAVE_UMIN:
    case SCANWEAVE_AND:
      return Bool(a && b);
    case SCANWEAVE_ADD:
    case SCANWEAVE_XOR:
      return Bool(a != b);
    default:
      return Bool(a || b);
    }
  } else if constexpr (isFloat<T>) {
    switch (kind) {
    case SCANWEAVE_ADD:
      return l + r;
    case SCANWEAVE_MUL:
      return l * r;
    case SCANWEAVE_MAX:
      return maximum(l, r);
    default:
      return -maximum(-l, -r);
    }
  } else {
    using U = std::make_unsigned_t<T>;
    auto ul = static_cast<U>(l), ur = static_cast<U>(r);
    switch (kind) {
    case SCANWEAVE_ADD:
      return static_cast<T>(static_cast<uint64_t>(ul) + ur);
    case SCANWEAVE_MUL:
      return static_cast<T>(static_cast<uint64_t>(ul) * ur);
    case SCANWEAVE_MAX:
      return l > r ? l : r;
    case SCANWEAVE_MIN:
      return l < r ? l : r;
    case SCANWEAVE_UMAX:
      return ul > ur ? l : r;
    case SCANWEAVE_UMIN:
      return ul < ur ? l : r;
    case SCANWEAVE_AND:
      return static_cast<T>(ul & ur);
    case SCANWEAVE_OR:
      return static_cast<T>(ul | ur);
    default:
      return static_cast<T>(ul ^ ur);
    }
  }
}

template <typename T> T identity(int kind) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, Bool>) {
    return Bool(kind == SCANWEAVE_MUL || kind == SCANWEAVE_MAX ||
                kind == SCANWEAVE_UMIN || kind == SCANWEAVE_AND);
  } else {
    switch (kind) {
    case SCANWEAVE_ADD:
      return isFloat<T> ? T(-0.0) : T(0);
    case SCANWEAVE_MUL:
      return T(1);
    case SCANWEAVE_MAX:
      return isFloat<T> ? -Limits::infinity() : Limits::min();
    case SCANWEAVE_MIN:
      return isFloat<T> ? Limits::infinity() : Limits::max();
    case SCANWEAVE_UMIN:
    case SCANWEAVE_AND:
      return static_cast<T>(-1);
    default:
      return T(0);
    }
  }
}

/// The tree over rows of one element: neighbours combine, a row without one
/// moves up.
template <typename T> T tree(int kind, std::vector<T> rows) {
  if (rows.empty())
    return identity<T>(kind);
  while (rows.size() > 1) {
    std::vector<T> above;
    for (size_t i = 0; i < rows.size(); i += 2)
      above.push_back(i + 1 < rows.size() ? combine(kind, rows[i], rows[i + 1])
                                          : rows[i]);
    rows = above;
  }
  return rows[0];
}

/// Equal bits, but for NaNs, whose payloads nobody promises.
template <typename T> bool sameBits(T l, T r) {
  if constexpr (isFloat<T>)
    if (std::isnan(l) || std::isnan(r))
      return std::isnan(l) && std::isnan(r);
  return memcmp(&l, &r, sizeof(T)) == 0;
}

/// A deterministic value, among them the special ones.
template <typename T> T valueAt(int64_t row, int64_t column, int64_t salt = 0) {
  uint64_t x = static_cast<uint64_t>(row * 1000003 + column * 7919 +
                                     salt * 104729 + 12345);
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9;
  x ^= x >> 32;
  if constexpr (std::is_same_v<T, Bool>) {
    return Bool(x & 1);
  } else if constexpr (isFloat<T>) {
    switch (x % 41) {
    case 0:
      return T(-0.0);
    case 1:
      return T(0.0);
    case 2:
      return std::numeric_limits<T>::denorm_min();
    case 3:
      return x & 64 ? std::numeric_limits<T>::quiet_NaN() : T(0.5);
    default:
      return static_cast<T>((double(x >> 11) * 0x1p-53 - 0.5) * 8);
    }
  } else {
    return static_cast<T>(x);
  }
}

/// Calls `visit.operator()<T>(type)` for every element type.
template <typename Visitor> void forEachType(Visitor visit) {
  visit.template operator()<float>(SCANWEAVE_F32);
  visit.template operator()<double>(SCANWEAVE_F64);
  visit.template operator()<int8_t>(SCANWEAVE_I8);
  visit.template operator()<int16_t>(SCANWEAVE_I16);
  visit.template operator()<int32_t>(SCANWEAVE_I32);
  visit.template operator()<int64_t>(SCANWEAVE_I64);
  visit.template operator()<Bool>(SCANWEAVE_BOOL);
}

} // namespace scanweave::test

#endif // SCANWEAVE_TEST_UNIT_RUNTIME_REFERENCE_H
