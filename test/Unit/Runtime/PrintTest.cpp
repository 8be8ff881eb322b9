// SPDX-License-Identifier: Apache-2.0
//
// How results look.

#include "Print.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

using namespace scanweave::runtime;

namespace {

std::string printed(const Shape &shape, const std::vector<float> &values) {
  return formatTensor("x", {Element::F32, shape,
                            reinterpret_cast<const char *>(values.data())});
}

TEST(Print, Small) {
  EXPECT_EQ(printed({}, {1.5f}), "x = 1.5");
  EXPECT_EQ(printed({3}, {1, -2.5, 1e-5f}), "x = [   1.  -2.5 1e-05]");
  EXPECT_EQ(printed({0}, {}), "x = []");
  EXPECT_EQ(printed({2, 2}, {1, 2, 3, 4}), "x = [[1. 2.]\n"
                                           "     [3. 4.]]  (float32 2x2)");
}

TEST(Print, LongRowsAreWrapped) {
  std::vector<float> values(30, 0.25f);
  EXPECT_EQ(printed({30}, values),
            "x = [0.25 0.25 0.25 0.25 0.25 0.25 0.25 0.25 0.25 0.25 0.25 0.25 "
            "0.25 0.25\n"
            "     0.25 0.25 0.25 0.25 0.25 0.25 0.25 0.25 0.25 0.25 0.25 0.25 "
            "0.25 0.25\n"
            "     0.25 0.25]");
}

TEST(Print, LargeOnesAreAbbreviated) {
  std::vector<float> values(2000);
  std::iota(values.begin(), values.end(), 0.0f);
  EXPECT_EQ(printed({2000}, values),
            "x = [   0.    1.    2. ... 1997. 1998. 1999.]  (float32 2000)");
  EXPECT_EQ(printed({1000, 2}, values),
            "x = [[   0.    1.]\n"
            "     [   2.    3.]\n"
            "     [   4.    5.]\n"
            "     ...\n"
            "     [1994. 1995.]\n"
            "     [1996. 1997.]\n"
            "     [1998. 1999.]]  (float32 1000x2)");
}

TEST(Print, TimesAndCounts) {
  EXPECT_EQ(formatSeconds(0.17), "170 ms");
  EXPECT_EQ(formatSeconds(1.7e-7), "170 ns");
  EXPECT_EQ(formatSeconds(12.345), "12.3 s");
  EXPECT_EQ(formatSeconds(0), "0.00 ns");
  EXPECT_EQ(formatCount(1), "1");
  EXPECT_EQ(formatCount(1000), "1,000");
  EXPECT_EQ(formatCount(1234567), "1,234,567");
}

} // namespace
