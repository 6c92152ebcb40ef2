// Tables of the library as dictionaries of arrays, and back.
#pragma once

#include <nanobind/nanobind.h>

#include "aria/archive/archive_table.hpp"
#include "aria/archive/grid.hpp"
#include "aria/archive/reevaluation_table.hpp"
#include "aria/core/state.hpp"
#include "aria/task/symmetry.hpp"

namespace aria::python {

namespace nb = nanobind;

// {"dims": [...], "ranges": [(lower, upper), ...]}
nb::dict to_dict(const GridShape& shape);
GridShape to_grid_shape(const nb::dict& grid);

// Columns that are known by their names in files, and "grid", "task", "provenance".
nb::dict to_dict(const ArchiveTable& table);
ArchiveTable to_table(const nb::dict& dict);

nb::dict to_dict(const Reevaluation& reevaluation);
Reevaluation to_reevaluation(const nb::dict& dict);

// {"from": (n), "sign": (n), "offset": (n)}
nb::dict to_dict(const SignedMap& map);
SignedMap to_map(const nb::dict& map);

nb::dict to_dict(const State& state);
State to_state(const nb::dict& dict);

}  // namespace aria::python
