// SPDX-License-Identifier: Apache-2.0
//
// Functions of f16 and bf16 on all operands there are: they are f32's, rounded
// once more.

#include "Kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace {

struct Format {
  int fractionBits, exponentBits;

  int exponentBias() const { return (1 << (exponentBits - 1)) - 1; }

  double decode(uint16_t bits) const {
    int exponent = bits >> fractionBits & ((1 << exponentBits) - 1);
    int fraction = bits & ((1 << fractionBits) - 1);
    double sign = bits >> 15 ? -1 : 1;
    if (exponent == (1 << exponentBits) - 1)
      return fraction ? std::numeric_limits<double>::quiet_NaN()
                      : sign * std::numeric_limits<double>::infinity();
    if (exponent)
      fraction += 1 << fractionBits;
    return sign * std::ldexp(fraction, std::max(exponent, 1) - exponentBias() -
                                           fractionBits);
  }

  /// The distance of two results in units in the last place of the second.
  double distance(double result, double exact) const {
    constexpr double wrong = std::numeric_limits<double>::infinity();
    if (std::isnan(result) || std::isnan(exact))
      return std::isnan(result) && std::isnan(exact) ? 0 : wrong;
    if (std::isinf(exact) || (result == 0 && exact == 0))
      return result == exact && std::signbit(result) == std::signbit(exact)
                 ? 0
                 : wrong;
    // Infinity stands for the first power of two too large.
    double limit = std::ldexp(1.0, exponentBias() + 1);
    result = std::fmin(std::fmax(result, -limit), limit);
    if (std::fabs(exact) >= limit)
      return result == std::copysign(limit, exact) ? 0 : wrong;
    int exponent = exact == 0 ? -1074 : std::ilogb(exact);
    exponent = std::max(exponent, 1 - exponentBias());
    return std::fabs(std::ldexp(result - exact, fractionBits - exponent));
  }
};

void expectNearest(Format format,
                   void (*function)(const uint16_t *, uint16_t *),
                   double (*precise)(double)) {
  std::vector<uint16_t> x(1 << 16), y(1 << 16);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<uint16_t>(i);
  for (size_t i = 0; i < x.size(); i += kBlock)
    function(&x[i], &y[i]);
  for (size_t i = 0; i < x.size(); ++i) {
    double operand = format.decode(x[i]);
    double distance = format.distance(format.decode(y[i]), precise(operand));
    // What f32's rounding adds to half a unit.
    ASSERT_LE(distance, 0.5 + 1.0 / 4096)
        << "at " << operand << ": " << format.decode(y[i]);
  }
}

#define UNARY(name, exact, precise)
#define BINARY(name, exact)
#define SMALL(name, precise)                                                   \
  TEST(SmallFloats, name##_f16) {                                              \
    expectNearest({10, 5}, name##_f16, precise);                               \
  }                                                                            \
  TEST(SmallFloats, name##_bf16) {                                             \
    expectNearest({7, 8}, name##_bf16, precise);                               \
  }
#include "Functions.def"

} // namespace
