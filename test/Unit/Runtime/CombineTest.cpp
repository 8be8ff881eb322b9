// SPDX-License-Identifier: Apache-2.0
//
// Every combination, element by element, on pairs of special values.

#include "Combine.h"

#include "Reference.h"

#include <gtest/gtest.h>

using namespace scanweave;
using namespace scanweave::runtime;

namespace {

template <typename T> std::vector<T> interestingValues() {
  std::vector<T> values;
  for (int64_t i = 0; i < 40; ++i)
    values.push_back(test::valueAt<T>(i, 0));
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, test::Bool>) {
    return values;
  } else if constexpr (test::isFloat<T>) {
    for (T value : {T(0.0), T(-0.0), Limits::infinity(), -Limits::infinity(),
                    Limits::quiet_NaN(), Limits::denorm_min(), Limits::max(),
                    Limits::lowest(), T(1), T(-1)})
      values.push_back(value);
  } else {
    for (T value : {T(0), T(1), T(-1), Limits::min(), Limits::max()})
      values.push_back(value);
  }
  return values;
}

TEST(Combine, AllPairsOfValues) {
  test::forEachType([]<typename T>(int type) {
    std::vector<T> values = interestingValues<T>();
    for (int kind = 0; kind <= SCANWEAVE_XOR; ++kind) {
      const Combination *combination = getCombination(kind, type);
      ASSERT_EQ(combination != nullptr, test::hasKind<T>(kind));
      if (!combination)
        continue;
      EXPECT_EQ(combination->elementBytes, int32_t(sizeof(T)));
      for (T left : values) {
        std::vector<T> lefts(values.size(), left), out(values.size());
        combination->combine(out.data(), lefts.data(), values.data(),
                             static_cast<int64_t>(values.size()));
        for (size_t i = 0; i < values.size(); ++i)
          EXPECT_TRUE(
              test::sameBits(out[i], test::combine(kind, left, values[i])))
              << "kind " << kind << " type " << type << " element " << i;
      }
    }
  });
}

TEST(Combine, InPlace) {
  const Combination *add = getCombination(SCANWEAVE_ADD, SCANWEAVE_F32);
  std::vector<float> left(37), right(37), both(37);
  for (int i = 0; i < 37; ++i) {
    left[i] = test::valueAt<float>(i, 1);
    right[i] = test::valueAt<float>(i, 2);
    both[i] = left[i] + right[i];
  }
  std::vector<float> intoRight = right;
  add->combine(intoRight.data(), left.data(), intoRight.data(), 37);
  add->combine(left.data(), left.data(), right.data(), 37);
  for (int i = 0; i < 37; ++i) {
    EXPECT_TRUE(test::sameBits(left[i], both[i]));
    EXPECT_TRUE(test::sameBits(intoRight[i], both[i]));
  }
}

TEST(Combine, Identities) {
  test::forEachType([]<typename T>(int type) {
    for (int kind = 0; kind <= SCANWEAVE_XOR; ++kind) {
      const Combination *combination = getCombination(kind, type);
      if (!combination)
        continue;
      T filled[3];
      fillIdentity(*combination, filled, 3);
      for (T value : filled)
        EXPECT_TRUE(test::sameBits(value, test::identity<T>(kind)));
      // An identity it is: also for -0.0.
      for (T value : interestingValues<T>())
        EXPECT_TRUE(
            test::sameBits(test::combine(kind, filled[0], value), value))
            << "kind " << kind << " type " << type;
    }
  });
}

TEST(Combine, RefusesWhatDoesNotExist) {
  EXPECT_EQ(getCombination(SCANWEAVE_AND, SCANWEAVE_F32), nullptr);
  EXPECT_EQ(getCombination(SCANWEAVE_UMAX, SCANWEAVE_F64), nullptr);
  EXPECT_EQ(getCombination(-1, SCANWEAVE_F32), nullptr);
  EXPECT_EQ(getCombination(9, SCANWEAVE_I32), nullptr);
  EXPECT_EQ(getCombination(SCANWEAVE_ADD, 7), nullptr);
}

} // namespace
