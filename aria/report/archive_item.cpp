// One archive of a report: what was believed, what is real.
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "aria/metrics/corrected_archive.hpp"
#include "aria/metrics/scores_json-inl.h"
#include "aria/report/packing.hpp"
#include "aria/report/report_items-inl.h"

namespace aria {

namespace {

constexpr std::size_t kProfileThresholds = 101;

ReportJson believed_object(const ArchiveTable& table, const Grid& grid) {
  const auto cells = believed_cells(table, grid);
  if (table.objective.empty() || !cells) return nullptr;
  // a cell alone says nothing of where in it
  const std::vector<float> nowhere(table.measures.empty() ? table.size() * grid.dimensions() : 0,
                                   std::numeric_limits<float>::quiet_NaN());
  ReportJson object;
  object["cell"] = packed(*cells);
  object["fitness"] = packed(table.objective);
  object["measures"] = packed(table.measures.empty() ? nowhere : table.measures.values());
  return object;
}

// The first `count` of the samples that were kept of each solution.
ReportJson samples_object(const Reevaluation& reevaluation, std::size_t count) {
  const std::size_t kept = reevaluation.kept_samples();
  const std::size_t taken = std::min(count, kept);
  if (taken == 0) return nullptr;
  std::vector<float> fitness;
  Matrix descriptors(0, reevaluation.measures_samples.columns());
  for (std::size_t row = 0; row < reevaluation.size(); ++row) {
    for (std::size_t sample = row * kept; sample < row * kept + taken; ++sample) {
      fitness.push_back(reevaluation.objective_samples[sample]);
      descriptors.append_row(reevaluation.measures_samples.row(sample));
    }
  }
  const QuantisedSamples samples = quantise(fitness, descriptors);
  ReportJson object;
  object["count"] = taken;
  object["lower"] = samples.lower;
  object["upper"] = samples.upper;
  object["values"] = packed(samples.quantum);
  return object;
}

ReportJson real_object(const Reevaluation& reevaluation, const std::vector<std::size_t>& kept, std::size_t samples) {
  std::vector<float> spread;
  for (const double variance : reevaluation.descriptor_variance) {
    spread.push_back(static_cast<float>(std::sqrt(variance)));
  }
  ReportJson object;
  object["cell"] = packed(reevaluation.index);
  object["fitness"] = packed(reevaluation.objective_mean);
  object["fitness_std"] = packed(reevaluation.objective_std);
  object["measures"] = packed(reevaluation.measures_mean.values());
  object["spread"] = packed(spread);
  object["probability"] = packed(reevaluation.cell_probability);
  object["probability_lower"] = packed(reevaluation.cell_probability_lower);
  object["probability_upper"] = packed(reevaluation.cell_probability_upper);
  object["kept"] = packed(std::vector<std::int32_t>(kept.begin(), kept.end()));
  object["evaluations"] = reevaluation.samples;
  object["samples"] = samples_object(reevaluation, samples);
  return object;
}

ReportJson profile_object(const Reevaluation& reevaluation, const std::vector<std::size_t>& kept, const Grid& grid,
                          const Range& range) {
  ArchiveTable corrected;
  corrected.grid = grid;
  for (const std::size_t row : kept) corrected.objective_mean.push_back(reevaluation.objective_mean[row]);
  const std::vector<double> thresholds = profile_thresholds(range, kProfileThresholds);
  return {{"thresholds", thresholds}, {"share", archive_profile(corrected, thresholds)}};
}

}  // namespace

ReportJson archive_object(const ReportArchive& archive, const Grid& grid, const Range& fitness_range,
                          const ReportDetail& detail) {
  ReportJson object;
  object["role"] = archive.initial ? "initial" : "result";
  object["label"] = archive.label;
  object["size"] = archive.table.size();
  object["believed"] = believed_object(archive.table, grid);
  object["real"] = nullptr;
  object["scores"] = {{"illusory", scores_object(archive.illusory)}, {"corrected", scores_object(archive.corrected)}};
  object["profile"] = nullptr;
  if (archive.reevaluation) {
    const std::vector<std::size_t> kept = corrected_rows(grid, *archive.reevaluation);
    object["real"] = real_object(*archive.reevaluation, kept, detail.samples);
    object["profile"] = profile_object(*archive.reevaluation, kept, grid, fitness_range);
  }
  object["motion"] = motion_object(archive.motion, archive.table.size(), detail.rollouts);
  return object;
}

}  // namespace aria
