// Archives on the disk.
#pragma once

#include <filesystem>

#include "aria/archive/archive_table.hpp"

namespace aria {

// Writes an `.npz` that `numpy.load` opens without pickle: one array for every column that is known, `centroids`
// (cells, m) where the grid is known, and a text `header.json`. The same table gives the same bytes. The file is
// replaced as a whole or not at all. Throws InputError naming the path, also for a table that could not be read back.
void write_archive(const std::filesystem::path& path, const ArchiveTable& table);

// Reads what `write_archive` wrote, bit for bit, and archives from elsewhere, told by their first bytes:
//  - an `.npz` with a `solution` (n, D); the other columns are read where they are there, unknown members ignored;
//  - a `.npy` with a matrix of genotypes;
//  - a CSV (archive_csv.hpp).
// Floats of any size and integers are taken for floats; cells and counts must be integers. Every rule of `check_table`
// holds afterwards. Throws InputError naming the path, the thing, the rule and the value; rows count from 0.
ArchiveTable read_archive(const std::filesystem::path& path);

}  // namespace aria
