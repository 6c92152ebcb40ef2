#include "aria/persistence/npy.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "aria/persistence/npy_header.hpp"
#include "file_helpers.hpp"
#include "zip_maker.hpp"

namespace aria {
namespace {

using aria::testing::error_of;
using aria::testing::float_npy;
using aria::testing::npy_bytes;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Hands the bytes out in small pieces, as a file may.
ByteSource source_of(const std::string& bytes) {
  return {bytes.size(), bytes.size(), [&bytes, at = std::size_t{0}](std::span<std::byte> out) mutable {
            const std::size_t got = std::min({out.size(), bytes.size() - at, std::size_t{7}});
            std::memcpy(out.data(), bytes.data() + at, got);
            at += got;
            return got;
          }};
}

NpyArray parse(const std::string& bytes) {
  ByteSource source = source_of(bytes);
  return read_npy(source);
}

std::string dict(const std::string& descr, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + "}";
}

template <class T>
const std::vector<T>& values_of(const NpyArray& array) {
  return std::get<std::vector<T>>(array.values);
}

TEST(Npy, WritesTheHeaderThatNumPyWrites) {
  const std::vector<std::size_t> shape = {3, 4};
  const std::string header = format_npy_header("f4", shape);
  EXPECT_EQ(header.size() % 64, 0u);
  EXPECT_THAT(header, HasSubstr("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }"));
  EXPECT_EQ(header.back(), '\n');
  EXPECT_THAT(format_npy_header("u1", std::vector<std::size_t>{5}),
              HasSubstr("'|u1', 'fortran_order': False, 'shape': (5,)"));
  EXPECT_THAT(format_npy_header("i8", {}), HasSubstr("'shape': ()"));
}

TEST(Npy, ReadsTheHeaderItWrites) {
  for (const std::vector<std::size_t>& shape : {std::vector<std::size_t>{}, {0}, {7}, {1, 2, 3, 4, 5, 6, 7, 8}}) {
    const std::string bytes = format_npy_header("i4", shape);
    ByteSource source = source_of(bytes);
    const NpyHeader header = read_npy_header(source);
    EXPECT_EQ(header.shape, shape);
    EXPECT_EQ(header.type, "i4");
    EXPECT_EQ(source.left(), 0u);
  }
}

TEST(Npy, ReadsAllThreeVersions) {
  for (const char version : {'\1', '\2', '\3'}) {
    const NpyArray array = parse(npy_bytes(dict("|u1", "(2,)"), "\x05\x06", version));
    EXPECT_THAT(values_of<std::uint8_t>(array), ElementsAre(5, 6));
  }
  EXPECT_THAT(error_of([] { parse(npy_bytes(dict("|u1", "(2,)"), "\x05\x06", '\4')); }), HasSubstr("got 4.0"));
}

TEST(Npy, ReadsKeysInAnyOrderAndWithDoubleQuotes) {
  const NpyArray array =
      parse(npy_bytes("{\"shape\": (1,), \"fortran_order\": False, \"descr\": \"|i1\"}  \n", "\xff"));
  EXPECT_THAT(values_of<std::int8_t>(array), ElementsAre(-1));
}

TEST(Npy, ReadsEveryNumberType) {
  const std::string bytes("\x00\x00\x00\x00\x00\x00\x00\x40", 8);
  EXPECT_THAT(values_of<double>(parse(npy_bytes(dict("<f8", "(1,)"), bytes))), ElementsAre(2.0));
  EXPECT_THAT(values_of<float>(parse(npy_bytes(dict("<f4", "(2,)"), bytes))), ElementsAre(0.0f, 2.0f));
  EXPECT_THAT(values_of<float>(parse(npy_bytes(dict("<f2", "(4,)"), bytes))), ElementsAre(0, 0, 0, 2.0f));
  EXPECT_THAT(values_of<std::int64_t>(parse(npy_bytes(dict("<i8", "(1,)"), bytes))), ElementsAre(0x40ll << 56));
  EXPECT_THAT(values_of<std::uint64_t>(parse(npy_bytes(dict(">u8", "(1,)"), bytes))), ElementsAre(0x40));
  EXPECT_THAT(values_of<std::int32_t>(parse(npy_bytes(dict(">i4", "(2,)"), bytes))), ElementsAre(0, 0x40));
  EXPECT_THAT(values_of<std::uint32_t>(parse(npy_bytes(dict("<u4", "(2,)"), bytes))), ElementsAre(0, 0x40000000));
  EXPECT_THAT(values_of<std::int16_t>(parse(npy_bytes(dict(">i2", "(4,)"), bytes))), ElementsAre(0, 0, 0, 0x40));
  EXPECT_THAT(values_of<std::uint16_t>(parse(npy_bytes(dict("<u2", "(4,)"), bytes))), ElementsAre(0, 0, 0, 0x4000));
  EXPECT_THAT(values_of<std::uint8_t>(parse(npy_bytes(dict("|b1", "(2,)"), std::string("\x01\x00", 2)))),
              ElementsAre(1, 0));
}

TEST(Npy, ReadsBigEndianFloats) {
  EXPECT_THAT(values_of<float>(parse(npy_bytes(dict(">f4", "(1,)"), std::string("\x3f\x80\x00\x00", 4)))),
              ElementsAre(1.0f));
  EXPECT_THAT(values_of<double>(parse(npy_bytes(dict(">f8", "(1,)"), std::string("\xbf\xf0\0\0\0\0\0\0", 8)))),
              ElementsAre(-1.0));
}

TEST(Npy, ReadsHalfPrecisionExactly) {
  // 1, -2, largest, smallest denormal, largest denormal, infinity, NaN
  const std::uint16_t halves[] = {0x3c00, 0xc000, 0x7bff, 0x0001, 0x03ff, 0xfc00, 0x7e00};
  const std::string data(reinterpret_cast<const char*>(halves), sizeof(halves));
  const std::vector<float> got = values_of<float>(parse(npy_bytes(dict("<f2", "(7,)"), data)));
  EXPECT_THAT(std::vector(got.begin(), got.begin() + 6),
              ElementsAre(1.0f, -2.0f, 65504.0f, 0x1p-24f, 1023 * 0x1p-24f, -HUGE_VALF));
  EXPECT_TRUE(std::isnan(got[6]));
}

TEST(Npy, TransposesFortranOrder) {
  // element [i][j] of a (2, 3) array is 3 i + j
  const std::string data("\x00\x03\x01\x04\x02\x05", 6);
  EXPECT_THAT(values_of<std::int8_t>(parse(npy_bytes(dict("|i1", "(2, 3)", true), data))),
              ElementsAre(0, 1, 2, 3, 4, 5));
  // element [i][j][k] of a (2, 2, 2) array is 4 i + 2 j + k
  const std::string cube("\x00\x04\x02\x06\x01\x05\x03\x07", 8);
  EXPECT_THAT(values_of<std::int8_t>(parse(npy_bytes(dict("|i1", "(2, 2, 2)", true), cube))),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_EQ(parse(npy_bytes(dict("<f4", "(0, 9)", true), "")).shape, (std::vector<std::size_t>{0, 9}));
}

TEST(Npy, RefusesWhatIsNotNumbers) {
  const auto message = [](const std::string& descr) {
    return error_of(
        [&] { parse(npy_bytes("{'descr': " + descr + ", 'fortran_order': False, 'shape': (1,)}", "12345678")); });
  };
  EXPECT_THAT(message("'|O'"), AllOf(HasSubstr("'|O'"), HasSubstr("pickle")));
  EXPECT_THAT(message("'<U2'"), HasSubstr("got '<U2'"));
  EXPECT_THAT(message("'|S8'"), HasSubstr("got '|S8'"));
  EXPECT_THAT(message("'<c8'"), HasSubstr("got '<c8'"));
  EXPECT_THAT(message("'<M8[s]'"), HasSubstr("got '<M8[s]'"));
  EXPECT_THAT(message("'<f3'"), HasSubstr("got '<f3'"));
  EXPECT_THAT(message("'|f8'"), HasSubstr("got '|f8'"));
  EXPECT_THAT(message("''"), HasSubstr("got ''"));
  EXPECT_THAT(message("[('x', '<f4'), ('y', '<f4')]"), HasSubstr("structured"));
}

TEST(Npy, RefusesHeadersThatAreNotTheDict) {
  for (const std::string bad : {"",
                                "{}",
                                "{",
                                "}",
                                "[]",
                                "{'descr'}",
                                "{'descr': '<f4'}",
                                "{'descr': '<f4', 'fortran_order': False}",
                                "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)",
                                "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
                                "{'descr': '<f4', 'fortran_order': False, 'shape': (1)}",
                                "{'descr': '<f4', 'fortran_order': False, 'shape': 1}",
                                "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
                                "{'descr': '<f4', 'fortran_order': False, 'shape': (1.0,)}",
                                "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
                                "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
                                "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} + [1]",
                                "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
                                "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
                                "{'descr': '<f4', 'fortran_order': False, 'shape': __import__('os')}",
                                "{'descr: '<f4'\n\x01\x7f"}) {
    EXPECT_THAT(error_of([&] { parse(npy_bytes(bad, "1234")); }), HasSubstr("header")) << bad;
  }
}

TEST(Npy, RefusesShapesThatTheBytesDoNotHold) {
  EXPECT_THAT(error_of([] { parse(float_npy({1}, "(2,)")); }), HasSubstr("must be 8, as its shape (2,) says, got 4"));
  EXPECT_THAT(error_of([] { parse(float_npy({1, 2}, "(1,)")); }), HasSubstr("must be 4"));
  EXPECT_THAT(error_of([] { parse(float_npy({1}, "(1000000000, 1000)")); }), HasSubstr("got 4"));
}

TEST(Npy, RefusesShapesWhoseProductWrapsAround) {
  EXPECT_THAT(error_of([] { parse(float_npy({1}, "(4294967296, 4294967296)")); }), HasSubstr("fits the memory"));
  EXPECT_THAT(error_of([] { parse(float_npy({}, "(4611686018427387904,)")); }), HasSubstr("fits the memory"));
  EXPECT_THAT(error_of([] { parse(float_npy({1}, "(18446744073709551615, 18446744073709551615, 1)")); }),
              HasSubstr("fits the memory"));
}

TEST(Npy, RefusesMoreThanEightDimensions) {
  EXPECT_THAT(error_of([] { parse(float_npy({1}, "(1, 1, 1, 1, 1, 1, 1, 1, 1)")); }), HasSubstr("at most 8"));
  EXPECT_EQ(parse(float_npy({1}, "(1, 1, 1, 1, 1, 1, 1, 1)")).shape.size(), 8u);
}

TEST(Npy, RefusesAHeaderThatClaimsToBeHuge) {
  const std::string bytes("\x93NUMPY\x02\x00\xff\xff\xff\xff{", 13);
  EXPECT_THAT(error_of([&] { parse(bytes); }), HasSubstr("at most 10000, got 4294967295"));
}

TEST(Npy, RefusesAnythingCutShort) {
  const std::string whole = float_npy({1, 2, 3}, "(3,)");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    error_of([&] { parse(whole.substr(0, length)); });
  }
}

TEST(Npy, ConvertsNumbersToFloats) {
  EXPECT_THAT(to_floats({{2}, std::vector<double>{0.1, -1e300}}), ElementsAre(0.1f, -HUGE_VALF));
  EXPECT_THAT(to_floats({{2}, std::vector<std::int64_t>{-3, 16777217}}), ElementsAre(-3.0f, 16777216.0f));
  EXPECT_THAT(to_floats({{1}, std::vector<std::uint8_t>{1}}), ElementsAre(1.0f));
}

TEST(Npy, ConvertsOnlyIntegersThatFitToIntegers) {
  EXPECT_THAT(to_integers<std::int32_t>({{2}, std::vector<std::int64_t>{-3, 7}}), ElementsAre(-3, 7));
  EXPECT_THAT(to_integers<std::int64_t>({{1}, std::vector<std::uint8_t>{200}}), ElementsAre(200));
  EXPECT_THAT(error_of([] {
                to_integers<std::int32_t>({{2}, std::vector<std::int64_t>{0, 1ll << 31}});
              }),
              HasSubstr("its value 1 must fit 4 bytes, got 2147483648"));
  EXPECT_THAT(error_of([] {
                to_integers<std::int64_t>({{1}, std::vector<std::uint64_t>{~0ull}});
              }),
              HasSubstr("must fit 8 bytes"));
  EXPECT_THAT(error_of([] {
                to_integers<std::int32_t>({{1}, std::vector<float>{1}});
              }),
              HasSubstr("must be integers, got floats"));
}

}  // namespace
}  // namespace aria
