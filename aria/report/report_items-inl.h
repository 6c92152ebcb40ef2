// The parts of a report's JSON. For the .cpp files of this room only.
#pragma once

#include <cstddef>
#include <optional>

#include <nlohmann/json.hpp>

#include "aria/report/report_data.hpp"

namespace aria {

// Keys stay in the order in which they are written; numbers that are not finite become null.
using ReportJson = nlohmann::ordered_json;

// How much is told of each solution, at the most.
struct ReportDetail {
  std::size_t samples = 0;   // descriptors
  std::size_t rollouts = 0;  // of its motion
};

ReportJson archive_object(const ReportArchive& archive, const Grid& grid, const Range& fitness_range,
                          const ReportDetail& detail);
// Null where there is no motion, or no rollout of it is wanted.
ReportJson motion_object(const std::optional<ReportMotion>& motion, std::size_t table_rows, std::size_t rollouts);
// What a motion takes before it is base64: without rollouts, and for each further rollout of its solutions.
std::size_t motion_bytes(const ReportMotion& motion);
std::size_t rollout_bytes(const ReportMotion& motion);
ReportJson run_object(const ReportRun& run, const ReportDetail& detail);
ReportJson study_object(const ReportStudy& study);

}  // namespace aria
