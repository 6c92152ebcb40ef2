#include "aria/metrics/study_data.hpp"

#include <algorithm>
#include <cassert>

namespace aria {

const std::vector<StudyMetric>& study_metrics() {
  static const std::vector<StudyMetric> metrics = {
      {"corrected.qd_score", "QD-Score", true, true},
      {"corrected.v_score", "V-Score", true, true},
      {"corrected.p_score", "P-Score", true, true},
      {"corrected.coverage", "Coverage", true, true},
      {"corrected.max_fitness", "Max fitness", true, true},
      {"corrected.cells", "Cells", true, false},
      {"illusory.qd_score", "QD-Score, believed", true, false},
      {"illusory.coverage", "Coverage, believed", true, false},
      {"illusory.max_fitness", "Max fitness, believed", true, false},
      {"illusory.cells", "Cells, believed", true, false},
      {"fixed.corrected.qd_score", "QD-Score, fixed range", true, false},
      {"fixed.corrected.v_score", "V-Score, fixed range", true, false},
      {"fixed.illusory.qd_score", "QD-Score, believed, fixed range", true, false},
      {"coverage_gain", "Coverage gained over the start", true, false},
      {"evaluations", "Evaluations", false, false},
      {"seconds", "Seconds", false, false},
  };
  return metrics;
}

std::size_t metric_index(std::string_view key) {
  const auto& metrics = study_metrics();
  const auto found = std::ranges::find(metrics, key, &StudyMetric::key);
  assert(found != metrics.end());
  return static_cast<std::size_t>(found - metrics.begin());
}

std::optional<double> published_figure(const StudyAlgorithm& algorithm, std::string_view key) {
  if (!algorithm.published) return std::nullopt;
  if (key == "corrected.qd_score") return algorithm.published->qd_score;
  if (key == "corrected.v_score") return algorithm.published->v_score;
  if (key == "corrected.p_score") return algorithm.published->p_score;
  return std::nullopt;
}

}  // namespace aria
