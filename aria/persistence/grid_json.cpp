#include <string_view>
#include <vector>

#include "aria/persistence/file_error.hpp"
#include "aria/persistence/grid_json-inl.h"
#include "aria/persistence/json_header-inl.h"

namespace aria {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::size_t> cells_from(const Json& array) {
  std::vector<std::size_t> cells;
  for (const Json& value : array) {
    require(value.is_number_unsigned(), "grid.cells", "an array of whole numbers", excerpt(value.dump()));
    cells.push_back(value.get<std::size_t>());
  }
  return cells;
}

std::vector<double> range_from(const Json& array, std::string_view name) {
  std::vector<double> range;
  for (const Json& value : array) {
    require(value.is_number(), name, "an array of numbers", excerpt(value.dump()));
    range.push_back(value.get<double>());
  }
  return range;
}

}  // namespace

Json grid_object(const Grid& grid) {
  const GridShape& shape = grid.shape();
  return {{"cells", shape.cells}, {"lower", shape.lower}, {"upper", shape.upper}};
}

Grid grid_from(const Json& json) {
  const Json& cells = json_at(json, "cells");
  const Json& lower = json_at(json, "lower");
  const Json& upper = json_at(json, "upper");
  require(cells.is_array() && lower.is_array() && upper.is_array(), "grid", "arrays cells, lower and upper",
          excerpt(json.dump()));
  return Grid(GridShape{cells_from(cells), range_from(lower, "grid.lower"), range_from(upper, "grid.upper")});
}

}  // namespace aria
