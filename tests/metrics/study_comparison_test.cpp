#include "aria/metrics/study_comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace aria {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Optional;

TaskInfo small_task() {
  TaskInfo info;
  info.name = "arm";
  info.grid = {{4}, {0}, {1}};
  info.fitness_range = {-1, 0};
  return info;
}

// A corrected archive over four cells in a row: mean fitness and spread per cell, from the first cell on.
ArchiveTable corrected(const std::vector<float>& fitness, const std::vector<float>& spread, float probability = 0.5f) {
  ArchiveTable table;
  const std::size_t n = fitness.size();
  table.grid = Grid(small_task().grid);
  table.solution = Matrix(n, 1);
  table.objective = table.objective_mean = fitness;
  table.measures_std = Matrix(n, 1, spread);
  table.cell_probability.assign(n, probability);
  table.n_evals.assign(n, 100);
  for (std::size_t cell = 0; cell < n; ++cell) table.index.push_back(static_cast<std::int32_t>(cell));
  return table;
}

ComparedRun run_of(std::uint64_t seed, const ArchiveTable& table) {
  return {seed, "folder", 1000 * seed, 2, table, table, std::nullopt};
}

StudyData asked(const std::string& task) {
  StudyData data;
  data.task = task;
  return data;
}

double figure(const StudyRun& run, const char* key) { return run.metrics[metric_index(key)].value(); }

// Two algorithms whose archives span fitness -0.5 .. -0.1 and variances 0.01 .. 0.09.
std::vector<ComparedAlgorithm> two_algorithms() {
  ComparedAlgorithm good = {"aria-me", {}, true};
  good.runs = {run_of(1, corrected({-0.1f, -0.1f, -0.3f}, {0.1f, 0.1f, 0.1f})),
               run_of(2, corrected({-0.1f, -0.3f}, {0.1f, 0.2f}))};
  good.runs[0].initial_cells = 2;
  good.runs[1].initial_cells = 1;
  ComparedAlgorithm poor = {"new-one", {}, true};
  poor.runs = {run_of(1, corrected({-0.5f}, {0.3f}))};
  return {good, poor};
}

TEST(SpanningRanges, ReachOverAllSolutionsOfAllArchives) {
  const ScoreRanges ranges = spanning_ranges(two_algorithms());
  EXPECT_FLOAT_EQ(static_cast<float>(ranges.fitness.lower), -0.5f);
  EXPECT_FLOAT_EQ(static_cast<float>(ranges.fitness.upper), -0.1f);
  EXPECT_NEAR(ranges.negative_variance.lower, -0.09, 1e-8);
  EXPECT_NEAR(ranges.negative_variance.upper, -0.01, 1e-8);
}

TEST(SpanningRanges, HaveAWidthWhereAllIsAlike) {
  const ScoreRanges ranges = spanning_ranges({{"a", {run_of(1, corrected({-0.5f, -0.5f}, {0, 0}))}, true}});
  EXPECT_THAT(ranges.fitness.lower, DoubleEq(-1.5));
  EXPECT_THAT(ranges.fitness.upper, DoubleEq(-0.5));
  EXPECT_THAT(ranges.negative_variance.lower, DoubleEq(-1));
  EXPECT_THAT(ranges.negative_variance.upper, DoubleEq(0));
}

TEST(Compare, NormalisesByWhatTheArchivesSpan) {
  const StudyData data = compare(asked("arm"), small_task(), two_algorithms());
  ASSERT_EQ(data.algorithms.size(), 2u);
  const StudyRun& first = data.algorithms[0].runs[0];
  EXPECT_NEAR(figure(first, "corrected.qd_score"), 1 + 1 + 0.5, 1e-6);
  EXPECT_NEAR(figure(first, "corrected.v_score"), 3, 1e-6);
  EXPECT_NEAR(figure(first, "corrected.p_score"), 1.5, 1e-6);
  EXPECT_EQ(figure(first, "corrected.coverage"), 0.75);
  EXPECT_NEAR(figure(first, "corrected.max_fitness"), -0.1, 1e-7);
  EXPECT_EQ(figure(first, "corrected.cells"), 3);
  EXPECT_EQ(figure(first, "illusory.cells"), 3);
  EXPECT_NEAR(figure(first, "fixed.corrected.qd_score"), 0.9 + 0.9 + 0.7, 1e-6);
  EXPECT_EQ(figure(first, "evaluations"), 1000);
  EXPECT_NEAR(figure(data.algorithms[1].runs[0], "corrected.qd_score"), 0, 1e-6);
  EXPECT_NEAR(figure(data.algorithms[0].runs[1], "corrected.v_score"), 1 + 5.0 / 8, 1e-6);
}

TEST(Compare, GivesMediansAndQuartiles) {
  const StudyData data = compare(asked("arm"), small_task(), two_algorithms());
  const StudyAlgorithm& algorithm = data.algorithms[0];
  const auto cells = algorithm.figure("corrected.cells");
  ASSERT_TRUE(cells);
  EXPECT_EQ(*cells, (Quartiles{2.5, 2.25, 2.75}));
  EXPECT_EQ(algorithm.median_run, 1u) << "the lower of the two";
  EXPECT_EQ(algorithm.label, "ARIA-ME");
  EXPECT_EQ(data.algorithms[1].label, "new-one");
}

TEST(Compare, CountsTheGainOverAnArchiveButNotOverOneSolution) {
  const StudyData data = compare(asked("arm"), small_task(), two_algorithms());
  const std::size_t gain = metric_index("coverage_gain");
  EXPECT_THAT(data.algorithms[0].runs[0].metrics[gain], Optional(0.5));
  EXPECT_EQ(data.algorithms[0].runs[1].metrics[gain], std::nullopt);
  EXPECT_EQ(data.algorithms[1].figure("coverage_gain"), std::nullopt);
  EXPECT_EQ(data.algorithms[0].figure("coverage_gain")->median, 0.5);
}

TEST(Compare, HoldsAgainstWhatWasPublished) {
  const StudyData data = compare(asked("arm"), small_task(), two_algorithms());
  EXPECT_THAT(published_figure(data.algorithms[0], "corrected.qd_score"), Optional(722.41));
  EXPECT_THAT(published_figure(data.algorithms[0], "corrected.p_score"), Optional(653.37));
  EXPECT_EQ(published_figure(data.algorithms[0], "corrected.coverage"), std::nullopt);
  EXPECT_FALSE(data.algorithms[1].published);
  auto varied = two_algorithms();
  varied[0].published = false;
  EXPECT_FALSE(compare(asked("arm"), small_task(), varied).algorithms[0].published);
  EXPECT_FALSE(compare(asked("other"), small_task(), two_algorithms()).algorithms[0].published);
}

TEST(Compare, DrawsProfilesOverTheWholeRange) {
  const StudyData data = compare(asked("arm"), small_task(), two_algorithms());
  const StudyProfile& profile = data.algorithms[0].profile;
  ASSERT_EQ(profile.median.size(), data.thresholds.size());
  EXPECT_EQ(data.thresholds.front(), data.ranges.fitness.lower);
  EXPECT_EQ(profile.median.front(), 0.625);
  EXPECT_EQ(profile.lower.front(), 0.5625);
  EXPECT_EQ(profile.upper.front(), 0.6875);
  EXPECT_EQ(data.algorithms[1].profile.median.front(), 0.25);
  EXPECT_EQ(data.algorithms[1].profile.median[1], 0);
}

TEST(Compare, TestsEveryPairInEveryMetricAndCorrectsWithinTheMetric) {
  // three algorithms of five runs each, the first two of which hardly differ
  std::vector<ComparedAlgorithm> algorithms = {{"a", {}, false}, {"b", {}, false}, {"c", {}, false}};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const float step = 0.01f * static_cast<float>(seed);
    algorithms[0].runs.push_back(run_of(seed, corrected({-0.2f - step}, {0.1f + step})));
    algorithms[1].runs.push_back(run_of(seed, corrected({-0.205f - step}, {0.105f + step})));
    algorithms[2].runs.push_back(run_of(seed, corrected({-0.5f - step}, {0.4f + step})));
  }
  const StudyData data = compare(asked("arm"), small_task(), algorithms);
  std::set<std::string> metrics;
  for (const StudyTest& test : data.tests) metrics.insert(test.metric);
  EXPECT_EQ(metrics, (std::set<std::string>{"corrected.qd_score", "corrected.v_score", "corrected.p_score",
                                            "corrected.coverage", "corrected.max_fitness"}));
  ASSERT_EQ(data.tests.size(), 15u);
  const double least = 2.0 / 252;  // of two samples of five
  EXPECT_EQ(data.tests[0].a + data.tests[0].b, "ab");
  EXPECT_EQ(data.tests[0].result.statistic, 15);
  EXPECT_THAT(data.tests[0].p_holm, DoubleEq(data.tests[0].result.p)) << "the largest of the three stays as it is";
  for (const std::size_t t : {1u, 2u}) {
    EXPECT_THAT(data.tests[t].result.p, DoubleNear(least, 1e-15));
    EXPECT_THAT(data.tests[t].p_holm, DoubleNear(3 * least, 1e-15));
    EXPECT_EQ(data.tests[t].result.method, RankSum::Method::kExact);
  }
  for (const StudyTest& test : data.tests) {
    if (test.metric != "corrected.coverage") continue;
    EXPECT_EQ(test.p_holm, 1) << "all are equal";
  }
}

TEST(Compare, LeavesOutAnAlgorithmWithoutRuns) {
  auto algorithms = two_algorithms();
  algorithms[1].runs.clear();
  const StudyData data = compare(asked("arm"), small_task(), algorithms);
  ASSERT_EQ(data.algorithms.size(), 1u);
  EXPECT_TRUE(data.tests.empty());
}

TEST(Compare, BearsAnArchiveInWhichNothingIsLeft) {
  ArchiveTable nothing;
  nothing.grid = Grid(small_task().grid);
  const StudyData data = compare(asked("arm"), small_task(), {{"a", {run_of(1, nothing)}, true}});
  EXPECT_EQ(figure(data.algorithms[0].runs[0], "corrected.qd_score"), 0);
  EXPECT_EQ(data.algorithms[0].figure("corrected.max_fitness"), std::nullopt);
}

TEST(PublishedScores, AreThoseOfThePaper) {
  EXPECT_EQ(published_scores("ant", "me-sa")->v_score, 251.20);
  EXPECT_EQ(published_scores("walker", "aria-es")->qd_score, 248.14);
  EXPECT_FALSE(published_scores("arm", "aria-pga"));
  EXPECT_FALSE(published_scores("arm", "es"));
  EXPECT_EQ(published_name("aria-linear"), "Linear RIM");
  EXPECT_EQ(published_name("pga-me"), "PGA-MAP-Elites");
  EXPECT_EQ(published_name("es"), "es");
}

}  // namespace
}  // namespace aria
