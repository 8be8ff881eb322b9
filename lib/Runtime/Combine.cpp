// SPDX-License-Identifier: Apache-2.0
//
// The kernels that combine rows. The only code of the runtime that is compiled
// for x86-64-v3: nothing with external linkage but the two entry points comes
// from here, so that code which runs before the check of the CPU cannot end up
// in an AVX copy of some inline function.

#include "Combine.h"

#include "scanweave/Runtime/Runtime.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

using namespace scanweave::runtime;

namespace {

template <typename T>
using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

// A NaN in, a NaN out: one on the right makes all comparisons false, which
// picks `right`. -0.0 is less than +0.0.

template <typename T> T floatMax(T left, T right) {
  // Equal values have equal bits, but for the zeros, whose `and` is +0.0.
  T same = std::bit_cast<T>(static_cast<Bits<T>>(
      std::bit_cast<Bits<T>>(left) & std::bit_cast<Bits<T>>(right)));
  T ordered = left > right ? left : right;
  T larger = left == right ? same : ordered;
  return __builtin_isnan(left) ? left : larger;
}

template <typename T> T floatMin(T left, T right) {
  T same = std::bit_cast<T>(static_cast<Bits<T>>(
      std::bit_cast<Bits<T>>(left) | std::bit_cast<Bits<T>>(right)));
  T ordered = left < right ? left : right;
  T smaller = left == right ? same : ordered;
  return __builtin_isnan(left) ? left : smaller;
}

/// An integer of one bit, as arith has it, stored as a byte: a sum is the
/// exclusive or, and in signed order true, -1, comes before false.
struct Bool {
  uint8_t byte;
};

/// Integers are unsigned here, so that they wrap; the signed kinds look at
/// them as signed.
template <scanweave_kind kind, typename T> T combineElements(T left, T right) {
  if constexpr (std::is_same_v<T, Bool>) {
    uint8_t l = left.byte != 0, r = right.byte != 0;
    if constexpr (kind == SCANWEAVE_MUL || kind == SCANWEAVE_MAX ||
                  kind == SCANWEAVE_UMIN || kind == SCANWEAVE_AND)
      return {static_cast<uint8_t>(l & r)};
    else if constexpr (kind == SCANWEAVE_ADD || kind == SCANWEAVE_XOR)
      return {static_cast<uint8_t>(l ^ r)};
    else
      return {static_cast<uint8_t>(l | r)};
  } else if constexpr (std::is_floating_point_v<T>) {
    if constexpr (kind == SCANWEAVE_ADD)
      return left + right;
    else if constexpr (kind == SCANWEAVE_MUL)
      return left * right;
    else if constexpr (kind == SCANWEAVE_MAX)
      return floatMax(left, right);
    else
      return floatMin(left, right);
  } else {
    using Signed = std::make_signed_t<T>;
    auto l = static_cast<Signed>(left), r = static_cast<Signed>(right);
    if constexpr (kind == SCANWEAVE_ADD)
      return static_cast<T>(left + right);
    else if constexpr (kind == SCANWEAVE_MUL)
      return static_cast<T>(1u * left * right); // not in int, which overflows
    else if constexpr (kind == SCANWEAVE_MAX)
      return l > r ? left : right;
    else if constexpr (kind == SCANWEAVE_MIN)
      return l < r ? left : right;
    else if constexpr (kind == SCANWEAVE_UMAX)
      return left > right ? left : right;
    else if constexpr (kind == SCANWEAVE_UMIN)
      return left < right ? left : right;
    else if constexpr (kind == SCANWEAVE_AND)
      return left & right;
    else if constexpr (kind == SCANWEAVE_OR)
      return left | right;
    else
      return left ^ right;
  }
}

template <scanweave_kind kind, typename T>
void combineRows(void *out, const void *left, const void *right,
                 int64_t length) {
  T *o = static_cast<T *>(out);
  const T *l = static_cast<const T *>(left);
  const T *r = static_cast<const T *>(right);
  // Without the promise, a row that is combined in place counts as overlapping
  // and takes a scalar loop.
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety) interleave_count(1)
#elif defined(__GNUC__)
#pragma GCC ivdep
#endif
  for (int64_t i = 0; i < length; ++i)
    o[i] = combineElements<kind>(l[i], r[i]);
}

template <scanweave_kind kind, typename T> constexpr uint64_t identityBits() {
  if constexpr (std::is_same_v<T, Bool>) {
    return kind == SCANWEAVE_MUL || kind == SCANWEAVE_MAX ||
           kind == SCANWEAVE_UMIN || kind == SCANWEAVE_AND;
  } else if constexpr (std::is_floating_point_v<T>) {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    // x + -0.0 is x for every x; -0.0 + 0.0 is not -0.0.
    constexpr T value = kind == SCANWEAVE_ADD   ? T(-0.0)
                        : kind == SCANWEAVE_MUL ? T(1)
                        : kind == SCANWEAVE_MAX ? -infinity
                                                : infinity;
    return std::bit_cast<Bits<T>>(value);
  } else {
    constexpr T ones = static_cast<T>(~T(0));
    constexpr T highest = static_cast<T>(ones >> 1);
    return kind == SCANWEAVE_MUL                             ? 1
           : kind == SCANWEAVE_MAX                           ? T(highest + 1)
           : kind == SCANWEAVE_MIN                           ? highest
           : kind == SCANWEAVE_UMIN || kind == SCANWEAVE_AND ? ones
                                                             : 0;
  }
}

constexpr int numTypes = SCANWEAVE_BOOL + 1;
constexpr int numKinds = SCANWEAVE_XOR + 1;

template <scanweave_kind kind, typename T> constexpr Combination make() {
  if constexpr (std::is_floating_point_v<T> && kind > SCANWEAVE_MIN)
    return {};
  else
    return {combineRows<kind, T>, identityBits<kind, T>(), sizeof(T)};
}

struct KindTable {
  Combination types[numTypes]; ///< ordered as scanweave_type
};

template <scanweave_kind kind> constexpr KindTable makeKind() {
  return {{make<kind, float>(), make<kind, double>(), make<kind, uint8_t>(),
           make<kind, uint16_t>(), make<kind, uint32_t>(),
           make<kind, uint64_t>(), make<kind, Bool>()}};
}

constexpr KindTable table[numKinds] = {
    makeKind<SCANWEAVE_ADD>(),  makeKind<SCANWEAVE_MUL>(),
    makeKind<SCANWEAVE_MAX>(),  makeKind<SCANWEAVE_MIN>(),
    makeKind<SCANWEAVE_UMAX>(), makeKind<SCANWEAVE_UMIN>(),
    makeKind<SCANWEAVE_AND>(),  makeKind<SCANWEAVE_OR>(),
    makeKind<SCANWEAVE_XOR>()};

} // namespace

const Combination *scanweave::runtime::getCombination(int32_t kind,
                                                      int32_t type) {
  if (kind < 0 || kind >= numKinds || type < 0 || type >= numTypes)
    return nullptr;
  const Combination &entry = table[kind].types[type];
  return entry.combine ? &entry : nullptr;
}

void scanweave::runtime::fillIdentity(const Combination &combination, void *out,
                                      int64_t length) {
  char *bytes = static_cast<char *>(out);
  for (int64_t i = 0; i < length; ++i)
    // The low bytes come first on the little-endian machines we run on.
    memcpy(bytes + i * combination.elementBytes, &combination.identity,
           combination.elementBytes);
}
