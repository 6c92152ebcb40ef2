#include "aria/run/correction.hpp"

#include <chrono>

#include "aria/core/require.hpp"

namespace aria {

Correction correct(const ArchiveTable& table, Evaluator& evaluator, const ReevaluationConfig& config,
                   std::uint64_t seed, const std::function<bool(std::size_t)>& progress) {
  const TaskInfo& info = evaluator.info();
  require_genotype_length(info, table.solution.columns(), "a genotype of the archive");
  const auto start = std::chrono::steady_clock::now();
  const Grid grid(info.grid);
  const ScoreRanges ranges = fixed_ranges(info);
  // the search draws from child 0
  const Key key = Key(seed).child(1);
  Correction result;
  result.reevaluation = reevaluate(evaluator, grid, table.solution, config, key, progress);
  result.corrected = corrected_archive(table, grid, result.reevaluation);
  result.corrected.task = info.name;
  result.scores = {illusory_scores(table, grid, ranges), corrected_scores(result.corrected, ranges)};
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

RunSummary summary_of(const Correction& correction, const ArchiveTable& table, const TaskInfo& info,
                      std::uint64_t seed) {
  RunSummary summary;
  summary.task = info.name;
  if (const auto made_by = table.provenance.find("algorithm"); made_by != table.provenance.end()) {
    summary.algorithm = made_by->second;
  }
  summary.seed = seed;
  summary.cells_in_all = Grid(info.grid).cells();
  summary.result = correction.scores;
  summary.ranges = fixed_ranges(info);
  summary.reevaluations = correction.reevaluation.size() * correction.reevaluation.samples;
  summary.failed_reevaluations = correction.reevaluation.failures();
  summary.reevaluation_seconds = correction.seconds;
  return summary;
}

}  // namespace aria
