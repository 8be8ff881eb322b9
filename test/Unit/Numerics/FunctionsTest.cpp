// SPDX-License-Identifier: Apache-2.0
//
// The accuracy that weave-expand-math promises, measured on compiled code.

#include "Kernels.h"
#include "Reference.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>
#include <thread>
#include <vector>

namespace {

/// `x` in steps of blocks.
template <typename Float> void pad(std::vector<Float> &x) {
  x.resize((x.size() + kBlock - 1) / kBlock * kBlock, Float(1));
}

template <typename Float> using Kernel = void (*)(const Float *, Float *);

/// Runs `function` on any number of operands.
template <typename Float>
std::vector<Float> run(Kernel<Float> function, std::vector<Float> operands) {
  size_t count = operands.size();
  pad(operands);
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
  // Multiples of pi/2, and those that numbers of f32 and f64 come closest to
  // (Muller et al., Handbook of Floating-Point Arithmetic).
  for (int quarter = 1; quarter < 1000; ++quarter)
    anchors.push_back(Float(quarter * (M_PI / 2)));
  anchors.push_back(Float(std::ldexp(16367173.0, 72)));
  anchors.push_back(std::is_same_v<Float, float>
                        ? Float(1)
                        : Float(std::ldexp(6381956970095103.0, 797)));
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

/// Every 40,009th of all numbers of the format.
std::vector<float> getOperands(float) {
  std::vector<float> operands = getSpecialOperands<float>();
  for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 40009)
    operands.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  return operands;
}

/// Half of them anywhere, half of them between 2^-64 and 2^10.
std::vector<double> getOperands(double) {
  std::vector<double> operands = getSpecialOperands<double>();
  uint64_t state = 0x9e3779b97f4a7c15;
  for (int i = 0; i < 25000; ++i) {
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

template <typename Float>
using BinaryKernel = void (*)(const Float *, const Float *, Float *);

/// Pairs of values at which functions of two operands go wrong, numbers of all
/// sizes, and numbers whose powers are numbers.
template <typename Float>
std::pair<std::vector<Float>, std::vector<Float>> getPairs() {
  using Limits = std::numeric_limits<Float>;
  std::vector<Float> special = {Limits::quiet_NaN()};
  for (Float magnitude : {Float(0),
                          Limits::denorm_min(),
                          Limits::min() / 2,
                          Limits::min(),
                          Limits::epsilon(),
                          Float(0.25),
                          Float(1) / 3,
                          Float(0.5),
                          std::nextafter(Float(1), Float(0)),
                          Float(1),
                          std::nextafter(Float(1), Float(2)),
                          Float(1.5),
                          Float(2),
                          Float(2.5),
                          Float(3),
                          Float(4),
                          Float(7),
                          Float(127),
                          Float(1000001),
                          1 / Limits::epsilon() - 1,
                          2 / Limits::epsilon() - 1,
                          4 / Limits::epsilon(),
                          Limits::max() / 2,
                          Limits::max(),
                          Limits::infinity()}) {
    special.push_back(magnitude);
    special.push_back(-magnitude);
  }
  std::pair<std::vector<Float>, std::vector<Float>> pairs;
  auto &[first, second] = pairs;
  for (Float x : special)
    for (Float y : special) {
      first.push_back(x);
      second.push_back(y);
    }
  std::mt19937_64 bits(20);
  using Word =
      std::conditional_t<std::is_same_v<Float, float>, uint32_t, uint64_t>;
  auto anything = [&] {
    return std::bit_cast<Float>(static_cast<Word>(bits()));
  };
  for (int i = 0; i < 20000; ++i) {
    first.push_back(anything());
    second.push_back(anything());
    // Of about the same size, as vectors far from the axes are.
    Float x = anything();
    first.push_back(x);
    second.push_back(x * Float(std::ldexp(double(bits() >> 11), -52)));
    // exponent * log2(base) within the exponents of the format.
    Float base = std::fabs(anything());
    Float limit =
        Float(Limits::max_exponent + Limits::digits) / std::log2(base);
    first.push_back(base);
    second.push_back(limit * Float(std::ldexp(double(int64_t(bits())), -63)));
    first.push_back(Float(std::ldexp(double(bits() >> 11), -52)));
    second.push_back(Float(std::ldexp(double(int64_t(bits())), -53 - i % 20)));
  }
  return pairs;
}

template <typename Float>
void expectWithin(double bound, BinaryKernel<Float> function,
                  ExactBinaryFunction exact) {
  auto [first, second] = getPairs<Float>();
  pad(first);
  pad(second);
  std::vector<Float> results(first.size());
  for (size_t i = 0; i < first.size(); i += kBlock)
    function(&first[i], &second[i], &results[i]);
  double worst = 0;
  size_t worstAt = 0;
  for (size_t i = 0; i < first.size(); ++i) {
    double distance =
        distanceInUlp(results[i], apply(exact, first[i], second[i]));
    if (distance > worst) {
      worst = distance;
      worstAt = i;
    }
  }
  std::printf("             worst: %.3f ulp at (%a, %a)\n", worst,
              double(first[worstAt]), double(second[worstAt]));
  EXPECT_LE(worst, bound) << "at " << std::hexfloat << first[worstAt] << ", "
                          << second[worstAt] << ": " << results[worstAt];
}

#define BINARY(name, exact)                                                    \
  TEST(Functions, name##_f32) { expectWithin<float>(1, name##_f32, exact); }   \
  TEST(Functions, name##_f64) { expectWithin<double>(1, name##_f64, exact); }
#define UNARY(name, exact, precise)                                            \
  TEST(Functions, name##_f32) { expectWithin<float>(1, name##_f32, exact); }   \
  TEST(Functions, name##_f64) { expectWithin<double>(1, name##_f64, exact); }
#define SMALL(name, precise)
#include "Functions.def"

/// The worst of `count` operands whose bits begin with `first`.
std::pair<double, float> findWorst(Kernel<float> function,
                                   double (*precise)(double), uint64_t first,
                                   uint64_t last) {
  std::pair<double, float> worst = {0, 0};
  std::vector<float> x(kBlock), y(kBlock);
  for (uint64_t block = first; block < last; block += kBlock) {
    for (uint64_t i = 0; i < kBlock; ++i)
      x[i] = std::bit_cast<float>(static_cast<uint32_t>(block + i));
    function(x.data(), y.data());
    for (int i = 0; i < kBlock; ++i) {
      double distance = distanceInUlp(y[i], precise(x[i]));
      if (distance > worst.first)
        worst = {distance, x[i]};
    }
  }
  return worst;
}

/// Measures all numbers of f32 against double precision, which is exact enough
/// by eight digits. Takes minutes.
void expectAllWithin(double bound, Kernel<float> function,
                     double (*precise)(double)) {
  const char *tier = std::getenv("SCANWEAVE_TIER");
  if (!tier || std::string_view(tier) != "long")
    GTEST_SKIP() << "runs where SCANWEAVE_TIER is long";
  uint64_t count = std::max(1u, std::thread::hardware_concurrency());
  uint64_t blocks = (uint64_t(1) << 32) / kBlock;
  std::vector<std::pair<double, float>> worst(count);
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      worst[i] = findWorst(function, precise, blocks * i / count * kBlock,
                           blocks * (i + 1) / count * kBlock);
    });
  for (std::thread &thread : threads)
    thread.join();
  auto all = *std::max_element(worst.begin(), worst.end());
  std::printf("             worst: %.3f ulp at %a\n", all.first,
              static_cast<double>(all.second));
  EXPECT_LE(all.first, bound) << "at " << std::hexfloat << all.second;
}

#define BINARY(name, exact)
#define UNARY(name, exact, precise)                                            \
  TEST(WholeRange, name) { expectAllWithin(1, name##_f32, precise); }
#define SMALL(name, precise)
#include "Functions.def"

} // namespace
