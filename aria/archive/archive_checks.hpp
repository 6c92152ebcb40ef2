// What every archive demands of what it is given.
#pragma once

#include <cstdint>
#include <vector>

#include "aria/archive/grid.hpp"
#include "aria/core/matrix.hpp"

namespace aria {

// Rows of candidates fit an archive: genotypes of so many parameters, descriptors of the grid's size.
void check_candidates(MatrixView genotypes, MatrixView descriptors, std::size_t parameters, const Grid& grid);

// (cells of the grid) which slot holds a cell, -1 where none does; of cells as they were saved, slot by slot, each of
// the grid and named once.
std::vector<std::int64_t> slots_of_saved_cells(const std::vector<std::int64_t>& cells, const Grid& grid);

}  // namespace aria
