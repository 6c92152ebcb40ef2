#include "aria/metrics/scores.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "aria/task/arm.hpp"
#include "tests/support/messages.hpp"

namespace aria {
namespace {

using aria::testing::message_of;
using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;

const Grid kGrid({{2, 4}, {0, 0}, {1, 1}});  // eight cells

ArchiveTable corrected_table() {
  ArchiveTable table;
  table.grid = kGrid;
  table.solution = Matrix(3, 1);
  table.objective = table.objective_mean = {-0.5f, -0.25f, 0.0f};
  table.measures_std = Matrix(3, 2, {0.1f, 0.1f, 0.2f, 0.0f, 0.5f, 0.5f});
  table.cell_probability = {1.0f, 0.5f, 0.25f};
  table.n_evals = {100, 100, 400};
  table.index = {1, 4, 7};
  return table;
}

TEST(CorrectedScores, AddUpOverTheCells) {
  const ScoreRanges ranges{{-1, 0}, {-0.5, 0}};
  const ArchiveScores scores = corrected_scores(corrected_table(), ranges);
  EXPECT_EQ(scores.cells, 3u);
  EXPECT_EQ(scores.coverage, 3.0 / 8);
  EXPECT_THAT(scores.qd_score, DoubleNear(0.5 + 0.75 + 1, 1e-12));
  EXPECT_THAT(scores.max_fitness, Optional(0.0));
  EXPECT_THAT(scores.p_score, Optional(DoubleNear(1.75, 1e-12)));
  // variances 0.02, 0.04, 0.5 of 0.5
  EXPECT_THAT(scores.v_score, Optional(DoubleNear(0.96 + 0.92 + 0, 1e-6)));
  EXPECT_THAT(scores.p_margin,
              Optional(DoubleNear(1.959963984540054 * std::sqrt(0.25 / 100 + 0.25 * 0.75 / 400), 1e-9)));
}

TEST(CorrectedScores, AreNotClippedToTheirRanges) {
  const ScoreRanges ranges{{-0.4, -0.2}, {-0.1, -0.05}};
  const ArchiveScores scores = corrected_scores(corrected_table(), ranges);
  EXPECT_THAT(scores.qd_score, DoubleNear(-0.5 + 0.75 + 2, 1e-6));
  EXPECT_THAT(scores.v_score, Optional(DoubleNear(1.6 + 1.2 - 8, 1e-5)));
}

TEST(CorrectedScores, OfAnEmptyArchiveAreZero) {
  const ArchiveScores scores = corrected_scores(corrected_table().select({}), {{-1, 0}, {-1, 0}});
  EXPECT_EQ(scores.cells, 0u);
  EXPECT_EQ(scores.coverage, 0);
  EXPECT_EQ(scores.qd_score, 0);
  EXPECT_EQ(scores.max_fitness, std::nullopt);
  EXPECT_THAT(scores.p_score, Optional(0.0));
  EXPECT_THAT(scores.v_score, Optional(0.0));
}

TEST(CorrectedScores, OfOneEvaluationSayNothingOfHowMuchOthersWouldDiffer) {
  ArchiveTable table = corrected_table();
  table.n_evals.assign(table.size(), 1);
  const ArchiveScores scores = corrected_scores(table, {{-1, 0}, {-1, 0}});
  EXPECT_TRUE(scores.p_score.has_value());
  EXPECT_EQ(scores.p_margin, std::nullopt);
  EXPECT_EQ(scores.v_score, std::nullopt);
}

TEST(CorrectedScores, FindTheLargestFitnessAlsoBelowZero) {
  ArchiveTable table = corrected_table();
  table.objective_mean = {-5, -3, -4};
  EXPECT_THAT(corrected_scores(table, {{-10, 0}, {-1, 0}}).max_fitness, Optional(-3.0));
}

// --- What was believed ---------------------------------------------------------------------------------------------

ArchiveTable believed_table() {
  ArchiveTable table;
  table.grid = kGrid;
  table.solution = Matrix(4, 1);
  table.objective = {-0.5f, -0.25f, -0.75f, -0.125f};
  table.index = {0, 3, 3, 7};
  // by these, rows 0 and 1 share the first cell
  table.measures = Matrix(4, 2, {0.1f, 0.1f, 0.2f, 0.2f, 0.9f, 0.9f, 0.6f, 0.1f});
  return table;
}

TEST(IllusoryScores, TakeTheBestOfEachCellByIndex) {
  const auto scores = illusory_scores(believed_table(), kGrid, {{-1, 0}, {-1, 0}});
  ASSERT_TRUE(scores.has_value());
  EXPECT_EQ(scores->cells, 3u);
  EXPECT_EQ(scores->coverage, 3.0 / 8);
  EXPECT_THAT(scores->qd_score, DoubleEq(0.5 + 0.75 + 0.875));
  EXPECT_THAT(scores->max_fitness, Optional(-0.125));
  EXPECT_EQ(scores->p_score, std::nullopt);
  EXPECT_EQ(scores->p_margin, std::nullopt);
  EXPECT_EQ(scores->v_score, std::nullopt);
}

TEST(IllusoryScores, GoByTheMeasuresWhereThereIsNoIndex) {
  ArchiveTable table = believed_table();
  table.index.clear();
  const auto scores = illusory_scores(table, kGrid, {{-1, 0}, {-1, 0}});
  ASSERT_TRUE(scores.has_value());
  EXPECT_EQ(scores->cells, 3u);
  EXPECT_THAT(scores->qd_score, DoubleEq(0.75 + 0.25 + 0.875));
}

TEST(IllusoryScores, GoByTheMeasuresWhereTheIndexIsOfAnotherGrid) {
  const Grid other({{1, 1}, {0, 0}, {1, 1}});
  const auto scores = illusory_scores(believed_table(), other, {{-1, 0}, {-1, 0}});
  ASSERT_TRUE(scores.has_value());
  EXPECT_EQ(scores->cells, 1u);
  EXPECT_EQ(scores->coverage, 1);
  EXPECT_THAT(scores->qd_score, DoubleEq(0.875));
}

TEST(IllusoryScores, AreUnknownWhereNothingWasBelieved) {
  const ScoreRanges ranges{{-1, 0}, {-1, 0}};
  ArchiveTable no_objective = believed_table();
  no_objective.objective.clear();
  EXPECT_EQ(illusory_scores(no_objective, kGrid, ranges), std::nullopt);
  ArchiveTable no_place = believed_table();
  no_place.index.clear();
  no_place.measures = {};
  EXPECT_EQ(illusory_scores(no_place, kGrid, ranges), std::nullopt);
}

TEST(IllusoryScores, AreUnknownWhereTheMeasuresAreOfAnotherSpace) {
  const ScoreRanges ranges{{-1, 0}, {-1, 0}};
  const Grid line({{8}, {0}, {1}});
  EXPECT_EQ(illusory_scores(believed_table(), line, ranges), std::nullopt);
  ArchiveTable no_index = believed_table();
  no_index.index.clear();
  EXPECT_EQ(illusory_scores(no_index, line, ranges), std::nullopt);
}

TEST(IllusoryScores, PassOverWhatHasNoValueOrNoPlace) {
  const ScoreRanges ranges{{-1, 0}, {-1, 0}};
  const float nan = std::nanf("");
  ArchiveTable no_value = believed_table();
  no_value.objective[3] = nan;
  auto scores = illusory_scores(no_value, kGrid, ranges);
  ASSERT_TRUE(scores.has_value());
  EXPECT_EQ(scores->cells, 2u);
  EXPECT_THAT(scores->qd_score, DoubleEq(0.5 + 0.75));
  EXPECT_THAT(scores->max_fitness, Optional(-0.25));

  ArchiveTable no_place = believed_table();
  no_place.index.clear();
  no_place.measures(1, 0) = nan;
  scores = illusory_scores(no_place, kGrid, ranges);
  ASSERT_TRUE(scores.has_value());
  EXPECT_THAT(scores->qd_score, DoubleEq(0.5 + 0.25 + 0.875));
}

TEST(IllusoryScores, RefuseAnIndexOutsideTheGrid) {
  for (const std::int32_t odd : {-1, 8}) {
    ArchiveTable table = believed_table();
    table.index[2] = odd;
    EXPECT_THAT(message_of([&] {
                  illusory_scores(table, kGrid, {{-1, 0}, {-1, 0}});
                }),
                HasSubstr("index: row 2 must be a cell in [0, 8), got " + std::to_string(odd)));
  }
}

// --- Ranges and profiles -------------------------------------------------------------------------------------------

TEST(FixedRanges, AreTheTasksOwn) {
  const ScoreRanges ranges = fixed_ranges(Arm().info());
  EXPECT_EQ(ranges.fitness.lower, -1);
  EXPECT_EQ(ranges.fitness.upper, 0);
  EXPECT_EQ(ranges.negative_variance.lower, -0.5);  // a quarter of each squared width
  EXPECT_EQ(ranges.negative_variance.upper, 0);
}

TEST(FixedRanges, GrowWithTheGridsRanges) {
  TaskInfo info;
  info.grid = {{4, 4, 4}, {-15, 0, 1}, {15, 2, 2}};
  EXPECT_EQ(fixed_ranges(info).negative_variance.lower, -(900.0 + 4 + 1) / 4);
}

TEST(ArchiveProfile, IsTheShareOfAllCellsThatReachAThreshold) {
  EXPECT_THAT(archive_profile(corrected_table(), {-1, -0.5, -0.3, -0.25, -0.1, 0, 0.1}),
              ElementsAre(3.0 / 8, 3.0 / 8, 2.0 / 8, 2.0 / 8, 1.0 / 8, 1.0 / 8, 0));
  EXPECT_THAT(archive_profile(corrected_table(), {}), IsEmpty());
}

TEST(ProfileThresholds, CoverARangeEvenlyWithBothEnds) {
  EXPECT_THAT(profile_thresholds({-1, 1}, 5), ElementsAre(-1, -0.5, 0, 0.5, 1));
  EXPECT_THAT(profile_thresholds({-1, 1}, 1), ElementsAre(-1));
  EXPECT_THAT(profile_thresholds({-1, 1}, 0), IsEmpty());
}

}  // namespace
}  // namespace aria
