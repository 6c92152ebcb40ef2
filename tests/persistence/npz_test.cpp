#include "aria/persistence/npz.hpp"

#include <stdlib.h>
#include <time.h>

#include <cmath>
#include <limits>

#include "aria/persistence/file_error.hpp"
#include "file_helpers.hpp"
#include "zip_maker.hpp"

namespace aria {
namespace {

using aria::testing::deflate_without_compression;
using aria::testing::error_of;
using aria::testing::float_npy;
using aria::testing::make_zip;
using aria::testing::memory_growth;
using aria::testing::npy_bytes;
using aria::testing::read_bytes;
using aria::testing::TemporaryFolder;
using aria::testing::write_bytes;
using aria::testing::zip_crc;
using aria::testing::ZipMember;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::size_t kLittleMemory = std::size_t{48} << 20;  // far below what the hostile files claim

const std::string kArray = float_npy({1, 2, 3}, "(3,)");

std::string error_reading(const std::string& bytes) {
  const TemporaryFolder folder;
  write_bytes(folder / "a.npz", bytes);
  std::string message;
  EXPECT_LT(memory_growth([&] { message = error_of([&] { read_npz(folder / "a.npz"); }); }), kLittleMemory);
  EXPECT_THAT(message, StartsWith((folder / "a.npz").string() + ": "));
  return message;
}

TEST(Npz, GivesBackEveryTypeAndShape) {
  const TemporaryFolder folder;
  const std::vector<float> floats = {-0.0f, std::numeric_limits<float>::denorm_min(), 3};
  const std::vector<double> doubles = {0.1, -1e300, 5e-324, 4};
  const std::vector<std::int32_t> ints = {-1, 2};
  const std::vector<std::int64_t> longs = {std::numeric_limits<std::int64_t>::min()};
  const std::vector<std::uint8_t> bytes = {0, 255};
  const std::vector<std::uint32_t> none;
  const Matrix matrix(2, 3, {1, 2, 3, 4, 5, 6});
  NpzWriter writer;
  writer.add("floats", floats);
  writer.add("doubles", {2, 2}, doubles);
  writer.add("ints", {1, 1, 2}, std::span<const std::int32_t>(ints));
  writer.add("scalar", {}, longs);
  writer.add("bytes", bytes);
  writer.add("none", {0, 4}, none);
  writer.add("matrix", matrix);
  writer.add_text("note.txt", "hello");
  writer.save(folder / "a.npz");

  const auto arrays = read_npz(folder / "a.npz");
  EXPECT_EQ(arrays.size(), 7u);
  EXPECT_EQ(arrays.at("floats"), (NpyArray{{3}, floats}));
  EXPECT_TRUE(std::signbit(std::get<std::vector<float>>(arrays.at("floats").values)[0]));
  EXPECT_EQ(arrays.at("doubles"), (NpyArray{{2, 2}, doubles}));
  EXPECT_EQ(arrays.at("ints"), (NpyArray{{1, 1, 2}, ints}));
  EXPECT_EQ(arrays.at("scalar"), (NpyArray{{}, longs}));
  EXPECT_EQ(arrays.at("bytes"), (NpyArray{{2}, bytes}));
  EXPECT_EQ(arrays.at("none"), (NpyArray{{0, 4}, none}));
  EXPECT_EQ(arrays.at("matrix"), (NpyArray{{2, 3}, matrix.values()}));

  const NpzReader reader(folder / "a.npz");
  EXPECT_EQ(reader.read_text("note.txt", 100), "hello");
  EXPECT_THAT(error_of([&] { reader.read_text("note.txt", 4); }), HasSubstr("at most 4 bytes, got 5"));
}

TEST(Npz, GivesBackAnArrayOfManyChunks) {
  const TemporaryFolder folder;
  std::vector<double> values(300001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) / 7;
  NpzWriter writer;
  writer.add("values", values);
  writer.save(folder / "a.npz");
  EXPECT_EQ(read_npz(folder / "a.npz").at("values"), (NpyArray{{300001}, values}));
}

TEST(Npz, WritesTheSameBytesInEveryTimeZone) {
  const TemporaryFolder folder;
  const std::vector<float> values = {1, 2};
  NpzWriter writer;
  writer.add("values", values);
  const char* zone = ::getenv("TZ");
  const std::string before = zone == nullptr ? "" : zone;
  for (const char* other : {"UTC", "Pacific/Kiritimati", "America/St_Johns", "Africa/Monrovia"}) {
    ::setenv("TZ", other, 1);
    ::tzset();
    writer.save(folder / "a.npz");
    if (std::filesystem::exists(folder / "first.npz")) {
      EXPECT_EQ(read_bytes(folder / "a.npz"), read_bytes(folder / "first.npz")) << other;
    } else {
      std::filesystem::rename(folder / "a.npz", folder / "first.npz");
    }
  }
  zone == nullptr ? ::unsetenv("TZ") : ::setenv("TZ", before.c_str(), 1);
  ::tzset();
}

TEST(Npz, RefusesToWriteBadNamesAndShapes) {
  const std::vector<float> values = {1, 2};
  NpzWriter writer;
  writer.add("a", values);
  EXPECT_THAT(error_of([&] { writer.add("a", values); }), HasSubstr("must be new, got 'a.npy'"));
  EXPECT_THAT(error_of([&] { writer.add("b/c", values); }), HasSubstr("without '/'"));
  EXPECT_THAT(error_of([&] { writer.add("..", values); }), HasSubstr("without '/'"));
  EXPECT_THAT(error_of([&] { writer.add("d", {3}, values); }), HasSubstr("shape (3,) says, got 2"));
  EXPECT_THAT(error_of([&] { writer.add("e", {std::size_t{1} << 63, 4}, values); }), HasSubstr("fits the memory"));
}

TEST(Npz, RefusesToWriteNothing) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of([&] { NpzWriter().save(folder / "a.npz"); }), HasSubstr("at least 1, got 0"));
  EXPECT_TRUE(folder.names().empty());
}

TEST(Npz, ReadsHandMadeMembersStoredAndDeflated) {
  const TemporaryFolder folder;
  const std::string deflated = deflate_without_compression(kArray);
  const auto size = static_cast<std::uint32_t>(kArray.size());
  write_bytes(folder / "a.npz", make_zip({{"a.npy", kArray}, {"b.npy", deflated, 8, size, {}, zip_crc(kArray)}}));
  const auto arrays = read_npz(folder / "a.npz");
  EXPECT_EQ(arrays.at("a"), (NpyArray{{3}, std::vector<float>{1, 2, 3}}));
  EXPECT_EQ(arrays.at("b"), arrays.at("a"));
}

TEST(Npz, NamesTheMemberThatIsMissing) {
  const TemporaryFolder folder;
  write_bytes(folder / "a.npz", make_zip({{"a.npy", kArray}}));
  const NpzReader reader(folder / "a.npz");
  EXPECT_TRUE(reader.has_array("a"));
  EXPECT_FALSE(reader.has_array("b"));
  EXPECT_THAT(error_of([&] { reader.read_array("b"); }), HasSubstr("a member b.npy, got 'a.npy'"));
}

TEST(HostileNpz, RefusesTheSameNameTwice) {
  EXPECT_THAT(error_reading(make_zip({{"a.npy", kArray}, {"a.npy", kArray}})), HasSubstr("names of its members"));
}

TEST(HostileNpz, RefusesNamesOfPlaces) {
  for (const std::string name : {"../a.npy", "/a.npy", "x/a.npy", "x\\a.npy", "..", "folder/"}) {
    EXPECT_THAT(error_reading(make_zip({{name, kArray}})), HasSubstr("plain name")) << name;
  }
}

TEST(HostileNpz, RefusesEncryptedMembers) {
  EXPECT_THAT(error_reading(make_zip({{"a.npy", kArray, 0, {}, {}, {}, 1}})), HasSubstr("encrypted"));
}

TEST(HostileNpz, RefusesOtherCompressions) {
  EXPECT_THAT(error_reading(make_zip({{"a.npy", kArray, 12}})), HasSubstr("compression method 12"));
}

TEST(HostileNpz, RefusesAWrongChecksum) {
  EXPECT_THAT(error_reading(make_zip({{"a.npy", kArray, 0, {}, {}, 12345}})),
              AllOf(HasSubstr("a.npy"), HasSubstr("CRC")));
}

TEST(HostileNpz, RefusesFourGigabytesClaimedInAKilobyte) {
  error_reading(make_zip({{"a.npy", kArray, 0, 0xfffffff0u, 0xfffffff0u}}));
  EXPECT_THAT(error_reading(make_zip({{"a.npy", kArray, 0, 0xfffffff0u}})), HasSubstr("must be the"));
  EXPECT_THAT(error_reading(make_zip({{"a.npy", kArray, 8, 0xfffffff0u}})), HasSubstr("at most 1032 times"));
  EXPECT_THAT(error_reading(make_zip({{"a.npy", float_npy({1}, "(1073741823,)")}})), HasSubstr("got 4"));
}

TEST(HostileNpz, RefusesDeflatedMembersThatHoldMoreOrLessThanClaimed) {
  const std::string deflated = deflate_without_compression(kArray);
  const auto size = static_cast<std::uint32_t>(kArray.size());
  error_reading(make_zip({{"a.npy", deflated, 8, size - 4, {}, zip_crc(kArray)}}));
  error_reading(make_zip({{"a.npy", deflated, 8, size + 4, {}, zip_crc(kArray)}}));
  // a consistent array header does not help either
  const std::string longer = float_npy({1, 2, 3}, "(8,)");
  error_reading(make_zip({{"a.npy",
                           deflate_without_compression(longer),
                           8,
                           static_cast<std::uint32_t>(longer.size()) + 20,
                           {},
                           zip_crc(longer)}}));
}

TEST(HostileNpz, AllocatesWhatComesNotWhatIsClaimed) {
  // 250 kB that claim, with headers that agree, to be an array of 250 MB
  std::string data =
      deflate_without_compression(npy_bytes("{'descr': '|u1', 'fortran_order': False, 'shape': (250000000,)}", ""));
  const auto size = static_cast<std::uint32_t>(data.size() - 5 + 250000000);
  data[0] = '\0';  // not the last block
  for (int i = 0; i < 5; ++i) data += deflate_without_compression(std::string(50000, 'x'));
  EXPECT_THAT(error_reading(make_zip({{"a.npy", data, 8, size}})), HasSubstr("a.npy: it is damaged"));
}

TEST(HostileNpz, RefusesCompressedMembersThatTogetherClaimTooMuch) {
  const std::string data(3300000, 'x');
  const std::uint32_t claim = 3300000000u;
  EXPECT_THAT(error_reading(make_zip({{"a.npy", data, 8, claim}, {"b.npy", data, 8, claim}})),
              HasSubstr("at most 4294967296 bytes"));
}

TEST(HostileNpz, RefusesMembersThatShareTheirBytes) {
  // a whole member lies inside the bytes of another, and the directory lists both
  ZipMember inner{"b.npy", std::string(100000, 'x')};
  const std::string inner_bytes = make_zip({inner}).substr(0, 30 + inner.name.size() + inner.data.size());
  inner.at = 30 + 5;
  EXPECT_THAT(error_reading(make_zip({{"a.npy", inner_bytes}, inner})), HasSubstr("the size of its members together"));
}

TEST(HostileNpz, RefusesAnEndRecordThatClaimsBillionsOfMembers) {
  for (const std::uint64_t claim : {std::uint64_t{1} << 22, std::uint64_t{1} << 33, ~std::uint64_t{0}}) {
    EXPECT_THAT(error_reading(make_zip({{"a.npy", kArray}}, claim)), HasSubstr("its number of members")) << claim;
  }
}

TEST(HostileNpz, RefusesWhatIsNoZip) {
  EXPECT_THAT(error_reading("solution_0\n1\n"), HasSubstr("zip"));
  EXPECT_THAT(error_reading(std::string(100000, 'P')), HasSubstr("zip"));
  EXPECT_THAT(error_reading(""), HasSubstr("at least 1 byte"));
}

TEST(HostileNpz, KeepsUnprintableNamesOutOfMessages) {
  EXPECT_THAT(error_reading(make_zip({{"a\n\x1b[31m.npy", "not an array"}})), HasSubstr("a??[31m.npy"));
}

TEST(Npz, ReadsAZip64EndRecord) {
  const TemporaryFolder folder;
  write_bytes(folder / "a.npz", make_zip({{"a.npy", kArray}}, 1));
  EXPECT_EQ(read_npz(folder / "a.npz").size(), 1u);
}

}  // namespace
}  // namespace aria
