// Every cell of a task's grid, in order.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

#include "aria/archive/grid.hpp"
#include "aria/task/task.hpp"

namespace aria::testing {

inline std::vector<std::size_t> all_cells(const Task& task) {
  std::vector<std::size_t> cells(Grid(task.info().grid).cells());
  std::iota(cells.begin(), cells.end(), std::size_t{0});
  return cells;
}

}  // namespace aria::testing
