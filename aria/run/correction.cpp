#include "aria/run/correction.hpp"

#include <chrono>

#include "aria/core/require.hpp"
#include "aria/persistence/npz.hpp"

namespace aria {

Correction correct(const ArchiveTable& table, Evaluator& evaluator, const ReevaluationConfig& config,
                   std::uint64_t seed, const std::function<bool(std::size_t)>& progress) {
  const TaskInfo& info = evaluator.info();
  require(table.solution.columns() == info.parameters, "a genotype of the archive",
          fmt::format("{} parameters long for task '{}'", info.parameters, info.name), table.solution.columns());
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

void write_reevaluation(const std::filesystem::path& path, const Reevaluation& reevaluation) {
  const std::size_t n = reevaluation.size();
  NpzWriter writer;
  writer.add("objective_mean", reevaluation.objective_mean);
  writer.add("objective_std", reevaluation.objective_std);
  writer.add("measures_mean", reevaluation.measures_mean);
  writer.add("measures_std", reevaluation.measures_std);
  writer.add("cell_probability", reevaluation.cell_probability);
  writer.add("cell_probability_lower", reevaluation.cell_probability_lower);
  writer.add("cell_probability_upper", reevaluation.cell_probability_upper);
  writer.add("index", reevaluation.index);
  writer.add("non_finite", reevaluation.non_finite);
  if (!reevaluation.objective_samples.empty()) {
    writer.add("objective_samples", {n, reevaluation.samples}, reevaluation.objective_samples);
    writer.add("measures_samples", {n, reevaluation.samples, reevaluation.measures_samples.columns()},
               reevaluation.measures_samples.values());
  }
  writer.save(path);
}

}  // namespace aria
