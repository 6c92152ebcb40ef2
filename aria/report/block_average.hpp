// Makes a heat map smaller: blocks of cells become one.
#pragma once

#include <cstddef>

#include "aria/report/heat_map.hpp"

namespace aria {

// Averages the filled cells of blocks of equal size so that no more than these rows and columns remain; a block is
// empty where all its cells are. A panel that is small enough stays as it is.
HeatMapPanel block_average(const HeatMapPanel& panel, std::size_t max_rows, std::size_t max_columns);

}  // namespace aria
