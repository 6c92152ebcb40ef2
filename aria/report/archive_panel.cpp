#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "aria/core/nearest_name.hpp"
#include "aria/core/require.hpp"
#include "aria/report/block_average.hpp"
#include "aria/report/heat_map.hpp"

namespace aria {

namespace {

constexpr std::size_t kMaxSide = 64;     // cells of a side that are still drawn one by one
constexpr std::size_t kGoodSide = 32;    // a map smaller than half of this is drawn larger
constexpr std::size_t kStripHeight = 4;  // half characters of a map with a single row

const std::vector<float>& column_named(const ArchiveTable& table, const std::string& name) {
  const std::pair<std::string, const std::vector<float>*> columns[] = {{"objective", &table.objective},
                                                                       {"objective_mean", &table.objective_mean},
                                                                       {"cell_probability", &table.cell_probability}};
  std::vector<std::string> names;
  for (const auto& [known, values] : columns) {
    if (known == name) {
      require(values->size() == table.size(), fmt::format("the archive's column {}", name),
              fmt::format("known for each of its {} solutions", table.size()),
              fmt::format("{} values", values->size()));
      return *values;
    }
    names.push_back(known);
  }
  throw_unknown("column", name, names);
}

// Cells as the archive says; where it does not, those of the measures. Nothing for a descriptor that is not finite.
std::optional<std::size_t> cell_of_row(const ArchiveTable& table, std::size_t row) {
  if (!table.index.empty()) {
    const std::int32_t index = table.index[row];
    require(index >= 0 && static_cast<std::size_t>(index) < table.grid->cells(), "the index of a solution",
            fmt::format("a cell of the grid (0 .. {})", table.grid->cells() - 1), index);
    return static_cast<std::size_t>(index);
  }
  const std::span<const float> measures = table.measures.row(row);
  if (!std::ranges::all_of(measures, [](float m) { return std::isfinite(m); })) return std::nullopt;
  return table.grid->cell_of(measures);
}

void check(const ArchiveTable& table) {
  require(table.grid.has_value(), "the archive", "made on a grid to be drawn", "none");
  if (!table.index.empty()) {
    require(table.index.size() == table.size(), "the archive's column index",
            fmt::format("known for each of its {} solutions", table.size()),
            fmt::format("{} values", table.index.size()));
    return;
  }
  require(table.measures.rows() == table.size() &&
              (table.size() == 0 || table.measures.columns() == table.grid->dimensions()),
          "the archive's column measures",
          fmt::format("{} x {} where the index is not known", table.size(), table.grid->dimensions()),
          fmt::format("{} x {}", table.measures.rows(), table.measures.columns()));
}

}  // namespace

HeatMapPanel archive_panel(std::string title, const ArchiveTable& table, const std::string& column) {
  check(table);
  const std::vector<float>& values = column_named(table, column);
  const std::vector<std::size_t>& sides = table.grid->shape().cells;

  HeatMapPanel panel;
  panel.title = std::move(title);
  panel.columns = sides[0];
  panel.rows = sides.size() > 1 ? sides[1] : 1;
  panel.cell_values.resize(panel.rows * panel.columns);
  for (std::size_t row = 0; row < table.size(); ++row) {
    const std::optional<std::size_t> cell = cell_of_row(table, row);
    if (!cell || !std::isfinite(values[row])) continue;
    const std::vector<std::size_t> at = table.grid->coordinates(*cell);
    const std::size_t from_top = sides.size() > 1 ? panel.rows - 1 - at[1] : 0;
    std::optional<double>& best = panel.cell_values[from_top * panel.columns + at[0]];
    best = std::max(best.value_or(values[row]), static_cast<double>(values[row]));
  }
  if (sides.size() > 2) {
    panel.captions.push_back(fmt::format("best over {} more measure{}", sides.size() - 2, sides.size() > 3 ? "s" : ""));
  }

  panel = block_average(panel, kMaxSide, kMaxSide);
  const std::size_t enlargement = std::max<std::size_t>(1, kGoodSide / std::max(panel.rows, panel.columns));
  panel.cell_width = enlargement;
  panel.cell_height = sides.size() > 1 ? enlargement : kStripHeight;
  return panel;
}

}  // namespace aria
