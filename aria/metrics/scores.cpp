#include "aria/metrics/scores.hpp"

#include <algorithm>
#include <cmath>

#include "aria/core/finite.hpp"
#include "aria/core/require.hpp"

namespace aria {

namespace {

double normalised(double value, const Range& range) { return (value - range.lower) / (range.upper - range.lower); }

// Sums over a list of fitness values, one per cell.
ArchiveScores fitness_scores(const std::vector<float>& fitness, std::size_t cells_in_all, const Range& range) {
  ArchiveScores scores;
  scores.cells = fitness.size();
  scores.coverage = static_cast<double>(fitness.size()) / static_cast<double>(cells_in_all);
  for (const float f : fitness) {
    scores.qd_score += normalised(f, range);
    scores.max_fitness = std::max(scores.max_fitness.value_or(f), static_cast<double>(f));
  }
  return scores;
}

}  // namespace

ScoreRanges fixed_ranges(const TaskInfo& info) {
  // a bounded quantity varies most when it sits at both ends half of the time (Popoviciu)
  double largest = 0;
  for (std::size_t k = 0; k < info.grid.cells.size(); ++k) {
    const double width = info.grid.upper[k] - info.grid.lower[k];
    largest += width * width / 4;
  }
  return {info.fitness_range, {-largest, 0}};
}

std::optional<std::vector<std::int32_t>> believed_cells(const ArchiveTable& table, const Grid& grid) {
  // an index is only worth something in the grid that it was made for
  if (!table.index.empty() && table.grid == grid) {
    for (std::size_t row = 0; row < table.size(); ++row) {
      const std::int32_t cell = table.index[row];
      if (cell < 0 || static_cast<std::size_t>(cell) >= grid.cells()) {
        throw InputError(fmt::format("index: row {} must be a cell in [0, {}), got {}", row, grid.cells(), cell));
      }
    }
    return table.index;
  }
  if (table.measures.empty() || table.measures.columns() != grid.dimensions()) return std::nullopt;
  std::vector<std::int32_t> cells(table.size(), -1);
  for (std::size_t row = 0; row < table.size(); ++row) {
    if (!all_finite(table.measures.row(row))) continue;
    cells[row] = static_cast<std::int32_t>(grid.cell_of(table.measures.row(row)));
  }
  return cells;
}

std::optional<ArchiveScores> illusory_scores(const ArchiveTable& table, const Grid& grid, const ScoreRanges& ranges) {
  const auto cells = believed_cells(table, grid);
  if (table.objective.empty() || !cells) return std::nullopt;
  std::vector<std::optional<float>> best(grid.cells());
  for (std::size_t row = 0; row < table.size(); ++row) {
    // what has no value or no place is in no cell
    if ((*cells)[row] < 0 || !is_finite(table.objective[row])) continue;
    std::optional<float>& incumbent = best[static_cast<std::size_t>((*cells)[row])];
    if (!incumbent || table.objective[row] > *incumbent) incumbent = table.objective[row];
  }
  std::vector<float> fitness;
  for (const auto& f : best) {
    if (f) fitness.push_back(*f);
  }
  return fitness_scores(fitness, grid.cells(), ranges.fitness);
}

ArchiveScores corrected_scores(const ArchiveTable& corrected, const ScoreRanges& ranges) {
  ArchiveScores scores = fitness_scores(corrected.objective_mean, corrected.grid->cells(), ranges.fitness);
  double p_score = 0;
  double p_variance = 0;
  double v_score = 0;
  for (std::size_t row = 0; row < corrected.size(); ++row) {
    const double p = corrected.cell_probability[row];
    p_score += p;
    p_variance += p * (1 - p) / static_cast<double>(corrected.n_evals[row]);
    v_score += normalised(negative_variance(corrected, row), ranges.negative_variance);
  }
  scores.p_score = p_score;
  // one evaluation says nothing of how much others would differ
  const auto once = [](std::int64_t n) { return n < 2; };
  if (corrected.size() > 0 && std::ranges::all_of(corrected.n_evals, once)) return scores;
  scores.p_margin = 1.959963984540054 * std::sqrt(p_variance);
  scores.v_score = v_score;
  return scores;
}

double negative_variance(const ArchiveTable& corrected, std::size_t row) {
  double variance = 0;
  for (const float deviation : corrected.measures_std.row(row)) variance += static_cast<double>(deviation) * deviation;
  return -variance;
}

std::vector<double> archive_profile(const ArchiveTable& corrected, const std::vector<double>& thresholds) {
  std::vector<double> profile;
  for (const double threshold : thresholds) {
    const auto reached = std::ranges::count_if(corrected.objective_mean, [&](float f) { return f >= threshold; });
    profile.push_back(static_cast<double>(reached) / static_cast<double>(corrected.grid->cells()));
  }
  return profile;
}

std::vector<double> profile_thresholds(Range range, std::size_t count) {
  std::vector<double> thresholds;
  for (std::size_t i = 0; i < count; ++i) {
    const double share = count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0;
    thresholds.push_back(range.lower + share * (range.upper - range.lower));
  }
  return thresholds;
}

}  // namespace aria
