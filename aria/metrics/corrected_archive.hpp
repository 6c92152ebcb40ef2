// The archive that is really there: every solution in the cell of its mean descriptor, the best mean fitness per cell.
#pragma once

#include "aria/archive/archive_table.hpp"
#include "aria/metrics/reevaluation.hpp"

namespace aria {

// Rows are in the order of the cells. `table` is what was re-evaluated, row by row.
ArchiveTable corrected_archive(const ArchiveTable& table, const Grid& grid, const Reevaluation& reevaluation);

}  // namespace aria
