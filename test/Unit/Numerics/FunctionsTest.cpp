// SPDX-License-Identifier: Apache-2.0
//
// The accuracy that weave-expand-math promises, measured on compiled code.

#include "Kernels.h"
#include "Reference.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <vector>

namespace {

template <typename Float> using Kernel = void (*)(const Float *, Float *);

/// Runs `function` on any number of operands.
template <typename Float>
std::vector<Float> run(Kernel<Float> function, std::vector<Float> operands) {
  size_t count = operands.size();
  operands.resize((count + kBlock - 1) / kBlock * kBlock, Float(1));
  std::vector<Float> results(operands.size());
  for (size_t first = 0; first < operands.size(); first += kBlock)
    function(operands.data() + first, results.data() + first);
  results.resize(count);
  return results;
}

/// Values at which functions go wrong: zeros, infinities, NaN, the borders of
/// the subnormal and of the finite numbers, and the neighbours of all these and
/// of the small integers.
template <typename Float> std::vector<Float> getSpecialOperands() {
  using Limits = std::numeric_limits<Float>;
  std::vector<Float> anchors = {0,
                                Limits::denorm_min(),
                                Limits::min(),
                                Limits::epsilon(),
                                Limits::epsilon() / 2,
                                std::sqrt(Float(0.5)),
                                std::sqrt(Float(2)),
                                std::log(Float(2)) / 2,
                                std::log(Float(2)),
                                std::log(Limits::max()),
                                -std::log(Limits::min()),
                                -std::log(Limits::denorm_min()),
                                -std::log(Limits::denorm_min()) +
                                    std::log(Float(2)),
                                Limits::max(),
                                Limits::infinity()};
  for (int integer = 1; integer < 800; ++integer)
    anchors.push_back(Float(integer));
  for (int exponent = Limits::min_exponent - Limits::digits;
       exponent < Limits::max_exponent; ++exponent)
    anchors.push_back(std::ldexp(Float(1), exponent));
  std::vector<Float> operands = {Limits::quiet_NaN()};
  for (Float anchor : anchors)
    for (Float x : {anchor, std::nextafter(anchor, Float(0)),
                    std::nextafter(anchor, Limits::infinity())}) {
      operands.push_back(x);
      operands.push_back(-x);
    }
  return operands;
}

/// Every 10,007th of all numbers of the format.
std::vector<float> getOperands(float) {
  std::vector<float> operands = getSpecialOperands<float>();
  for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 10007)
    operands.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  return operands;
}

/// Half of them anywhere, half of them between 2^-64 and 2^10.
std::vector<double> getOperands(double) {
  std::vector<double> operands = getSpecialOperands<double>();
  uint64_t state = 0x9e3779b97f4a7c15;
  for (int i = 0; i < 80000; ++i) {
    // A xorshift generator.
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    operands.push_back(std::bit_cast<double>(state));
    uint64_t exponent = 1023 - 64 + state % 74;
    operands.push_back(
        std::bit_cast<double>((state & 0x800fffffffffffff) | exponent << 52));
  }
  return operands;
}

template <typename Float>
void expectWithin(double bound, Kernel<Float> function, ExactFunction exact) {
  std::vector<Float> operands = getOperands(Float());
  std::vector<Float> results = run(function, operands);
  double worst = 0;
  Float worstOperand = 0;
  for (size_t i = 0; i < operands.size(); ++i) {
    double distance = distanceInUlp(
        results[i], apply(exact, static_cast<double>(operands[i])));
    if (distance > worst) {
      worst = distance;
      worstOperand = operands[i];
    }
  }
  std::printf("             worst: %.3f ulp at %a\n", worst,
              static_cast<double>(worstOperand));
  EXPECT_LE(worst, bound) << "at " << std::hexfloat << worstOperand;
}

TEST(Functions, ExpF32) { expectWithin<float>(1, exp_f32, mpfr_exp); }
TEST(Functions, Expm1F32) { expectWithin<float>(1, expm1_f32, mpfr_expm1); }
TEST(Functions, LogF32) { expectWithin<float>(1, log_f32, mpfr_log); }
TEST(Functions, Log1pF32) { expectWithin<float>(1, log1p_f32, mpfr_log1p); }
TEST(Functions, TanhF32) { expectWithin<float>(3, tanh_f32, mpfr_tanh); }
TEST(Functions, ExpF64) { expectWithin<double>(1, exp_f64, mpfr_exp); }
TEST(Functions, Expm1F64) { expectWithin<double>(1, expm1_f64, mpfr_expm1); }
TEST(Functions, LogF64) { expectWithin<double>(1, log_f64, mpfr_log); }
TEST(Functions, Log1pF64) { expectWithin<double>(1, log1p_f64, mpfr_log1p); }
TEST(Functions, TanhF64) { expectWithin<double>(3, tanh_f64, mpfr_tanh); }

} // namespace
