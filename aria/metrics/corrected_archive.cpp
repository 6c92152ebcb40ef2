#include "aria/metrics/corrected_archive.hpp"

#include <cstddef>
#include <vector>

namespace aria {

std::vector<std::size_t> corrected_rows(const Grid& grid, const Reevaluation& reevaluation) {
  std::vector<std::ptrdiff_t> best(grid.cells(), -1);
  for (std::size_t row = 0; row < reevaluation.size(); ++row) {
    if (reevaluation.index[row] < 0) continue;
    std::ptrdiff_t& incumbent = best[static_cast<std::size_t>(reevaluation.index[row])];
    if (incumbent < 0 ||
        reevaluation.objective_mean[row] > reevaluation.objective_mean[static_cast<std::size_t>(incumbent)]) {
      incumbent = static_cast<std::ptrdiff_t>(row);
    }
  }
  std::vector<std::size_t> rows;
  for (const std::ptrdiff_t row : best) {
    if (row >= 0) rows.push_back(static_cast<std::size_t>(row));
  }
  return rows;
}

ArchiveTable corrected_archive(const ArchiveTable& table, const Grid& grid, const Reevaluation& reevaluation) {
  // Statistics become columns of the table, and what was believed gives way to them
  ArchiveTable all;
  all.solution = table.solution;
  all.target_index = table.target_index;
  all.grid = grid;
  all.task = table.task;
  all.provenance = table.provenance;
  all.objective = all.objective_mean = reevaluation.objective_mean;
  all.objective_std = reevaluation.objective_std;
  all.measures = all.measures_mean = reevaluation.measures_mean;
  all.measures_std = reevaluation.measures_std;
  all.index = reevaluation.index;
  all.cell_probability = reevaluation.cell_probability;
  all.cell_probability_lower = reevaluation.cell_probability_lower;
  all.cell_probability_upper = reevaluation.cell_probability_upper;
  for (const std::int64_t failed : reevaluation.non_finite) {
    all.n_evals.push_back(static_cast<std::int64_t>(reevaluation.samples) - failed);
  }
  return all.select(corrected_rows(grid, reevaluation));
}

}  // namespace aria
