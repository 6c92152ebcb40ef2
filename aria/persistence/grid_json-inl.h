// A grid in the header of a file. For the .cpp files of this room only.
#pragma once

#include <nlohmann/json.hpp>

#include "aria/archive/grid.hpp"

namespace aria {

nlohmann::ordered_json grid_object(const Grid& grid);

// Throws InputError naming what is wrong.
Grid grid_from(const nlohmann::ordered_json& json);

}  // namespace aria
