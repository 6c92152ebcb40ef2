#include "aria/report/block_average.hpp"

#include <algorithm>
#include <cmath>

namespace aria {

namespace {

std::size_t divided_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

// The mean of the filled cells of a block, which may reach beyond the last row and column.
std::optional<double> block_mean(const HeatMapPanel& panel, std::size_t first_row, std::size_t block_rows,
                                 std::size_t first_column, std::size_t block_columns) {
  double sum = 0;
  std::size_t filled = 0;
  for (std::size_t r = first_row; r < std::min(first_row + block_rows, panel.rows); ++r) {
    for (std::size_t c = first_column; c < std::min(first_column + block_columns, panel.columns); ++c) {
      const std::optional<double>& value = panel.cell_values[r * panel.columns + c];
      if (!value || !std::isfinite(*value)) continue;
      sum += *value;
      ++filled;
    }
  }
  return filled > 0 ? std::optional{sum / static_cast<double>(filled)} : std::nullopt;
}

}  // namespace

HeatMapPanel block_average(const HeatMapPanel& panel, std::size_t max_rows, std::size_t max_columns) {
  if (panel.rows <= max_rows && panel.columns <= max_columns) return panel;
  const std::size_t block_rows = divided_up(panel.rows, max_rows);
  const std::size_t block_columns = divided_up(panel.columns, max_columns);

  HeatMapPanel smaller = panel;
  smaller.rows = divided_up(panel.rows, block_rows);
  smaller.columns = divided_up(panel.columns, block_columns);
  smaller.cell_values.clear();
  for (std::size_t r = 0; r < smaller.rows; ++r) {
    for (std::size_t c = 0; c < smaller.columns; ++c) {
      smaller.cell_values.push_back(block_mean(panel, r * block_rows, block_rows, c * block_columns, block_columns));
    }
  }
  smaller.averaged_columns *= block_columns;
  smaller.averaged_rows *= block_rows;
  return smaller;
}

}  // namespace aria
