#include "aria/archive/archive_checks.hpp"

#include "aria/core/require.hpp"

namespace aria {

void check_candidates(MatrixView genotypes, MatrixView descriptors, std::size_t parameters, const Grid& grid) {
  require(genotypes.columns() == parameters, "a genotype", fmt::format("{} parameters long", parameters),
          genotypes.columns());
  require(descriptors.columns() == grid.dimensions(), "a descriptor", fmt::format("{} numbers long", grid.dimensions()),
          descriptors.columns());
}

std::vector<std::int64_t> slots_of_saved_cells(const std::vector<std::int64_t>& cells, const Grid& grid) {
  std::vector<std::int64_t> slot_of(grid.cells(), -1);
  for (std::size_t slot = 0; slot < cells.size(); ++slot) {
    const std::int64_t cell = cells[slot];
    require(cell >= 0 && static_cast<std::size_t>(cell) < grid.cells(), "a cell of the saved archive",
            fmt::format("0 .. {}", grid.cells() - 1), cell);
    std::int64_t& entry = slot_of[static_cast<std::size_t>(cell)];
    require(entry < 0, "a cell of the saved archive", "named once", cell);
    entry = static_cast<std::int64_t>(slot);
  }
  return slot_of;
}

}  // namespace aria
