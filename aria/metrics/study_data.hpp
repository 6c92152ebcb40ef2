// What a study came to: the figures of every run, their medians and quartiles, and the tests between algorithms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aria/metrics/published.hpp"
#include "aria/metrics/quantiles.hpp"
#include "aria/metrics/rank_sum.hpp"
#include "aria/metrics/scores.hpp"

namespace aria {

struct StudyMetric {
  std::string key;    // such as "corrected.qd_score"
  std::string label;  // for people
  bool higher_is_better = true;
  bool tested = false;  // pairs of algorithms are tested for a difference in it
};

// Every metric, in the order in which runs and summaries hold them.
const std::vector<StudyMetric>& study_metrics();
std::size_t metric_index(std::string_view key);  // of a key that there is

struct StudyRun {
  std::uint64_t seed = 0;
  std::string folder;  // within the study's, such as "aria-me/seed-3"
  std::size_t evaluations = 0;
  double seconds = 0;
  std::vector<std::optional<double>> metrics;  // (metrics) nothing where a run has none of it
};

// Share of all cells that reach each threshold.
struct StudyProfile {
  std::vector<double> median, lower, upper;  // (thresholds)
};

struct StudyAlgorithm {
  std::string name;   // such as "aria-me"
  std::string label;  // such as "ARIA-ME"
  std::vector<StudyRun> runs;
  std::vector<std::optional<Quartiles>> summary;  // (metrics) over the runs that have it
  std::optional<PublishedScores> published;
  StudyProfile profile;
  std::size_t median_run = 0;  // the run of median QD-Score, the lower of the two in the middle

  const std::optional<Quartiles>& figure(std::string_view key) const { return summary[metric_index(key)]; }
};

// The published value of a metric, where there is one.
std::optional<double> published_figure(const StudyAlgorithm& algorithm, std::string_view key);

struct StudyTest {
  std::string metric;  // key
  std::string a, b;    // algorithms
  RankSum result;      // its statistic is that of a
  double p_holm = 1;   // corrected for the tests of all pairs in this metric
};

struct StudyData {
  std::string task;
  std::string preset;
  std::uint64_t seed = 0;          // of the first replication
  std::size_t replications = 0;    // that were asked for; fewer runs where some failed
  std::size_t reevaluations = 0;   // of every solution
  ScoreRanges ranges;              // what QD- and V-Scores are normalised by: over all corrected archives
  ScoreRanges fixed_ranges;        // the task's own, of the metrics whose key begins with "fixed."
  std::vector<double> thresholds;  // of the profiles
  std::vector<StudyAlgorithm> algorithms;
  std::vector<StudyTest> tests;
  std::size_t budgets = 1;  // at which every algorithm is there, once for each
};

}  // namespace aria
