// How a descriptor space is cut into cells: a number of cells and a range for each dimension.
#pragma once

#include <cstddef>
#include <vector>

namespace aria {

struct GridShape {
  std::vector<std::size_t> cells;  // (dimensions) cells along each dimension
  std::vector<double> lower;       // (dimensions) lower end of the range
  std::vector<double> upper;       // (dimensions) upper end of the range

  friend bool operator==(const GridShape&, const GridShape&) = default;
};

}  // namespace aria
