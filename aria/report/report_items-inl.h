// The parts of a report's JSON. For the .cpp files of this room only.
#pragma once

#include <cstddef>

#include <nlohmann/json.hpp>

#include "aria/report/report_data.hpp"

namespace aria {

// Keys stay in the order in which they are written; numbers that are not finite become null.
using ReportJson = nlohmann::ordered_json;

// With up to `samples` descriptors of each solution.
ReportJson archive_object(const ReportArchive& archive, const Grid& grid, const Range& fitness_range,
                          std::size_t samples);
ReportJson run_object(const ReportRun& run, std::size_t samples);
ReportJson study_object(const ReportStudy& study);

}  // namespace aria
