// SPDX-License-Identifier: Apache-2.0
//
// .npy files: round trips, foreign forms, and every way to be broken.

#include "Npy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <unistd.h>

using namespace scanweave::runtime;
namespace fs = std::filesystem;

namespace {

class Npy : public testing::Test {
protected:
  void SetUp() override {
    directory = testing::TempDir() + "npy-" +
                testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(directory);
    fs::create_directories(directory);
    path = directory + "/x.npy";
  }
  void TearDown() override { fs::remove_all(directory); }

  /// A file as NumPy writes it.
  void writeFile(const std::string &header, const std::string &data,
                 char version = 1) {
    std::string text("\x93NUMPY", 6);
    text += version;
    text += '\0';
    text += static_cast<char>(header.size());
    text += static_cast<char>(header.size() >> 8);
    if (version > 1)
      text += std::string(2, '\0');
    writeRaw(text + header + data);
  }
  void writeRaw(const std::string &bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  static std::string header(const std::string &type, const std::string &shape,
                            bool fortran = false) {
    return "{'descr': '" + type +
           "', 'fortran_order': " + (fortran ? "True" : "False") +
           ", 'shape': " + shape + ", }\n";
  }
  /// The error of reading, without the path.
  std::string errorOf(Element element, const Shape &shape) {
    try {
      readNpy(path, element, shape);
    } catch (const UsageError &error) {
      std::string text = error.what();
      EXPECT_TRUE(text.starts_with(path + ": ")) << text;
      return text.substr(path.size() + 2);
    }
    return "no error";
  }
  size_t numFiles() const {
    return std::distance(fs::directory_iterator(directory), {});
  }

  std::string directory, path;
};

template <typename T> std::string bytesOfValues(std::vector<T> values) {
  return {reinterpret_cast<const char *>(values.data()),
          values.size() * sizeof(T)};
}

template <typename T> std::vector<T> valuesOf(const Tensor &tensor) {
  const T *begin = reinterpret_cast<const T *>(tensor.data.get());
  return {begin, begin + tensor.count()};
}

TEST_F(Npy, RoundTripsOfEveryType) {
  for (int e = 0; e <= static_cast<int>(Element::Index); ++e)
    for (const Shape &shape :
         {Shape{}, Shape{0}, Shape{3}, Shape{2, 3}, Shape{4, 0, 2}}) {
      Tensor tensor(Element(e), shape);
      int64_t bytes = tensor.count() * bytesOf(Element(e));
      for (int64_t i = 0; i < bytes; ++i)
        tensor.data.get()[i] =
            Element(e) == Element::Bool ? char(i % 2) : char(i * 7 % 120);
      writeNpy(path, tensor.view());
      Tensor read = readNpy(path, Element(e), shape);
      EXPECT_EQ(read.shape, shape);
      EXPECT_EQ(memcmp(read.data.get(), tensor.data.get(), bytes), 0);
    }
  EXPECT_EQ(numFiles(), 1u);
}

TEST_F(Npy, WritesWhatNumPyWrites) {
  std::vector<float> values = {1, 2};
  writeNpy(path, {Element::F32, {2}, reinterpret_cast<char *>(values.data())});
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  std::string expected("\x93NUMPY\x01\x00\x76\x00", 10);
  expected += "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
  expected.resize(127, ' ');
  EXPECT_EQ(text, expected + "\n" + bytesOfValues(values));
}

TEST_F(Npy, OtherVersionsAndSpellings) {
  std::string data = bytesOfValues<double>({1, 2, 3});
  for (char version : {1, 2, 3}) {
    writeFile(header("<f8", "(3,)"), data, version);
    EXPECT_EQ(valuesOf<double>(readNpy(path, Element::F64, {3}))[2], 3.0);
  }
  writeFile("{\"shape\":(3,),\"fortran_order\":False,\"descr\":\"=f8\"}", data);
  EXPECT_EQ(valuesOf<double>(readNpy(path, Element::F64, {-1}))[1], 2.0);
}

TEST_F(Npy, BigEndianIsConverted) {
  writeFile(header(">i4", "(2,)"), std::string("\0\0\1\2\xff\xff\xff\xfe", 8));
  EXPECT_EQ(valuesOf<int32_t>(readNpy(path, Element::I32, {2})),
            (std::vector<int32_t>{258, -2}));
}

TEST_F(Npy, FortranOrderIsConverted) {
  writeFile(header("<i2", "(2, 3)", true),
            bytesOfValues<int16_t>({0, 10, 1, 11, 2, 12}));
  EXPECT_EQ(valuesOf<int16_t>(readNpy(path, Element::I16, {2, 3})),
            (std::vector<int16_t>{0, 1, 2, 10, 11, 12}));
}

TEST_F(Npy, BoolsAreOnesAndZeros) {
  writeFile(header("|b1", "(3,)"), std::string("\0\1\7", 3));
  EXPECT_EQ(valuesOf<uint8_t>(readNpy(path, Element::Bool, {3})),
            (std::vector<uint8_t>{0, 1, 1}));
}

TEST_F(Npy, DynamicExtents) {
  writeFile(header("<f4", "(2, 3)"), std::string(24, '\0'));
  EXPECT_EQ(readNpy(path, Element::F32, {-1, 3}).shape, (Shape{2, 3}));
  EXPECT_EQ(errorOf(Element::F32, {-1, 4}), "expected shape ?x4, found 2x3");
}

TEST_F(Npy, WrongTypes) {
  writeFile(header("<f8", "(10,)"), std::string(80, '\0'));
  EXPECT_EQ(errorOf(Element::F32, {10}), "expected float32, found float64");
  EXPECT_EQ(errorOf(Element::I64, {10}), "expected int64, found float64");
  writeFile(header("<V2", "(10,)"), std::string(20, '\0'));
  EXPECT_EQ(errorOf(Element::F16, {10}), "expected float16, found bfloat16");
  EXPECT_EQ(errorOf(Element::BF16, {10}), "no error");
  writeFile(header("<u2", "(10,)"), std::string(20, '\0'));
  EXPECT_EQ(errorOf(Element::BF16, {10}), "expected bfloat16, found uint16");
  writeFile(header("<c8", "(1,)"), std::string(8, '\0'));
  EXPECT_EQ(errorOf(Element::F32, {1}), "expected float32, found type '<c8'");
  writeFile("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}",
            "abcd");
  EXPECT_EQ(errorOf(Element::F32, {1}),
            "expected float32, found a structured type");
}

TEST_F(Npy, WrongShapes) {
  writeFile(header("<f4", "(12, 1)"), std::string(48, '\0'));
  EXPECT_EQ(errorOf(Element::F32, {10}), "expected shape 10, found 12x1");
  EXPECT_EQ(errorOf(Element::F32, {12}), "expected shape 12, found 12x1");
  writeFile(header("<f4", "()"), std::string(4, '\0'));
  EXPECT_EQ(errorOf(Element::F32, {1}), "expected shape 1, found scalar");
}

TEST_F(Npy, NegativeIndices) {
  writeFile(header("<i8", "(2,)"), bytesOfValues<int64_t>({3, -1}));
  EXPECT_EQ(errorOf(Element::Index, {2}),
            "expected non-negative indices, found -1");
}

TEST_F(Npy, Truncated) {
  writeFile(header("<f4", "(10,)"), std::string(12, '\0'));
  EXPECT_EQ(errorOf(Element::F32, {10}),
            "truncated: expected 40 bytes of data, found 12");
  writeRaw(std::string("\x93NUMPY\1\0\x76", 9));
  EXPECT_EQ(errorOf(Element::F32, {10}),
            "truncated: the header of the .npy file is not complete");
  // No memory is taken for what a broken header claims.
  writeFile(header("<f4", "(1000000000000,)"), "");
  EXPECT_EQ(errorOf(Element::F32, {-1}),
            "truncated: expected 4000000000000 bytes of data, found 0");
  writeFile(header("<f4", "(1000000000000, 1000000000000)"), "");
  EXPECT_THROW(readNpy(path, Element::F32, {-1, -1}), UsageError);
}

TEST_F(Npy, NotNpy) {
  EXPECT_EQ(errorOf(Element::F32, {1}), "No such file or directory");
  writeRaw("");
  EXPECT_EQ(errorOf(Element::F32, {1}), "not a .npy file");
  writeRaw("1.0 2.0 3.0 4.0\n");
  EXPECT_EQ(errorOf(Element::F32, {1}), "not a .npy file");
  writeFile(header("<f4", "(1,)"), "abcd", 9);
  EXPECT_EQ(errorOf(Element::F32, {1}),
            "version 9.0 of the .npy format is not known");
  for (const char *broken :
       {"", "{", "{}", "{'descr': '<f4'}", "{'descr': '<f4', 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1",
        "{'descr': [, 'fortran_order': False, 'shape': (1,)}",
        "{'x': 1, 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}"}) {
    writeFile(broken, "abcd");
    EXPECT_EQ(errorOf(Element::F32, {1}),
              std::string("broken .npy header: ") + broken);
  }
  fs::remove(path);
  fs::create_directory(path);
  EXPECT_EQ(errorOf(Element::F32, {1}), "is a directory");
}

TEST_F(Npy, UnwritablePaths) {
  auto errorOfCheck = [](const std::string &target) -> std::string {
    try {
      checkWritable(target);
    } catch (const UsageError &error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(errorOfCheck(path), "no error");
  EXPECT_EQ(numFiles(), 0u); // nothing is left behind
  EXPECT_EQ(errorOfCheck(directory + "/missing/x.npy"),
            directory + "/missing/x.npy: cannot be written: No such file or "
                        "directory");
  EXPECT_EQ(errorOfCheck(directory),
            directory + ": cannot be written: is a directory");
  if (geteuid() == 0)
    return; // root may write everywhere
  fs::permissions(directory, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_NE(errorOfCheck(path), "no error");
  fs::permissions(directory, fs::perms::owner_all);
}

TEST_F(Npy, AFailedWriteLeavesTheOldFile) {
  writeRaw("old");
  int64_t value = 7;
  TensorView tensor{Element::I64, {}, reinterpret_cast<char *>(&value)};
  EXPECT_THROW(writeNpy("/dev/full", tensor), UsageError);
  EXPECT_EQ(fs::file_size(path), 3u);
  writeNpy(path, tensor);
  EXPECT_EQ(fs::file_size(path), 136u);
  EXPECT_EQ(numFiles(), 1u);
}

TEST_F(Npy, LinksStayLinks) {
  fs::create_symlink("target.npy", path);
  writeRaw("old"); // through the link
  int64_t value = 7;
  writeNpy(path, {Element::I64, {}, reinterpret_cast<char *>(&value)});
  EXPECT_TRUE(fs::is_symlink(path));
  EXPECT_EQ(fs::file_size(directory + "/target.npy"), 136u);
}

} // namespace
