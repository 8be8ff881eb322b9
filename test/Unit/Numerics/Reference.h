// SPDX-License-Identifier: Apache-2.0
//
// Exact results to compare with, by MPFR, and distances in units in the last
// place.

#ifndef SCANWEAVE_TEST_UNIT_NUMERICS_REFERENCE_H
#define SCANWEAVE_TEST_UNIT_NUMERICS_REFERENCE_H

#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <limits>

/// A number of 200 bits.
class Exact {
public:
  Exact() { mpfr_init2(value, 200); }
  explicit Exact(double x) : Exact() { mpfr_set_d(value, x, MPFR_RNDN); }
  Exact(const Exact &other) : Exact() {
    mpfr_set(value, other.value, MPFR_RNDN);
  }
  Exact &operator=(const Exact &other) {
    mpfr_set(value, other.value, MPFR_RNDN);
    return *this;
  }
  ~Exact() { mpfr_clear(value); }

  mpfr_t value;
};

/// A function of MPFR's.
using ExactFunction = int (*)(mpfr_t, const mpfr_t, mpfr_rnd_t);

inline Exact apply(ExactFunction function, double x) {
  Exact result(x);
  function(result.value, result.value, MPFR_RNDN);
  return result;
}

using ExactBinaryFunction = int (*)(mpfr_t, const mpfr_t, const mpfr_t,
                                    mpfr_rnd_t);

inline Exact apply(ExactBinaryFunction function, double x, double y) {
  Exact result(x), second(y);
  function(result.value, result.value, second.value, MPFR_RNDN);
  return result;
}

/// 1 / sqrt(x); -inf of -0, as IEEE 754 recommends.
inline int exactRsqrt(mpfr_t result, const mpfr_t x, mpfr_rnd_t rounding) {
  bool isMinusZero = mpfr_zero_p(x) && mpfr_signbit(x);
  int inexact = mpfr_rec_sqrt(result, x, rounding);
  if (isMinusZero)
    mpfr_set_inf(result, -1);
  return inexact;
}
inline double doubleRsqrt(double x) { return 1 / std::sqrt(x); }

/// sqrt(2) * erf_inv(u) for |u| < 1, by Halley's method from an estimate that
/// has some right digits.
inline Exact exactNormal(double u, double estimate) {
  double magnitude = std::fabs(u);
  Exact x(std::fabs(estimate)), slope, rest, step;
  mpfr_div_d(x.value, x.value, std::sqrt(2.0), MPFR_RNDN);
  for (int iteration = 0; iteration < 3; ++iteration) {
    // slope = erf'(x) = 2 / sqrt(pi) * exp(-x^2); rest = erf(x) - u, or from
    // the complement where that is the smaller number.
    mpfr_sqr(slope.value, x.value, MPFR_RNDN);
    mpfr_neg(slope.value, slope.value, MPFR_RNDN);
    mpfr_exp(slope.value, slope.value, MPFR_RNDN);
    mpfr_const_pi(step.value, MPFR_RNDN);
    mpfr_sqrt(step.value, step.value, MPFR_RNDN);
    mpfr_div(slope.value, slope.value, step.value, MPFR_RNDN);
    mpfr_mul_ui(slope.value, slope.value, 2, MPFR_RNDN);
    if (magnitude < 0.5) {
      mpfr_erf(rest.value, x.value, MPFR_RNDN);
      mpfr_sub_d(rest.value, rest.value, magnitude, MPFR_RNDN);
    } else {
      mpfr_erfc(rest.value, x.value, MPFR_RNDN);
      mpfr_d_sub(rest.value, 1.0 - magnitude, rest.value, MPFR_RNDN);
    }
    // x -= q / (1 + q * x) with Newton's step q = rest / slope.
    mpfr_div(rest.value, rest.value, slope.value, MPFR_RNDN);
    mpfr_mul(step.value, rest.value, x.value, MPFR_RNDN);
    mpfr_add_ui(step.value, step.value, 1, MPFR_RNDN);
    mpfr_div(step.value, rest.value, step.value, MPFR_RNDN);
    mpfr_sub(x.value, x.value, step.value, MPFR_RNDN);
  }
  mpfr_sqrt_ui(step.value, 2, MPFR_RNDN);
  mpfr_mul(x.value, x.value, step.value, MPFR_RNDN);
  if (u < 0)
    mpfr_neg(x.value, x.value, MPFR_RNDN);
  return x;
}

/// How far `result` is from `exact`, in units in the last place of `exact`.
/// Infinity counts as the power of two that it stands for. A NaN, an infinity
/// or a zero of the wrong sign is infinitely far off.
template <typename Float>
double distanceInUlp(Float result, const Exact &exact) {
  using Limits = std::numeric_limits<Float>;
  constexpr double wrong = std::numeric_limits<double>::infinity();
  if (mpfr_nan_p(exact.value) || std::isnan(result))
    return mpfr_nan_p(exact.value) && std::isnan(result) ? 0 : wrong;
  if (result == 0 && mpfr_zero_p(exact.value))
    return std::signbit(result) == (mpfr_signbit(exact.value) != 0) ? 0 : wrong;
  if (mpfr_inf_p(exact.value))
    return std::isinf(result) && (result > 0) == (mpfr_sgn(exact.value) > 0)
               ? 0
               : wrong;
  long exponent = mpfr_zero_p(exact.value) ? Limits::min_exponent
                                           : mpfr_get_exp(exact.value);
  if (exponent > Limits::max_exponent) // At least the first number too large.
    return std::isinf(result) && (result > 0) == (mpfr_sgn(exact.value) > 0)
               ? 0
               : wrong;
  exponent = std::max<long>(exponent, Limits::min_exponent);
  Exact difference;
  if (std::isinf(result)) {
    mpfr_set_si_2exp(difference.value, result > 0 ? 1 : -1,
                     Limits::max_exponent, MPFR_RNDN);
    mpfr_sub(difference.value, difference.value, exact.value, MPFR_RNDN);
  } else {
    mpfr_d_sub(difference.value, static_cast<double>(result), exact.value,
               MPFR_RNDN);
  }
  mpfr_mul_2si(difference.value, difference.value, Limits::digits - exponent,
               MPFR_RNDN);
  return std::fabs(mpfr_get_d(difference.value, MPFR_RNDN));
}

/// The same for a result of f32 and one of double precision.
inline double distanceInUlp(float result, double precise) {
  constexpr double wrong = std::numeric_limits<double>::infinity();
  constexpr double tooLarge = 0x1p128;
  if (std::isnan(precise) || std::isnan(result))
    return std::isnan(precise) && std::isnan(result) ? 0 : wrong;
  if (result == 0 && precise == 0)
    return std::signbit(result) == std::signbit(precise) ? 0 : wrong;
  if (std::fabs(precise) >= tooLarge)
    return std::isinf(result) && (result > 0) == (precise > 0) ? 0 : wrong;
  double value = std::isinf(result) ? std::copysign(tooLarge, result) : result;
  int exponent = std::max(std::ilogb(precise), -126);
  return std::fabs(std::ldexp(value - precise, 23 - exponent));
}

#endif // SCANWEAVE_TEST_UNIT_NUMERICS_REFERENCE_H
