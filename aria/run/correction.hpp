// What is really in an archive: re-evaluation, corrected archive, scores, in one step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "aria/archive/archive_table.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "aria/metrics/corrected_archive.hpp"
#include "aria/metrics/reevaluation.hpp"
#include "aria/run/summary.hpp"

namespace aria {

struct Correction {
  Reevaluation reevaluation;
  ArchiveTable corrected;
  BeforeAndAfter scores;
  double seconds = 0;
};

// Draws are named by the seed alone: the same archive gives the same correction, by `aria run` and by `aria correct`.
// `progress` as in `reevaluate`.
Correction correct(const ArchiveTable& table, Evaluator& evaluator, const ReevaluationConfig& config,
                   std::uint64_t seed, const std::function<bool(std::size_t)>& progress = {});

// What there is to tell of the correction of an archive that no run of ours stands behind.
RunSummary summary_of(const Correction& correction, const ArchiveTable& table, const TaskInfo& info,
                      std::uint64_t seed);

}  // namespace aria
