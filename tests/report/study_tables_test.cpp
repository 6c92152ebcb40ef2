#include "aria/report/study_tables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "aria/metrics/study_comparison.hpp"
#include "aria/report/study_sections.hpp"

namespace aria {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr TerminalStyle kPlain = {TerminalStyle::Colour::kNone, true, 80};

// An archive of `cells` cells in a row of 100, all alike.
ComparedRun run_of(std::uint64_t seed, std::size_t cells, float fitness, const TaskInfo& info) {
  ComparedRun run;
  run.seed = seed;
  run.evaluations = 428'000'000;
  run.seconds = 4.25;
  ArchiveTable& table = run.corrected;
  table.grid = Grid(info.grid);
  table.solution = Matrix(cells, 1);
  table.objective_mean = table.objective = std::vector<float>(cells, fitness);
  table.measures_std = Matrix(cells, 1, std::vector<float>(cells, 0.01f * static_cast<float>(seed)));
  table.cell_probability.assign(cells, 0.5f);
  table.n_evals.assign(cells, 100);
  for (std::size_t cell = 0; cell < cells; ++cell) table.index.push_back(static_cast<std::int32_t>(cell));
  run.archive = table;
  return run;
}

StudyData study_of(std::size_t replications, const std::string& preset = "paper") {
  TaskInfo info;
  info.name = "arm";
  info.grid = {{100}, {0}, {1}};
  info.fitness_range = {-1, 0};
  std::vector<ComparedAlgorithm> algorithms = {{"map-elites", {}, true}, {"aria-me", {}, true}, {"own", {}, true}};
  for (std::uint64_t seed = 1; seed <= replications; ++seed) {
    const float step = 0.001f * static_cast<float>(seed);
    algorithms[0].runs.push_back(run_of(seed, 50 + seed, -0.2f - step, info));
    algorithms[1].runs.push_back(run_of(seed, 80 + seed, -0.1f - step, info));
    algorithms[1].runs.back().initial_cells = 50;
    algorithms[2].runs.push_back(run_of(seed, 20 + seed, -0.2004f - step, info));
  }
  StudyData data;
  data.task = "arm";
  data.preset = preset;
  data.seed = 1;
  data.replications = replications;
  data.reevaluations = 100;
  return compare(data, info, algorithms);
}

TEST(FigureText, HasTheUnitOfItsMetric) {
  EXPECT_EQ(figure_text("corrected.qd_score", 723.6111), "723.6");
  EXPECT_EQ(figure_text("corrected.coverage", 0.5566), "55.7 %");
  EXPECT_EQ(figure_text("coverage_gain", 0.5), "50.0 %");
  EXPECT_EQ(figure_text("corrected.max_fitness", -0.0041234), "-0.004123");
  EXPECT_EQ(figure_text("corrected.cells", 856), "856");
  EXPECT_EQ(figure_text("corrected.cells", 856.5), "856.5");
  EXPECT_EQ(figure_text("evaluations", 428e6), "428 M");
  EXPECT_EQ(figure_text("seconds", 4.25), "4.2 s");
}

TEST(StudyScreen, ShowsTheBestFirstWithQuartiles) {
  const std::string text = study_screen(study_of(10), kPlain);
  EXPECT_THAT(text, HasSubstr("arm: 3 algorithms × 10 replications (seeds 1 – 10), preset paper"));
  const std::size_t table = text.find("median (quartiles)");
  ASSERT_NE(table, std::string::npos);
  const std::size_t best = text.find("aria-me", table);
  EXPECT_LT(best, text.find("map-elites", table));
  EXPECT_LT(text.find("map-elites", table), text.find("own", table));
  EXPECT_THAT(text, HasSubstr(" 42.8 (41.6 – 43.9)\n")) << "P-Score of 85.5 cells at one half";
}

TEST(StudyScreen, PutsThePublishedBesideIt) {
  const std::string text = study_screen(study_of(10), kPlain);
  EXPECT_THAT(text, AllOf(HasSubstr("653.4 -610.6"), HasSubstr("318.6 -290.8"), Not(HasSubstr("preset lite"))));
  EXPECT_THAT(study_screen(study_of(10, "lite"), kPlain),
              HasSubstr("The published runs had the budget of preset paper; these are of preset lite."));
}

TEST(StudyScreen, ShowsCoverageCostAndGain) {
  EXPECT_THAT(study_screen(study_of(10), kPlain),
              AllOf(HasSubstr("71.0 %"), HasSubstr("428 M"), HasSubstr("4.2 s"), HasSubstr("at least 50 %")));
}

TEST(StudyScreen, NamesThePairsThatDoNotDiffer) {
  const std::string text = study_screen(study_of(10), kPlain);
  EXPECT_THAT(text, HasSubstr("Max fitness  2 of 3 pairs  map-elites & own\n"));
  EXPECT_THAT(text, HasSubstr("P-Score      3 of 3 pairs  –\n"));
  EXPECT_THAT(text, Not(HasSubstr("no difference can be significant")));
}

TEST(StudyScreen, SaysWhereReplicationsAreTooFew) {
  EXPECT_THAT(study_screen(study_of(3), kPlain),
              HasSubstr("With 3 replications and 3 pairs, no difference can be significant"));
  EXPECT_THAT(study_screen(study_of(1), kPlain), HasSubstr("With 1 replication and 3 pairs"));
}

TEST(StudyScreen, FitsTheTerminalAndItsLetters) {
  for (const std::size_t width : {80u, 120u}) {
    std::istringstream lines(study_screen(study_of(10), {TerminalStyle::Colour::kNone, false, width}));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), width) << line;
      EXPECT_TRUE(std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '~'; })) << line;
    }
  }
}

TEST(StudyMarkdown, HasEveryFigureAndTest) {
  const std::string text = study_markdown(study_of(10));
  EXPECT_THAT(text, ::testing::StartsWith("# arm: 3 algorithms × 10 replications"));
  EXPECT_THAT(text, HasSubstr("| algorithm | QD-Score | V-Score | P-Score |\n|---|---:|---:|---:|\n| aria-me |"));
  EXPECT_THAT(text, AllOf(HasSubstr("\n## ARIA-ME (`aria-me`)\n"), HasSubstr("\n## own\n")));
  EXPECT_THAT(text, HasSubstr("| P-Score | 42.8 | 41.6 | 43.9 | 653.37 |"));
  EXPECT_THAT(text, HasSubstr("| Coverage gained over the start | 71.0 % |"));
  EXPECT_THAT(text, HasSubstr("## Rank-sum tests: Max fitness"));
  EXPECT_THAT(text, HasSubstr("| map-elites & aria-me | 0 | 1.1e-05 | 3.2e-05 | exact |"));
  EXPECT_THAT(text, HasSubstr("## Archive profiles"));
}

TEST(StudyMarkdown, SaysWhereRunsAreMissing) {
  StudyData data = study_of(3);
  data.replications = 4;
  EXPECT_THAT(study_markdown(data), HasSubstr("## own: 3 of 4 runs"));
}

}  // namespace
}  // namespace aria
