// How the solutions of an archive move, for a report: a few rollouts of each are run again and recorded.
#pragma once

#include <cstdint>
#include <optional>

#include "aria/archive/archive_table.hpp"
#include "aria/archive/reevaluation_table.hpp"
#include "aria/report/motion.hpp"
#include "aria/task/task.hpp"

namespace aria {

// Of all solutions, or where they are more than there are cells, of those that the corrected archive keeps; nothing for
// a task that is not a robot, or one described by neither a place on the ground nor its feet.
std::optional<ReportMotion> motion_of(const Task& task, const ArchiveTable& archive,
                                      const std::optional<Reevaluation>& reevaluation, std::uint64_t seed);

}  // namespace aria
