// From the archives of many runs to the figures by which algorithms are compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "aria/archive/archive_table.hpp"
#include "aria/metrics/study_data.hpp"
#include "aria/task/task.hpp"

namespace aria {

// A finished run. Genotypes are not looked at.
struct ComparedRun {
  std::uint64_t seed = 0;
  std::string folder;
  std::size_t evaluations = 0;
  double seconds = 0;
  ArchiveTable archive;                      // as the algorithm believes it
  ArchiveTable corrected;                    // with the task's grid
  std::optional<std::size_t> initial_cells;  // corrected cells of the archive that it started from
};

struct ComparedAlgorithm {
  std::string name;
  std::vector<ComparedRun> runs;
  bool published = false;  // ran on the task as it was published
};

// `data` comes with what was asked for (task to reevaluations); the rest is filled in. Algorithms without a run are
// left out. The same runs give the same figures, however they were made.
StudyData compare(StudyData data, const TaskInfo& info, const std::vector<ComparedAlgorithm>& algorithms);

// From the least to the largest mean fitness and negative variance of all solutions in all corrected archives. Where
// they are all alike, the range reaches one below them, so that each counts for 1.
ScoreRanges spanning_ranges(const std::vector<ComparedAlgorithm>& algorithms);

}  // namespace aria
