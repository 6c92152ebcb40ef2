// Files made to harm: they are refused, or read, within a memory that their real size accounts for.
#include <limits>
#include <string>

#include "aria/persistence/archive_file.hpp"
#include "aria/persistence/reevaluation_file.hpp"
#include "aria/persistence/state_file.hpp"
#include "aria/run/configuration.hpp"
#include "aria/run/study_config.hpp"
#include "aria/run/summary.hpp"
#include "file_helpers.hpp"
#include "zip_maker.hpp"

namespace aria {
namespace {

using aria::testing::error_of;
using aria::testing::float_npy;
using aria::testing::make_zip;
using aria::testing::memory_growth;
using aria::testing::npy_bytes;
using aria::testing::TemporaryFolder;
using aria::testing::write_bytes;
using ::testing::HasSubstr;

// As docs/reliability.md says: so many bytes of memory for each of a file that is not compressed, and a fixed part.
constexpr std::size_t kMemoryFactor = 48;
constexpr std::size_t kFixedMemory = std::size_t{16} << 20;

std::string repeated(const std::string& part, std::size_t times) {
  std::string result;
  result.reserve(part.size() * times);
  for (std::size_t i = 0; i < times; ++i) result += part;
  return result;
}

class HostileFile : public ::testing::Test {
 protected:
  std::string refused(const std::string& bytes) const {
    write_bytes(folder_ / "a", bytes);
    std::string message;
    const std::size_t growth = memory_growth([&] { message = error_of([&] { read_archive(folder_ / "a"); }); });
    EXPECT_LE(growth, kMemoryFactor * bytes.size() + kFixedMemory);
    return message;
  }
  void expect_read(const std::string& bytes) const {
    write_bytes(folder_ / "a", bytes);
    const std::size_t growth = memory_growth([&] { EXPECT_GT(read_archive(folder_ / "a").size(), 0u); });
    EXPECT_LE(growth, kMemoryFactor * bytes.size() + kFixedMemory);
  }
  TemporaryFolder folder_;
};

std::string archive_with_header(const std::string& header) {
  return make_zip({{"header.json", header}, {"solution.npy", float_npy({1, 2}, "(2, 1)")}});
}

TEST_F(HostileFile, NestedDeeplyInJsonIsRefused) {
  constexpr std::size_t kDepth = 250000;
  const std::string lists = repeated("[", kDepth) + repeated("]", kDepth);
  const std::string objects = repeated("{\"a\":", kDepth / 2) + "1" + repeated("}", kDepth / 2);
  for (const std::string& deep : {lists, objects}) {
    EXPECT_THAT(refused(archive_with_header(deep)), HasSubstr("the depth of its JSON must be at most 64"));
    EXPECT_THAT(refused(archive_with_header("{\"format\": " + deep + "}")), HasSubstr("at most 64"));
    EXPECT_THAT(error_of([&] { parse_summary("{\"task\": " + deep + "}"); }), HasSubstr("at most 64"));
  }
}

TEST_F(HostileFile, NestedDeeplyInTomlIsRefused) {
  const std::string dotted = repeated("a.", 1990) + "a";
  for (const std::string& deep :
       {"a = " + repeated("[", 100000) + repeated("]", 100000),
        "a = " + repeated("{a=", 100000) + "1" + repeated("}", 100000), "[" + repeated("a.", 100000) + "a]\n",
        repeated("a.", 100000) + "a = 1\n", "[" + dotted + "]\n", dotted + " = 1\n"}) {
    write_bytes(folder_ / "a", deep);
    error_of([&] { read_config(folder_ / "a"); });
    error_of([&] { read_study_config(folder_ / "a"); });
  }
}

TEST_F(HostileFile, WithInvalidUtf8IsRefusedInOneLine) {
  for (const std::string bad : {"\xff", "\xc3", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xc0\xaf"}) {
    EXPECT_THAT(refused(archive_with_header("{\"format\": \"" + bad + "\"}")), HasSubstr("must be JSON"));
    EXPECT_THAT(error_of([&] { parse_summary("{\"task\": \"" + bad + "\"}"); }), HasSubstr("summary"));
    write_bytes(folder_ / "a", "task = \"" + bad + "\"\n");
    error_of([&] { read_config(folder_ / "a"); });
    // a column that nobody knows may have any name
    EXPECT_THAT(refused(bad + ",objective\n1,2\n"), HasSubstr("must be an archive"));
  }
}

TEST_F(HostileFile, ClaimingAHugeGridIsRefused) {
  const std::string header =
      R"({"format": "aria-archive", "version": 1, "grid": {"cells": [8192, 8192], "lower": [0, 0], "upper": [1, 1]},)"
      R"( "task": "arm", "provenance": {}, "columns": ["solution"]})";
  EXPECT_THAT(refused(archive_with_header(header)), HasSubstr("centroids.npy"));
}

TEST_F(HostileFile, OfTenMillionColumnsIsRefused) {
  EXPECT_THAT(refused("solution_0" + std::string(10'000'000, ',') + "\n"), HasSubstr("at most 1048576"));
}

TEST_F(HostileFile, OfManyShortFieldsTakesWhatItsSizeAccountsFor) {
  std::string names = "solution_0";
  std::string row = "1";
  for (int i = 1; i < 100'000; ++i) names += ",x", row += ",2";
  expect_read(names + "\n" + repeated(row + "\n", 20));
  expect_read("solution_0\n" + repeated("1\n", 1'000'000));
}

TEST_F(HostileFile, OfSmallNumbersTakesWhatItsSizeAccountsFor) {
  constexpr std::size_t kCount = 4'000'000;
  for (const auto& [type, size] : {std::pair("|u1", 1), std::pair("<f2", 2), std::pair(">f8", 8)}) {
    for (const char* order : {"True", "False"}) {
      const std::string dict =
          fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': (1000, {}), }}", type, order, kCount / 1000);
      expect_read(npy_bytes(dict, std::string(kCount * static_cast<std::size_t>(size), '\0')));
    }
  }
}

// The bomb of the textbooks: a stream that grows as much as deflate can, here to 100 MB from 100 kB.
TEST_F(HostileFile, AsABombThatIsNoArrayIsNotUnpacked) {
  if (!aria::testing::has_python()) GTEST_SKIP() << "no Python with NumPy was given";
  const auto path = folder_ / "bomb.npz";
  aria::testing::run_python(
      "import sys, zipfile\n"
      "with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as f:\n"
      "    f.writestr('solution.npy', b'\\x93NUMPY\\x01\\x00' + bytes(100_000_000))\n",
      path);
  EXPECT_LT(std::filesystem::file_size(path), 110'000u);
  EXPECT_LT(memory_growth([&] { error_of([&] { read_archive(path); }); }), kFixedMemory);
}

TEST_F(HostileFile, WithNumbersThatAreNoneIsRefused) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity()}) {
    EXPECT_THAT(refused(float_npy({1, bad}, "(2, 1)")), HasSubstr("solution: row 1 must be finite"));
    EXPECT_THAT(refused(make_zip({{"solution.npy", float_npy({1, bad}, "(2, 1)")}})),
                HasSubstr("row 1 must be finite"));
    EXPECT_THAT(refused(fmt::format("solution_0\n1\n{}\n", bad)), HasSubstr("row 1 must be finite"));
  }
  // a double that no float holds
  EXPECT_THAT(refused(npy_bytes("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }",
                                std::string("\0\0\0\0\0\0\xf0\x7e", 8))),
              HasSubstr("must be finite, got inf"));
}

}  // namespace
}  // namespace aria
