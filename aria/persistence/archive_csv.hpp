// Archives as comma-separated text, as pandas and spreadsheets write them.
#pragma once

#include <cstddef>
#include <string_view>

#include "aria/archive/archive_table.hpp"

namespace aria {

inline constexpr std::size_t kMaxCsvColumns = std::size_t{1} << 20;

// The first line names the columns, in any order: `solution_0` to `solution_{D-1}`, and where known `objective`,
// `measures_0` to `measures_{m-1}`, `index`; others are ignored. Quotes, CRLF, spaces around a value, a byte order mark
// and empty lines are tolerated. Throws InputError naming the row (counted from 0) and the column.
ArchiveTable parse_archive_csv(std::string_view text);

}  // namespace aria
