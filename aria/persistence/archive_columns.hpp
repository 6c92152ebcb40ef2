// The columns of an archive under their names in files, and the rules that hold between them.
#pragma once

#include "aria/archive/archive_table.hpp"

namespace aria {

// Calls `visit(name, column)` for every column that re-evaluation gives.
template <class Table, class Visit>
void each_statistic(Table& table, Visit&& visit) {
  visit("objective_mean", table.objective_mean);
  visit("objective_std", table.objective_std);
  visit("measures_mean", table.measures_mean);
  visit("measures_std", table.measures_std);
  visit("cell_probability", table.cell_probability);
  visit("cell_probability_lower", table.cell_probability_lower);
  visit("cell_probability_upper", table.cell_probability_upper);
}

// Calls `visit(name, column)` for every column, the genotypes first: they fix the number of rows.
template <class Table, class Visit>
void each_column(Table& table, Visit&& visit) {
  visit("solution", table.solution);
  visit("objective", table.objective);
  visit("measures", table.measures);
  visit("index", table.index);
  each_statistic(table, visit);
  visit("n_evals", table.n_evals);
  visit("target_index", table.target_index);
}

// Throws InputError naming the column, and the row (counted from 0) where there is one, that breaks a rule: one row per
// solution and at least one; descriptors of one size, the grid's; cells of the grid; values finite, but a standard
// deviation may be NaN (one evaluation has none); probabilities in [0, 1]; standard deviations and counts not negative.
void check_table(const ArchiveTable& table);

}  // namespace aria
