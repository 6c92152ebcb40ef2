// Re-evaluations on the disk.
#pragma once

#include <filesystem>

#include "aria/archive/reevaluation_table.hpp"
#include "aria/core/matrix.hpp"

namespace aria {

// Writes an `.npz` that `numpy.load` opens without pickle: an array for every column, one row per solution, the samples
// where some were kept, and a text `header.json` with the grid, the evaluations per solution and a checksum of
// `solutions`, those that were re-evaluated. The same content gives the same bytes.
void write_reevaluation(const std::filesystem::path& path, const Reevaluation& reevaluation, const Matrix& solutions);

// Reads what `write_reevaluation` wrote, and requires that it is of these solutions. `descriptor_variance` is taken
// from the deviations, so it may differ in the last digits. Throws InputError naming the path, the thing, the rule and
// the value; rows count from 0.
Reevaluation read_reevaluation(const std::filesystem::path& path, const Matrix& solutions);

// Whether the file is a re-evaluation of these solutions; throws where it is no re-evaluation at all.
bool is_reevaluation_of(const std::filesystem::path& path, const Matrix& solutions);

}  // namespace aria
