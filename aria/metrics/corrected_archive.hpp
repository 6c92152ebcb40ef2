// The archive that is really there: every solution in the cell of its mean descriptor, the best mean fitness per cell.
#pragma once

#include <cstddef>
#include <vector>

#include "aria/archive/archive_table.hpp"
#include "aria/archive/reevaluation_table.hpp"

namespace aria {

// The solutions that stay, in the order of their cells: of each cell the best mean fitness, the first of equals.
std::vector<std::size_t> corrected_rows(const Grid& grid, const Reevaluation& reevaluation);

// Rows are in the order of the cells. `table` is what was re-evaluated, row by row.
ArchiveTable corrected_archive(const ArchiveTable& table, const Grid& grid, const Reevaluation& reevaluation);

}  // namespace aria
