// SPDX-License-Identifier: Apache-2.0
//
// The draws of weave-expand-random, compiled: hashes against the published test
// vectors of threefry2x32, uniform numbers bit for bit, normal numbers within
// their promised accuracy.

#include "Kernels.h"
#include "Reference.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdio>
#include <vector>

namespace {

using Key = std::array<uint32_t, 2>;

template <typename Element>
std::array<Element, kBlock> draw(void (*kernel)(const uint32_t *, int64_t,
                                                Element *),
                                 Key key, int64_t first) {
  std::array<Element, kBlock> elements;
  kernel(key.data(), first, elements.data());
  return elements;
}

// From the test vectors of Random123 1.14 (kat_vectors), threefry2x32 with 20
// rounds: counter, key and hash. A counter's first word is the high one.
TEST(Draws, KnownHashes) {
  struct Vector {
    uint64_t counter;
    Key key;
    uint64_t hash;
  };
  const Vector vectors[] = {
      {0x0000000000000000, {0x00000000, 0x00000000}, 0x6b20015999ba4efe},
      {0xffffffffffffffff, {0xffffffff, 0xffffffff}, 0x1cb996fcbb002be7},
      {0x243f6a8885a308d3, {0x13198a2e, 0x03707344}, 0xc4923a9c483df7a0}};
  for (const Vector &vector : vectors) {
    auto words =
        draw(bits_i64, vector.key, static_cast<int64_t>(vector.counter));
    EXPECT_EQ(words[0], vector.hash) << std::hex << words[0];
    auto bits =
        draw(bits_i32, vector.key, static_cast<int64_t>(vector.counter));
    EXPECT_EQ(bits[0], static_cast<uint32_t>(vector.hash >> 32) ^
                           static_cast<uint32_t>(vector.hash));
  }
}

// A draw's parts are the whole draw's, also where a counter's low word wraps
// around within them.
TEST(Draws, CountersHave64Bits) {
  Key key = {42, 4711};
  for (int64_t border :
       {int64_t(1) << 32, int64_t(5) << 32, int64_t(-7) << 32}) {
    auto across = draw(bits_i64, key, border - kBlock / 2);
    auto after = draw(bits_i64, key, border);
    for (int i = 0; i < kBlock / 2; ++i)
      ASSERT_EQ(across[kBlock / 2 + i], after[i]) << i;
  }
  EXPECT_NE(draw(bits_i64, key, 0)[0],
            draw(bits_i64, key, int64_t(1) << 32)[0]);
}

TEST(Draws, UniformIsTheTopBits) {
  for (uint32_t seed = 0; seed < 64; ++seed) {
    Key key = {seed, 1};
    auto bits = draw(bits_i32, key, 0);
    auto single = draw(uniform_f32, key, 0);
    auto wide = draw(bits_i64, key, 0);
    auto twice = draw(uniform_f64, key, 0);
    for (int i = 0; i < kBlock; ++i) {
      ASSERT_EQ(single[i], std::ldexp(static_cast<float>(bits[i] >> 9), -23));
      ASSERT_EQ(twice[i], std::ldexp(static_cast<double>(wide[i] >> 12), -52));
    }
  }
}

// All the normal numbers there are in f32: one for each of 2^23 fractions,
// drawn until each has been seen. MPFR would take minutes; double's erf is
// exact enough by nine digits.
TEST(Draws, EveryNormalF32) {
  std::vector<bool> seen(1 << 23);
  int unseen = 1 << 23;
  double worst = 0, worstU = 0;
  for (uint32_t seed = 0; unseen > 0; ++seed) {
    ASSERT_LT(seed, 1000u);
    Key key = {seed, seed + 1};
    for (int64_t first = 0; first < 512 * kBlock && unseen; first += kBlock) {
      auto bits = draw(bits_i32, key, first);
      auto normals = draw(normal_f32, key, first);
      for (int i = 0; i < kBlock; ++i) {
        uint32_t fraction = bits[i] >> 9;
        if (seen[fraction])
          continue;
        seen[fraction] = true;
        --unseen;
        // JAX's u: max(lo, f * (1 - lo) + lo), in f32.
        float lo = std::nextafter(-1.0f, 0.0f);
        float f = std::bit_cast<float>(0x3f800000 | fraction) - 1.0f;
        double u = std::max(lo, f * (1.0f - lo) + lo);
        double x = std::fabs(static_cast<double>(normals[i])) / std::sqrt(2.0);
        double magnitude = std::fabs(u);
        for (int iteration = 0; iteration < 2; ++iteration) {
          double slope = 2 / std::sqrt(M_PI) * std::exp(-x * x);
          double rest = magnitude < 0.5 ? std::erf(x) - magnitude
                                        : (1 - magnitude) - std::erfc(x);
          double step = rest / slope;
          x -= step / (1 + step * x);
        }
        double exact = std::copysign(x * std::sqrt(2.0), u);
        double ulp = std::ldexp(1.0, std::ilogb(exact) - 23);
        double distance = std::fabs(normals[i] - exact) / ulp;
        if (!(distance <= worst)) {
          worst = distance;
          worstU = u;
        }
      }
    }
  }
  std::printf("             worst: %.3f ulp at u = %a\n", worst, worstU);
  EXPECT_LE(worst, 4);
}

// f64: a sample of each power of two of 1 - u^2, as far as draws reach.
TEST(Draws, NormalF64) {
  double worst = 0, worstU = 0;
  std::array<int, 64> samples = {};
  for (uint32_t seed = 0; seed < 4096; ++seed) {
    Key key = {seed, 7};
    auto bits = draw(bits_i64, key, 0);
    auto normals = draw(normal_f64, key, 0);
    for (int i = 0; i < kBlock; ++i) {
      double lo = std::nextafter(-1.0, 0.0);
      double f = std::ldexp(static_cast<double>(bits[i] >> 12), -52);
      double u = std::max(lo, f * (1.0 - lo) + lo);
      int &sampled = samples[-std::ilogb((1 - u) * (1 + u))];
      if (++sampled > 2000)
        continue;
      double distance = distanceInUlp(normals[i], exactNormal(u, normals[i]));
      if (!(distance <= worst)) {
        worst = distance;
        worstU = u;
      }
    }
  }
  std::printf("             worst: %.3f ulp at u = %a\n", worst, worstU);
  EXPECT_LE(worst, 4);
}

} // namespace
