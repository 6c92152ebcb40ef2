#include "aria/archive/archive_table.hpp"

#include "aria/core/require.hpp"

namespace aria {
namespace {

// A column that is not known stays empty.
template <class T>
std::vector<T> pick(const std::vector<T>& column, const std::vector<std::size_t>& rows) {
  std::vector<T> result;
  if (column.empty()) return result;
  result.reserve(rows.size());
  for (const std::size_t row : rows) result.push_back(column[row]);
  return result;
}

Matrix pick(const Matrix& column, const std::vector<std::size_t>& rows) {
  if (column.empty()) return {};
  std::vector<float> values;
  values.reserve(rows.size() * column.columns());
  for (const std::size_t row : rows) {
    const std::span<const float> source = column.row(row);
    values.insert(values.end(), source.begin(), source.end());
  }
  return Matrix(rows.size(), column.columns(), std::move(values));
}

}  // namespace

ArchiveTable ArchiveTable::select(const std::vector<std::size_t>& rows) const {
  for (const std::size_t row : rows) {
    if (row >= size()) throw InputError(fmt::format("a row to select must be below {}, got {}", size(), row));
  }
  ArchiveTable result;
  result.solution = pick(solution, rows);
  result.objective = pick(objective, rows);
  result.measures = pick(measures, rows);
  result.index = pick(index, rows);
  result.objective_mean = pick(objective_mean, rows);
  result.objective_std = pick(objective_std, rows);
  result.measures_mean = pick(measures_mean, rows);
  result.measures_std = pick(measures_std, rows);
  result.cell_probability = pick(cell_probability, rows);
  result.cell_probability_lower = pick(cell_probability_lower, rows);
  result.cell_probability_upper = pick(cell_probability_upper, rows);
  result.n_evals = pick(n_evals, rows);
  result.target_index = pick(target_index, rows);
  result.grid = grid;
  result.task = task;
  result.provenance = provenance;
  return result;
}

}  // namespace aria
