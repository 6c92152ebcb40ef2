#include "aria/persistence/state_file.hpp"

#include <bit>
#include <cmath>
#include <limits>

#include "aria/persistence/archive_file.hpp"
#include "aria/persistence/checksum.hpp"
#include "aria/persistence/npz.hpp"
#include "file_helpers.hpp"
#include "zip_maker.hpp"

namespace aria {
namespace {

using aria::testing::error_of;
using aria::testing::make_zip;
using aria::testing::npy_bytes;
using aria::testing::read_bytes;
using aria::testing::TemporaryFolder;
using aria::testing::write_bytes;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using Notes = std::map<std::string, std::string>;

State some_state() {
  State state;
  state.put("aria/steps", std::int64_t{-7});
  state.put("aria/adam.first", std::vector<float>{-0.0f, std::numeric_limits<float>::denorm_min(), 1e30f});
  state.put("aria/adam_first", std::vector<float>{});
  state.put("a/b/c-d", std::vector<double>{5e-324, -std::numeric_limits<double>::infinity()});
  state.put("key", std::vector<std::uint32_t>{0, 0xffffffffu});
  state.arrays()["matrix"] = StateArray{{2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6}};
  state.arrays()["scalar"] = StateArray{{}, std::vector<double>{0.1}};
  state.arrays()["nothing"] = StateArray{{0, 5}, std::vector<std::int64_t>{}};
  return state;
}

TEST(StateFile, GivesBackTheStateAndTheNotes) {
  const TemporaryFolder folder;
  const Notes notes = {{"algorithm", "aria-me"}, {"empty", ""}};
  write_state(folder / "c.npz", some_state(), notes);
  Notes read = {{"old", "gone"}};
  const State state = read_state(folder / "c.npz", &read);
  EXPECT_EQ(state, some_state());
  EXPECT_TRUE(std::signbit(state.get<float>("aria/adam.first")[0]));
  EXPECT_EQ(read, notes);
  EXPECT_EQ(read_state(folder / "c.npz"), some_state());
}

TEST(StateFile, GivesBackTheBitsOfValuesThatAreNoNumber) {
  const TemporaryFolder folder;
  State state;
  state.put("x", std::vector<float>{std::bit_cast<float>(0x7fc12345u)});
  write_state(folder / "c", state, {});
  EXPECT_EQ(std::bit_cast<std::uint32_t>(read_state(folder / "c").get<float>("x")[0]), 0x7fc12345u);
}

TEST(StateFile, GivesBackAnEmptyState) {
  const TemporaryFolder folder;
  write_state(folder / "c.npz", State(), {});
  EXPECT_EQ(read_state(folder / "c.npz"), State());
}

TEST(StateFile, WritesTheSameBytesTwiceAndOthersForAnotherState) {
  const TemporaryFolder folder;
  State state = some_state();
  write_state(folder / "a", state, {});
  write_state(folder / "b", state, {});
  state.put("aria/steps", std::int64_t{-8});
  write_state(folder / "c", state, {});
  EXPECT_EQ(read_bytes(folder / "a"), read_bytes(folder / "b"));
  EXPECT_NE(read_bytes(folder / "a"), read_bytes(folder / "c"));
}

TEST(StateFile, RefusesNamesThatCannotBeStored) {
  const TemporaryFolder folder;
  for (const std::string name : {"", "a b", "a%b", "/a", "a/", "a//b", "\xc3\xa9", "a\\b", "a\nb"}) {
    State state;
    state.put(name, std::int64_t{1});
    EXPECT_THAT(error_of([&] { write_state(folder / "c", state, {}); }),
                AllOf(StartsWith((folder / "c").string()), HasSubstr("name of an entry")))
        << name;
  }
}

TEST(StateFile, RefusesAShapeThatDoesNotFitTheValues) {
  const TemporaryFolder folder;
  State state;
  state.arrays()["x"] = StateArray{{2}, std::vector<float>{1}};
  EXPECT_THAT(error_of([&] { write_state(folder / "c", state, {}); }), HasSubstr("shape (2,) says, got 1"));
}

TEST(StateFile, RefusesNotesThatAreNotUtf8) {
  const TemporaryFolder folder;
  EXPECT_THAT(error_of([&] { write_state(folder / "c", State(), {{"x", "\xff"}}); }), HasSubstr("UTF-8"));
}

// Two checkpoints whose members were mixed: each member is whole, the state is not.
TEST(StateFile, RefusesArraysThatDoNotMatchTheChecksum) {
  const TemporaryFolder folder;
  State state;
  state.put("x", std::int64_t{1});
  write_state(folder / "c", state, {});
  const std::string header = NpzReader(folder / "c").read_text("header.json", 10000);
  const auto with = [&](const std::string& name, const std::string& descr, char value) {
    const std::string array = npy_bytes("{'descr': '" + descr + "', 'fortran_order': False, 'shape': (1,)}",
                                        std::string(1, value) + std::string(7, '\0'));
    write_bytes(folder / "d", make_zip({{"header.json", header}, {name, array}}));
    return folder / "d";
  };
  EXPECT_EQ(read_state(with("x.npy", "<i8", 1)), state);
  EXPECT_THAT(error_of([&] { read_state(with("x.npy", "<i8", 2)); }), HasSubstr("checksum"));
  EXPECT_THAT(error_of([&] { read_state(with("y.npy", "<i8", 1)); }), HasSubstr("checksum"));
  EXPECT_THAT(error_of([&] { read_state(with("x.npy", "<f8", 1)); }), HasSubstr("checksum"));
  EXPECT_THAT(error_of([&] { read_state(with("x.npy", "<u8", 1)); }), HasSubstr("f4, f8, i8 or u4, got u8"));
  EXPECT_THAT(error_of([&] { read_state(with("other", "<i8", 1)); }), HasSubstr("checksum"));
}

TEST(StateFile, RefusesFilesOfAnotherKind) {
  const TemporaryFolder folder;
  write_archive(folder / "a", aria::testing::full_table());
  EXPECT_THAT(error_of([&] { read_state(folder / "a"); }), HasSubstr("'aria-checkpoint', got 'aria-archive'"));
  EXPECT_THAT(error_of([&] { read_state(folder / "missing"); }), HasSubstr("No such file or directory"));
  write_bytes(folder / "b", "text");
  EXPECT_THAT(error_of([&] { read_state(folder / "b"); }), HasSubstr("zip"));
  write_bytes(folder / "c", make_zip({{"header.json", R"({"format": "aria-checkpoint", "version": 9})"}}));
  EXPECT_THAT(error_of([&] { read_state(folder / "c"); }), HasSubstr("version must be 1, got '9'"));
}

TEST(Checksum, ChangesWithEveryBitAndEveryBorder) {
  const std::string text = "some bytes, more than two words";
  Checksum plain;
  plain.add(text);
  for (std::size_t i = 0; i < text.size() * 8; ++i) {
    std::string other = text;
    other[i / 8] = static_cast<char>(other[i / 8] ^ (1 << (i % 8)));
    Checksum changed;
    changed.add(other);
    EXPECT_NE(changed.value(), plain.value()) << i;
  }
  Checksum split;
  split.add(text.substr(0, 8));
  split.add(text.substr(8));
  EXPECT_NE(split.value(), plain.value());
}

// Sign bits are the highest of their words: a plain product would let two of them cancel.
TEST(Checksum, SeesTwoSignsThatChange) {
  const std::vector<double> values = {1, 2, 3};
  const std::vector<double> changed = {-1, -2, 3};
  Checksum a;
  a.add(std::as_bytes(std::span(values)));
  Checksum b;
  b.add(std::as_bytes(std::span(changed)));
  EXPECT_NE(a.value(), b.value());
}

}  // namespace
}  // namespace aria
