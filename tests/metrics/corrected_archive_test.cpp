#include "aria/metrics/corrected_archive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace aria {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

const Grid kGrid({{4}, {0}, {4}});

// Solution i has the genotype {i}; statistics are as given, the others numbered so that rows can be told apart.
struct Case {
  ArchiveTable table;
  Reevaluation reevaluation;

  Case(const std::vector<std::int32_t>& cells, const std::vector<float>& fitness) {
    const std::size_t n = cells.size();
    reevaluation.samples = 100;
    reevaluation.index = cells;
    reevaluation.objective_mean = fitness;
    reevaluation.measures_mean = Matrix(n, 1);
    reevaluation.measures_std = Matrix(n, 1);
    for (std::size_t i = 0; i < n; ++i) {
      const auto number = static_cast<float>(i);
      table.solution.append_row(std::vector{number});
      table.objective.push_back(1000 + number);  // as believed
      table.target_index.push_back(static_cast<std::int32_t>(10 + i));
      table.index.push_back(static_cast<std::int32_t>(i));
      reevaluation.objective_std.push_back(0.1f * number);
      reevaluation.measures_mean(i, 0) = static_cast<float>(cells[i]) + 0.5f;
      reevaluation.measures_std(i, 0) = 0.2f * number;
      reevaluation.descriptor_variance.push_back(0.04 * static_cast<double>(i * i));
      reevaluation.cell_probability.push_back(0.9f - 0.01f * number);
      reevaluation.cell_probability_lower.push_back(0.8f - 0.01f * number);
      reevaluation.cell_probability_upper.push_back(0.95f - 0.01f * number);
      reevaluation.non_finite.push_back(static_cast<std::int64_t>(i));
    }
    table.measures = Matrix(n, 1);
    table.task = "line";
    table.provenance = {{"seed", "1"}};
  }

  ArchiveTable corrected() const { return corrected_archive(table, kGrid, reevaluation); }
};

TEST(CorrectedArchive, PutsSolutionsInTheCellOfTheirMeanInTheOrderOfTheCells) {
  const ArchiveTable corrected = Case({3, 0, 2}, {-1, -2, -3}).corrected();
  EXPECT_THAT(corrected.index, ElementsAre(0, 2, 3));
  EXPECT_THAT(corrected.solution.values(), ElementsAre(1, 2, 0));
}

TEST(CorrectedArchive, KeepsTheBestMeanFitnessOfEachCellAndTheFirstOfEquals) {
  const ArchiveTable corrected = Case({1, 1, 1, 0, 0}, {-3, -1, -2, 5, 5}).corrected();
  EXPECT_THAT(corrected.index, ElementsAre(0, 1));
  EXPECT_THAT(corrected.solution.values(), ElementsAre(3, 1));
}

TEST(CorrectedArchive, LeavesOutSolutionsThatAlwaysFailed) {
  const ArchiveTable corrected = Case({-1, 2, -1}, {kNaN, -1, kNaN}).corrected();
  EXPECT_THAT(corrected.solution.values(), ElementsAre(1));
  EXPECT_THAT(corrected.index, ElementsAre(2));
}

TEST(CorrectedArchive, IsEmptyWhereEverythingFailed) {
  const ArchiveTable corrected = Case({-1, -1}, {kNaN, kNaN}).corrected();
  EXPECT_EQ(corrected.size(), 0u);
  EXPECT_EQ(corrected.grid, kGrid);
}

TEST(CorrectedArchive, ReplacesWhatWasBelievedByTheStatistics) {
  const Case source({3, 0}, {-1, -2});
  const ArchiveTable corrected = source.corrected();
  EXPECT_THAT(corrected.objective, ElementsAre(-2, -1));
  EXPECT_THAT(corrected.objective_mean, ElementsAre(-2, -1));
  EXPECT_THAT(corrected.objective_std, ElementsAre(0.1f, 0));
  EXPECT_THAT(corrected.measures.values(), ElementsAre(0.5f, 3.5f));
  EXPECT_EQ(corrected.measures_mean, corrected.measures);
  EXPECT_THAT(corrected.measures_std.values(), ElementsAre(0.2f, 0));
  EXPECT_THAT(corrected.cell_probability, ElementsAre(0.9f - 0.01f, 0.9f));
  EXPECT_THAT(corrected.cell_probability_lower, ElementsAre(0.8f - 0.01f, 0.8f));
  EXPECT_THAT(corrected.cell_probability_upper, ElementsAre(0.95f - 0.01f, 0.95f));
  EXPECT_THAT(corrected.n_evals, ElementsAre(99, 100));
}

TEST(CorrectedArchive, KeepsWhereSolutionsComeFrom) {
  const ArchiveTable corrected = Case({3, 0}, {-1, -2}).corrected();
  EXPECT_THAT(corrected.target_index, ElementsAre(11, 10));
  EXPECT_EQ(corrected.task, "line");
  EXPECT_EQ(corrected.provenance, (std::map<std::string, std::string>{{"seed", "1"}}));
  EXPECT_EQ(corrected.grid, kGrid);
}

TEST(CorrectedArchive, DoesWithoutColumnsThatAreNotKnown) {
  Case source({3, 0}, {-1, -2});
  source.table.target_index.clear();
  source.table.objective.clear();
  source.table.measures = {};
  source.table.index.clear();
  const ArchiveTable corrected = source.corrected();
  EXPECT_THAT(corrected.target_index, IsEmpty());
  EXPECT_THAT(corrected.objective, ElementsAre(-2, -1));
}

}  // namespace
}  // namespace aria
