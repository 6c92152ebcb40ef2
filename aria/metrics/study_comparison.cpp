#include "aria/metrics/study_comparison.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

#include "aria/metrics/holm.hpp"

namespace aria {

namespace {

constexpr std::size_t kThresholds = 101;
constexpr std::string_view kQdScore = "corrected.qd_score";

// Starts empty; `widened` takes in a value.
constexpr Range kNothing = {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};

void widen(Range& range, double value) {
  range.lower = std::min(range.lower, value);
  range.upper = std::max(range.upper, value);
}

Range with_width(Range range) {
  if (range.lower > range.upper) return {0, 1};
  if (range.lower == range.upper) range.lower -= 1;
  return range;
}

using Values = std::map<std::string_view, std::optional<double>>;

void add_scores(Values& values, const ComparedRun& run, const Grid& grid, const StudyData& data) {
  const ArchiveScores corrected = corrected_scores(run.corrected, data.ranges);
  values[kQdScore] = corrected.qd_score;
  values["corrected.v_score"] = corrected.v_score;
  values["corrected.p_score"] = corrected.p_score;
  values["corrected.coverage"] = corrected.coverage;
  values["corrected.max_fitness"] = corrected.max_fitness;
  values["corrected.cells"] = static_cast<double>(corrected.cells);
  const ArchiveScores fixed = corrected_scores(run.corrected, data.fixed_ranges);
  values["fixed.corrected.qd_score"] = fixed.qd_score;
  values["fixed.corrected.v_score"] = fixed.v_score;
  if (const auto illusory = illusory_scores(run.archive, grid, data.ranges)) {
    values["illusory.qd_score"] = illusory->qd_score;
    values["illusory.coverage"] = illusory->coverage;
    values["illusory.max_fitness"] = illusory->max_fitness;
    values["illusory.cells"] = static_cast<double>(illusory->cells);
  }
  if (const auto illusory = illusory_scores(run.archive, grid, data.fixed_ranges)) {
    values["fixed.illusory.qd_score"] = illusory->qd_score;
  }
  // one solution, which an evolution strategy starts ARIA from, is no archive to gain on
  if (run.initial_cells.value_or(0) > 1) {
    values["coverage_gain"] = static_cast<double>(corrected.cells) / static_cast<double>(*run.initial_cells) - 1;
  }
}

StudyRun figures(const ComparedRun& run, const Grid& grid, const StudyData& data) {
  Values values;
  add_scores(values, run, grid, data);
  values["evaluations"] = static_cast<double>(run.evaluations);
  values["seconds"] = run.seconds;
  StudyRun result{run.seed, run.folder, run.evaluations, run.seconds, {}};
  for (const StudyMetric& metric : study_metrics()) result.metrics.push_back(values[metric.key]);
  return result;
}

// One metric of all runs that have it.
std::vector<double> column(const std::vector<StudyRun>& runs, std::size_t metric) {
  std::vector<double> values;
  for (const StudyRun& run : runs) {
    if (run.metrics[metric]) values.push_back(*run.metrics[metric]);
  }
  return values;
}

StudyProfile profile_of(const std::vector<ComparedRun>& runs, const std::vector<double>& thresholds) {
  std::vector<std::vector<double>> profiles;
  profiles.reserve(runs.size());
  for (const ComparedRun& run : runs) profiles.push_back(archive_profile(run.corrected, thresholds));
  StudyProfile result;
  for (std::size_t t = 0; t < thresholds.size(); ++t) {
    std::vector<double> shares;
    shares.reserve(profiles.size());
    for (const auto& profile : profiles) shares.push_back(profile[t]);
    const Quartiles band = quartiles(shares);
    result.median.push_back(band.median);
    result.lower.push_back(band.lower);
    result.upper.push_back(band.upper);
  }
  return result;
}

std::size_t median_run(const std::vector<StudyRun>& runs) {
  const std::size_t metric = metric_index(kQdScore);
  std::vector<std::size_t> order(runs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return *runs[i].metrics[metric]; });
  return order[(order.size() - 1) / 2];
}

StudyAlgorithm summarise(const ComparedAlgorithm& algorithm, const Grid& grid, const StudyData& data) {
  StudyAlgorithm result;
  result.name = algorithm.name;
  result.label = published_name(algorithm.name);
  if (algorithm.published) result.published = published_scores(data.task, algorithm.name);
  for (const ComparedRun& run : algorithm.runs) result.runs.push_back(figures(run, grid, data));
  for (std::size_t metric = 0; metric < study_metrics().size(); ++metric) {
    const std::vector<double> values = column(result.runs, metric);
    result.summary.push_back(values.empty() ? std::nullopt : std::optional(quartiles(values)));
  }
  result.profile = profile_of(algorithm.runs, data.thresholds);
  result.median_run = median_run(result.runs);
  return result;
}

// All pairs in one metric; the correction is for these.
std::vector<StudyTest> test_pairs(const std::vector<StudyAlgorithm>& algorithms, std::size_t metric) {
  std::vector<StudyTest> tests;
  std::vector<double> p;
  for (std::size_t i = 0; i < algorithms.size(); ++i) {
    for (std::size_t j = i + 1; j < algorithms.size(); ++j) {
      const std::vector<double> a = column(algorithms[i].runs, metric);
      const std::vector<double> b = column(algorithms[j].runs, metric);
      if (a.empty() || b.empty()) continue;
      tests.push_back({study_metrics()[metric].key, algorithms[i].name, algorithms[j].name, rank_sum_test(a, b), 1});
      p.push_back(tests.back().result.p);
    }
  }
  const std::vector<double> corrected = holm_correction(p);
  for (std::size_t t = 0; t < tests.size(); ++t) tests[t].p_holm = corrected[t];
  return tests;
}

}  // namespace

ScoreRanges spanning_ranges(const std::vector<ComparedAlgorithm>& algorithms) {
  ScoreRanges ranges = {kNothing, kNothing};
  for (const ComparedAlgorithm& algorithm : algorithms) {
    for (const ComparedRun& run : algorithm.runs) {
      for (std::size_t row = 0; row < run.corrected.size(); ++row) {
        widen(ranges.fitness, run.corrected.objective_mean[row]);
        widen(ranges.negative_variance, negative_variance(run.corrected, row));
      }
    }
  }
  return {with_width(ranges.fitness), with_width(ranges.negative_variance)};
}

StudyData compare(StudyData data, const TaskInfo& info, const std::vector<ComparedAlgorithm>& algorithms) {
  const Grid grid(info.grid);
  data.ranges = spanning_ranges(algorithms);
  data.fixed_ranges = fixed_ranges(info);
  data.thresholds = profile_thresholds(data.ranges.fitness, kThresholds);
  for (const ComparedAlgorithm& algorithm : algorithms) {
    if (!algorithm.runs.empty()) data.algorithms.push_back(summarise(algorithm, grid, data));
  }
  for (std::size_t metric = 0; metric < study_metrics().size(); ++metric) {
    if (!study_metrics()[metric].tested) continue;
    const std::vector<StudyTest> tests = test_pairs(data.algorithms, metric);
    data.tests.insert(data.tests.end(), tests.begin(), tests.end());
  }
  return data;
}

}  // namespace aria
