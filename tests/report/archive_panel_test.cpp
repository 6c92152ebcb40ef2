#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "aria/core/require.hpp"
#include "aria/report/heat_map.hpp"

namespace aria {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::optional<double> kEmpty = std::nullopt;

Grid grid_of(const std::vector<std::size_t>& sides) {
  return Grid({sides, std::vector<double>(sides.size(), 0.0), std::vector<double>(sides.size(), 1.0)});
}

// One solution per pair of a cell and an objective.
ArchiveTable table_of(const std::vector<std::size_t>& sides,
                      const std::vector<std::pair<std::int32_t, float>>& solutions) {
  ArchiveTable table;
  table.grid = grid_of(sides);
  table.solution = Matrix(solutions.size(), 1);
  for (const auto& [cell, objective] : solutions) {
    table.index.push_back(cell);
    table.objective.push_back(objective);
  }
  return table;
}

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ArchivePanel, HasTheFirstMeasureToTheRightAndTheSecondUpwards) {
  // cell 2 * x + y
  const HeatMapPanel panel = archive_panel("t", table_of({3, 2}, {{0, 1.f}, {1, 2.f}, {4, 3.f}}), "objective");
  EXPECT_EQ(panel.title, "t");
  EXPECT_EQ(panel.rows, 2u);
  EXPECT_EQ(panel.columns, 3u);
  EXPECT_THAT(panel.cell_values, ElementsAre(2.0, kEmpty, kEmpty,  //
                                             1.0, kEmpty, 3.0));
  EXPECT_THAT(panel.captions, IsEmpty());
}

TEST(ArchivePanel, ShowsTheBestOfACell) {
  const ArchiveTable table = table_of({1, 2}, {{0, -2.f}, {0, -1.f}, {0, -3.f}});
  EXPECT_THAT(archive_panel("", table, "objective").cell_values, ElementsAre(kEmpty, -1.0));
}

TEST(ArchivePanel, ShowsTheColumnNamed) {
  ArchiveTable table = table_of({1, 2}, {{0, -2.f}, {1, -1.f}});
  table.cell_probability = {0.25f, 0.5f};
  table.objective_mean = {-4.f, -3.f};
  EXPECT_THAT(archive_panel("", table, "cell_probability").cell_values, ElementsAre(0.5, 0.25));
  EXPECT_THAT(archive_panel("", table, "objective_mean").cell_values, ElementsAre(-3.0, -4.0));
}

TEST(ArchivePanel, FindsCellsByMeasuresWhereThereIsNoIndex) {
  ArchiveTable table = table_of({2, 2}, {{0, 1.f}, {0, 2.f}, {0, 3.f}});
  table.index.clear();
  table.measures = Matrix(3, 2, {0.1f, 0.9f, 0.9f, 0.1f, std::numeric_limits<float>::quiet_NaN(), 0.f});
  EXPECT_THAT(archive_panel("", table, "objective").cell_values, ElementsAre(1.0, kEmpty, kEmpty, 2.0));
}

TEST(ArchivePanel, IsOneStripForOneMeasure) {
  const HeatMapPanel panel = archive_panel("", table_of({3}, {{0, 1.f}, {2, 3.f}}), "objective");
  EXPECT_EQ(panel.rows, 1u);
  EXPECT_EQ(panel.cell_height, 4u);
  EXPECT_THAT(panel.cell_values, ElementsAre(1.0, kEmpty, 3.0));
}

TEST(ArchivePanel, ProjectsOnTwoMeasuresAndSaysSo) {
  // cell 4 * x + 2 * y + z
  const ArchiveTable three = table_of({2, 2, 2}, {{0, 1.f}, {1, 5.f}, {6, 2.f}});
  const HeatMapPanel panel = archive_panel("", three, "objective");
  EXPECT_THAT(panel.cell_values, ElementsAre(kEmpty, 2.0, 5.0, kEmpty));
  EXPECT_THAT(panel.captions, ElementsAre("best over 1 more measure"));
  EXPECT_THAT(archive_panel("", table_of({2, 2, 2, 2}, {}), "objective").captions,
              ElementsAre("best over 2 more measures"));
}

TEST(ArchivePanel, AveragesBlocksOfALargeGrid) {
  // 65 columns become 33 blocks of two, the last of one; cell 2 * x + y
  const ArchiveTable table = table_of({65, 2}, {{0, 1.f}, {2, 2.f}, {4, 7.f}, {128, 9.f}});
  const HeatMapPanel panel = archive_panel("", table, "objective");
  EXPECT_EQ(panel.columns, 33u);
  EXPECT_EQ(panel.rows, 2u);
  EXPECT_EQ(panel.averaged_columns, 2u);
  EXPECT_EQ(panel.averaged_rows, 1u);
  EXPECT_EQ(panel.cell_values[33], 1.5);
  EXPECT_EQ(panel.cell_values[34], 7.0);
  EXPECT_EQ(panel.cell_values[35], kEmpty);
  EXPECT_EQ(panel.cell_values[65], 9.0);
}

TEST(ArchivePanel, KeepsEveryCellOfAGridThatFits) {
  const HeatMapPanel panel = archive_panel("", table_of({64, 64}, {}), "objective");
  EXPECT_EQ(panel.columns, 64u);
  EXPECT_EQ(panel.averaged_columns, 1u);
  EXPECT_EQ(panel.cell_width, 1u);
  EXPECT_THAT(panel.cell_values, Each(kEmpty));
}

TEST(ArchivePanel, EnlargesSmallGrids) {
  const HeatMapPanel panel = archive_panel("", table_of({5, 4}, {}), "objective");
  EXPECT_EQ(panel.cell_width, 6u);
  EXPECT_EQ(panel.cell_height, 6u);
}

TEST(ArchivePanel, SkipsWhatIsNotFinite) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_THAT(archive_panel("", table_of({1, 2}, {{0, infinity}, {1, 1.f}}), "objective").cell_values,
              ElementsAre(1.0, kEmpty));
}

TEST(ArchivePanel, RejectsWhatItCannotDraw) {
  ArchiveTable table = table_of({2, 2}, {{0, 1.f}, {4, 2.f}});
  EXPECT_EQ(error_of([&] { archive_panel("", table, "objective"); }),
            "the index of a solution must be a cell of the grid (0 .. 3), got 4");
  EXPECT_EQ(error_of([&] { archive_panel("", table, "cell_probability"); }),
            "the archive's column cell_probability must be known for each of its 2 solutions, got 0 values");
  EXPECT_THAT(error_of([&] { archive_panel("", table, "objectiv"); }), HasSubstr("did you mean 'objective'?"));
  table.index = {0};
  EXPECT_THAT(error_of([&] { archive_panel("", table, "objective"); }), HasSubstr("got 1 values"));
  table.index.clear();
  EXPECT_EQ(error_of([&] { archive_panel("", table, "objective"); }),
            "the archive's column measures must be 2 x 2 where the index is not known, got 0 x 0");
  table.grid.reset();
  EXPECT_EQ(error_of([&] { archive_panel("", table, "objective"); }),
            "the archive must be made on a grid to be drawn, got none");
}

}  // namespace
}  // namespace aria
