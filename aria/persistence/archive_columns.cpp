#include "aria/persistence/archive_columns.hpp"

#include <cmath>
#include <limits>
#include <span>
#include <string_view>

#include "aria/core/require.hpp"

namespace aria {
namespace {

// Messages are made for the first offender only: columns have millions of values.
template <class T, class Rule>
void check_values(std::string_view name, std::span<const T> values, std::size_t columns, std::string_view rule,
                  Rule&& holds) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!holds(values[i])) {
      throw InputError(fmt::format("{}: row {} must be {}, got {}", name, i / columns, rule, values[i]));
    }
  }
}

void check_floats(std::string_view name, std::span<const float> values, std::size_t columns) {
  if (name.starts_with("cell_probability")) {
    check_values(name, values, columns, "in [0, 1]", [](float v) { return v >= 0 && v <= 1; });
  } else if (name.ends_with("_std")) {
    check_values(name, values, columns, "finite and not negative",
                 [](float v) { return std::isnan(v) || (v >= 0 && std::isfinite(v)); });
  } else {
    check_values(name, values, columns, "finite", [](float v) { return std::isfinite(v); });
  }
}

struct ColumnChecker {
  std::size_t rows;
  std::size_t measures;  // size of the descriptor, 0 where unknown
  std::size_t cells;     // of the grid; more than any index where unknown

  void operator()(std::string_view name, const Matrix& column) {
    if (column.empty()) return;
    require(column.rows() == rows, fmt::format("{}: the number of rows", name), fmt::format("{}", rows), column.rows());
    if (name.starts_with("measures")) {
      if (measures == 0) measures = column.columns();
      require(column.columns() == measures, fmt::format("{}: the number of columns", name),
              fmt::format("{}, the size of the descriptor", measures), column.columns());
    }
    check_floats(name, column.values(), column.columns());
  }
  template <class T>
  void operator()(std::string_view name, const std::vector<T>& column) {
    if (column.empty()) return;
    require(column.size() == rows, fmt::format("{}: the number of rows", name), fmt::format("{}", rows), column.size());
    check_vector(name, column);
  }

 private:
  void check_vector(std::string_view name, std::span<const float> column) const { check_floats(name, column, 1); }
  void check_vector(std::string_view name, std::span<const std::int64_t> column) const {
    check_values(name, column, 1, "0 or more", [](std::int64_t v) { return v >= 0; });
  }
  void check_vector(std::string_view name, std::span<const std::int32_t> column) const {
    check_values(name, column, 1, fmt::format("a cell in [0, {})", cells),
                 [this](std::int32_t v) { return v >= 0 && static_cast<std::size_t>(v) < cells; });
  }
};

}  // namespace

void check_table(const ArchiveTable& table) {
  require(table.solution.rows() > 0, "solution: the number of rows", "at least 1", table.solution.rows());
  require(table.solution.columns() > 0, "solution: the number of columns", "at least 1", table.solution.columns());
  constexpr std::size_t kAnyIndex = std::size_t{std::numeric_limits<std::int32_t>::max()} + 1;
  ColumnChecker checker{table.size(), table.grid ? table.grid->dimensions() : 0,
                        table.grid ? table.grid->cells() : kAnyIndex};
  each_column(table, checker);
}

}  // namespace aria
