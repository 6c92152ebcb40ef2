// The figures that an archive is judged by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "aria/archive/archive_table.hpp"
#include "aria/task/task.hpp"

namespace aria {

// What fitness and variance are normalised by: norm(x) = (x - lower) / (upper - lower), not clipped.
struct ScoreRanges {
  Range fitness;
  Range negative_variance;  // of the negative trace of a descriptor's covariance
};

// The task's own ranges, for a single run: its fitness range, and the largest variance that its grid has room for.
ScoreRanges fixed_ranges(const TaskInfo& info);

struct ArchiveScores {
  std::size_t cells = 0;
  double coverage = 0;  // share of all cells
  double qd_score = 0;  // sum over cells of the normalised fitness
  std::optional<double> max_fitness;
  // Of a corrected archive:
  std::optional<double> p_score;   // sum over cells of the probability to stay in the cell
  std::optional<double> p_margin;  // half of the 95 % confidence interval of that sum
  std::optional<double> v_score;   // sum over cells of the normalised negative variance
};

// The cell of every solution as the maker of the archive believed it: by `index` where that is of this grid, else by
// the measures, where what is not finite has none (-1); nothing where neither is known. An index outside the grid is an
// InputError.
std::optional<std::vector<std::int32_t>> believed_cells(const ArchiveTable& table, const Grid& grid);

// What the maker of the archive believed: the best finite objective of each believed cell; nothing where either is
// unknown.
std::optional<ArchiveScores> illusory_scores(const ArchiveTable& table, const Grid& grid, const ScoreRanges& ranges);

// Of an archive made by `corrected_archive`.
ArchiveScores corrected_scores(const ArchiveTable& corrected, const ScoreRanges& ranges);

// Minus the trace of the covariance of a solution's descriptor.
double negative_variance(const ArchiveTable& corrected, std::size_t row);

// Share of all cells whose mean fitness is at least each threshold.
std::vector<double> archive_profile(const ArchiveTable& corrected, const std::vector<double>& thresholds);

// `count` thresholds, evenly over a range, both ends included.
std::vector<double> profile_thresholds(Range range, std::size_t count);

}  // namespace aria
