#include "aria/archive/archive_table.hpp"

#include "file_helpers.hpp"

namespace aria {
namespace {

using aria::testing::error_of;
using aria::testing::full_table;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ArchiveTable, SelectsRowsInTheOrderNamed) {
  const ArchiveTable all = full_table();
  const ArchiveTable some = all.select({2, 0, 2});
  EXPECT_EQ(some.size(), 3u);
  EXPECT_THAT(some.index, ElementsAre(5, 0, 5));
  EXPECT_THAT(some.target_index, ElementsAre(4, 1, 4));
  EXPECT_THAT(some.n_evals, ElementsAre(1024, 1, 1024));
  EXPECT_EQ(some.measures_std, Matrix(3, 2, {0.05f, 0.06f, 0.01f, 0.02f, 0.05f, 0.06f}));
  EXPECT_EQ(some.grid, all.grid);
  EXPECT_EQ(some.task, all.task);
  EXPECT_EQ(some.provenance, all.provenance);
}

TEST(ArchiveTable, SelectsEveryColumn) {
  const ArchiveTable all = full_table();
  EXPECT_EQ(all.select({0, 1, 2}), all);
  EXPECT_EQ(all.select({2, 1, 0}).select({2, 1, 0}), all);
}

TEST(ArchiveTable, LeavesUnknownColumnsUnknown) {
  ArchiveTable table;
  table.solution = Matrix(2, 2, {1, 2, 3, 4});
  ArchiveTable expected;
  expected.solution = Matrix(1, 2, {3, 4});
  EXPECT_EQ(table.select({1}), expected);
}

TEST(ArchiveTable, SelectsNothing) { EXPECT_EQ(full_table().select({}).size(), 0u); }

TEST(ArchiveTable, RefusesARowThatIsNotThere) {
  EXPECT_THAT(error_of([] { full_table().select({0, 3}); }), HasSubstr("below 3, got 3"));
}

}  // namespace
}  // namespace aria
