// SPDX-License-Identifier: Apache-2.0
//
// Floats of 16 bits, in software: neither every compiler nor every CPU has
// conversions for them.

#ifndef SCANWEAVE_LIB_RUNTIME_SMALLFLOAT_H
#define SCANWEAVE_LIB_RUNTIME_SMALLFLOAT_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace scanweave::runtime {

/// An IEEE format of a sign bit, exponent bits and `fractionBits`, together 16.
struct SmallFloat {
  int fractionBits;

  constexpr int exponentBits() const { return 15 - fractionBits; }
  constexpr int bias() const { return (1 << (exponentBits() - 1)) - 1; }
  constexpr uint16_t infinity() const {
    return static_cast<uint16_t>(((1 << exponentBits()) - 1) << fractionBits);
  }

  /// The nearest value, ties to even.
  uint16_t encode(double number) const {
    uint16_t sign = std::signbit(number) ? 0x8000 : 0;
    double magnitude = std::fabs(number);
    if (std::isnan(number))
      return sign | infinity() | 1u << (fractionBits - 1);
    if (magnitude == 0)
      return sign;
    if (std::isinf(magnitude))
      return sign | infinity();
    int exponent;
    std::frexp(magnitude, &exponent);
    // Below the smallest normal number the unit stays the same.
    int unit = std::max(exponent - 1, 1 - bias()) - fractionBits;
    // Counted in units, which is exact; nearbyint rounds ties to even.
    double units = std::nearbyint(std::ldexp(magnitude, -unit));
    // A normal number's leading unit bit adds one to the exponent's field, and
    // so does a carry out of rounding.
    int field = unit + fractionBits + bias() - 1;
    double bits = std::ldexp(double(field), fractionBits) + units;
    return sign | (bits >= infinity() ? infinity() : uint16_t(bits));
  }

  double decode(uint16_t bits) const {
    double sign = bits & 0x8000 ? -1 : 1;
    int fraction = bits & ((1 << fractionBits) - 1);
    int exponent = (bits & 0x7fff) >> fractionBits;
    if ((bits & 0x7fff) > infinity())
      return std::numeric_limits<double>::quiet_NaN();
    if ((bits & 0x7fff) == infinity())
      return sign * std::numeric_limits<double>::infinity();
    if (exponent == 0)
      return sign * std::ldexp(fraction, 1 - bias() - fractionBits);
    return sign * std::ldexp(fraction + (1 << fractionBits),
                             exponent - bias() - fractionBits);
  }
};

inline constexpr SmallFloat float16{10};
inline constexpr SmallFloat bfloat16{7};

} // namespace scanweave::runtime

#endif // SCANWEAVE_LIB_RUNTIME_SMALLFLOAT_H
