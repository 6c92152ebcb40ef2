// Files that were damaged on the way: whatever happened to them, they are read right or refused.
#include "aria/persistence/archive_file.hpp"
#include "aria/persistence/reevaluation_file.hpp"
#include "aria/persistence/state_file.hpp"
#include "file_helpers.hpp"
#include "zip_maker.hpp"

namespace aria {
namespace {

using aria::testing::float_npy;
using aria::testing::full_reevaluation;
using aria::testing::memory_growth;
using aria::testing::read_bytes;
using aria::testing::TemporaryFolder;
using aria::testing::write_bytes;

constexpr std::size_t kLittleMemory = std::size_t{48} << 20;

ArchiveTable small_table() {
  ArchiveTable table;
  table.solution = Matrix(2, 1, {1, 2});
  table.objective = {3, 4};
  table.index = {0, 1};
  table.grid = Grid(GridShape{{2}, {0}, {1}});
  table.task = "arm";
  return table;
}

State small_state() {
  State state;
  state.put("a/b", std::vector<float>{1, 2});
  state.put("n", std::int64_t{5});
  return state;
}

// Counts the damaged files that `read` refuses; any other exception than an InputError fails the test.
template <class Read>
std::size_t refused(const std::filesystem::path& path, const std::vector<std::string>& damaged, Read&& read) {
  std::size_t count = 0;
  EXPECT_LT(memory_growth([&] {
              for (const std::string& bytes : damaged) {
                write_bytes(path, bytes);
                try {
                  read();
                } catch (const InputError&) {
                  ++count;
                }
              }
            }),
            kLittleMemory);
  return count;
}

std::vector<std::string> truncations(const std::string& whole) {
  std::vector<std::string> result;
  for (std::size_t length = 0; length < whole.size(); ++length) result.push_back(whole.substr(0, length));
  return result;
}

std::vector<std::string> flips(const std::string& whole, int mask) {
  std::vector<std::string> result(whole.size(), whole);
  for (std::size_t i = 0; i < whole.size(); ++i) result[i][i] = static_cast<char>(whole[i] ^ mask);
  return result;
}

TEST(DamagedFile, AnArchiveCutShortAnywhereIsRefused) {
  const TemporaryFolder folder;
  write_archive(folder / "a", small_table());
  const auto damaged = truncations(read_bytes(folder / "a"));
  EXPECT_EQ(refused(folder / "b", damaged, [&] { read_archive(folder / "b"); }), damaged.size());
}

TEST(DamagedFile, AnArchiveWithAnyByteChangedIsReadRightOrRefused) {
  const TemporaryFolder folder;
  write_archive(folder / "a", small_table());
  const std::string whole = read_bytes(folder / "a");
  for (const int mask : {0x01, 0x20, 0xff}) {
    const std::size_t count =
        refused(folder / "b", flips(whole, mask), [&] { EXPECT_EQ(read_archive(folder / "b"), small_table()); });
    EXPECT_GT(count, whole.size() * 3 / 4);
  }
}

TEST(DamagedFile, AReevaluationCutShortAnywhereIsRefused) {
  const TemporaryFolder folder;
  const Matrix solutions(3, 1, {1, 2, 3});
  write_reevaluation(folder / "a", full_reevaluation(), solutions);
  const auto damaged = truncations(read_bytes(folder / "a"));
  EXPECT_EQ(refused(folder / "b", damaged, [&] { read_reevaluation(folder / "b", solutions); }), damaged.size());
}

TEST(DamagedFile, AReevaluationWithAnyByteChangedIsReadRightOrRefused) {
  const TemporaryFolder folder;
  const Matrix solutions(3, 1, {1, 2, 3});
  write_reevaluation(folder / "a", full_reevaluation(), solutions);
  const std::string whole = read_bytes(folder / "a");
  const std::size_t count = refused(folder / "b", flips(whole, 0xff), [&] {
    EXPECT_EQ(read_reevaluation(folder / "b", solutions).index, full_reevaluation().index);
  });
  EXPECT_GT(count, whole.size() * 3 / 4);
}

TEST(DamagedFile, ACheckpointCutShortAnywhereIsRefused) {
  const TemporaryFolder folder;
  write_state(folder / "a", small_state(), {});
  const auto damaged = truncations(read_bytes(folder / "a"));
  EXPECT_EQ(refused(folder / "b", damaged, [&] { read_state(folder / "b"); }), damaged.size());
}

TEST(DamagedFile, ACheckpointWithAnyByteChangedIsReadRightOrRefused) {
  const TemporaryFolder folder;
  write_state(folder / "a", small_state(), {});
  const std::string whole = read_bytes(folder / "a");
  for (const int mask : {0x01, 0x20, 0xff}) {
    const std::size_t count =
        refused(folder / "b", flips(whole, mask), [&] { EXPECT_EQ(read_state(folder / "b"), small_state()); });
    EXPECT_GT(count, whole.size() * 3 / 4);
  }
}

// A bare matrix has no checksum: its numbers may change, but not its shape unnoticed.
TEST(DamagedFile, AMatrixWithAnyByteChangedIsReadOrRefused) {
  const TemporaryFolder folder;
  const std::string whole = float_npy({1, 2, 3, 4, 5, 6}, "(3, 2)");
  EXPECT_EQ(refused(folder / "b", truncations(whole), [&] { read_archive(folder / "b"); }), whole.size());
  for (const int mask : {0x01, 0x20, 0xff}) {
    refused(folder / "b", flips(whole, mask),
            [&] { EXPECT_EQ(read_archive(folder / "b").solution.values().size(), 6u); });
  }
}

TEST(DamagedFile, ATextWithAnyByteChangedIsReadOrRefused) {
  const TemporaryFolder folder;
  const std::string whole = ",solution_0,\"solution_1\",objective,index\r\n0,1.5,2,3,0\r\n1,4,5,6,1\r\n";
  refused(folder / "b", truncations(whole), [&] { read_archive(folder / "b"); });
  for (const int mask : {0x01, 0x20, 0xff}) {
    refused(folder / "b", flips(whole, mask), [&] { read_archive(folder / "b"); });
  }
}

}  // namespace
}  // namespace aria
