// SPDX-License-Identifier: Apache-2.0
//
// Numbers from and to text.

#include "Elements.h"
#include "SmallFloat.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace scanweave::runtime;

namespace {

/// What a text reads as, written again; "no" if it is refused.
std::string parsed(Element element, const std::string &text) {
  char value[8];
  return parseElement(element, text, value) ? formatElement(element, value)
                                            : "no";
}

TEST(Elements, Integers) {
  EXPECT_EQ(parsed(Element::I8, "127"), "127");
  EXPECT_EQ(parsed(Element::I8, "-128"), "-128");
  EXPECT_EQ(parsed(Element::I8, "128"), "no");
  EXPECT_EQ(parsed(Element::U8, "255"), "255");
  EXPECT_EQ(parsed(Element::U8, "256"), "no");
  EXPECT_EQ(parsed(Element::U8, "-1"), "no");
  EXPECT_EQ(parsed(Element::I16, "-32769"), "no");
  EXPECT_EQ(parsed(Element::U32, "4294967295"), "4294967295");
  EXPECT_EQ(parsed(Element::I32, "4294967295"), "no");
  EXPECT_EQ(parsed(Element::I64, "-9223372036854775808"),
            "-9223372036854775808");
  EXPECT_EQ(parsed(Element::U64, "18446744073709551615"),
            "18446744073709551615");
  EXPECT_EQ(parsed(Element::U64, "18446744073709551616"), "no");
  EXPECT_EQ(parsed(Element::Index, "0"), "0");
  EXPECT_EQ(parsed(Element::Index, "-3"), "no");
  EXPECT_EQ(parsed(Element::Index, "1e6"), "1000000");
  EXPECT_EQ(parsed(Element::Index, "1e30"), "no");
  EXPECT_EQ(parsed(Element::I8, "1e3"), "no");
  EXPECT_EQ(parsed(Element::I32, "+7"), "7");
  for (const char *text :
       {"", " ", "x", "1x", "1.5", "--1", "1 2", "0x", "nan"})
    EXPECT_EQ(parsed(Element::I32, text), "no") << text;
}

TEST(Elements, Floats) {
  EXPECT_EQ(parsed(Element::F32, "1e-2"), "0.01");
  EXPECT_EQ(parsed(Element::F32, "-0"), "-0.");
  EXPECT_EQ(parsed(Element::F32, "16777217"), "16777216.");
  EXPECT_EQ(parsed(Element::F32, "1e-45"), "1e-45");
  EXPECT_EQ(parsed(Element::F32, "1e-60"), "0.");
  EXPECT_EQ(parsed(Element::F32, "1e39"), "no");
  EXPECT_EQ(parsed(Element::F32, "inf"), "inf");
  EXPECT_EQ(parsed(Element::F32, "nan"), "nan");
  EXPECT_EQ(parsed(Element::F64, "0.1"), "0.1");
  EXPECT_EQ(parsed(Element::F64, "1e309"), "no");
  for (const char *text : {"", " 1", "1 ", "one", "1,5", "--1"})
    EXPECT_EQ(parsed(Element::F64, text), "no") << text;
}

TEST(Elements, SmallFloats) {
  EXPECT_EQ(parsed(Element::F16, "0.1"), "0.1");
  EXPECT_EQ(parsed(Element::F16, "65504"), "65500.");
  EXPECT_EQ(parsed(Element::F16, "65519"), "65500.");
  EXPECT_EQ(parsed(Element::F16, "65520"), "no");
  EXPECT_EQ(parsed(Element::F16, "2049"), "2048."); // a tie, to even
  EXPECT_EQ(parsed(Element::BF16, "3e38"), "3e+38");
  EXPECT_EQ(parsed(Element::BF16, "257"), "256.");
}

TEST(Elements, SmallFloatsKeepEveryValue) {
  for (const SmallFloat &format : {float16, bfloat16})
    for (uint32_t bits = 0; bits <= 0xffff; ++bits) {
      double value = format.decode(uint16_t(bits));
      if (!std::isnan(value))
        ASSERT_EQ(format.encode(value), bits);
      else
        ASSERT_TRUE(std::isnan(format.decode(format.encode(value))));
    }
}

TEST(Elements, SmallFloatsRoundToNearestEven) {
  for (const SmallFloat &format : {float16, bfloat16})
    for (uint16_t bits = 0; bits + 1 < format.infinity(); ++bits) {
      double low = format.decode(bits), high = format.decode(bits + 1);
      double middle = low + (high - low) / 2;
      ASSERT_EQ(format.encode(middle), bits % 2 ? bits + 1 : bits);
      ASSERT_EQ(format.encode(std::nextafter(middle, low)), bits);
      ASSERT_EQ(format.encode(std::nextafter(middle, high)), bits + 1);
    }
}

TEST(Elements, Bools) {
  EXPECT_EQ(parsed(Element::Bool, "true"), "True");
  EXPECT_EQ(parsed(Element::Bool, "0"), "False");
  EXPECT_EQ(parsed(Element::Bool, "2"), "no");
}

TEST(Elements, TypesOfDescriptors) {
  EXPECT_EQ(findElement("i8", true), Element::U8);
  EXPECT_EQ(findElement("i8", false), Element::I8);
  EXPECT_EQ(findElement("f32", true), Element::F32);
  EXPECT_EQ(findElement("index", false), Element::Index);
  EXPECT_EQ(findElement("f8", false), std::nullopt);
}

} // namespace
