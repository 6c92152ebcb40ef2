// How the solutions of an archive move, in a report.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "aria/report/packing.hpp"
#include "aria/report/report_items-inl.h"

namespace aria {

namespace {

bool is_path(const ReportMotion& motion) { return motion.kind == ReportMotion::Kind::kPath; }

void assert_shape([[maybe_unused]] const ReportMotion& motion, [[maybe_unused]] std::size_t table_rows) {
  [[maybe_unused]] const std::size_t episodes = motion.rows.size() * motion.rollouts;
  assert(std::ranges::all_of(motion.rows, [&](std::size_t row) { return row < table_rows; }));
  assert(motion.steps.size() == episodes && motion.longest > 0 && motion.step_seconds > 0);
  assert(std::ranges::all_of(motion.steps, [&](std::size_t steps) { return steps <= motion.longest; }));
  assert(!is_path(motion) || motion.points >= 2);
  assert((is_path(motion) ? motion.path.size() : motion.touches.size()) == episodes * motion.rollout_size());
}

// Of `values`, which are (rows x rollouts x size), the first `taken` rollouts of each row.
template <class Out, class In>
std::vector<Out> first_rollouts(const std::vector<In>& values, const ReportMotion& motion, std::size_t taken,
                                std::size_t size) {
  std::vector<Out> result;
  result.reserve(motion.rows.size() * taken * size);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i / size % motion.rollouts < taken) result.push_back(static_cast<Out>(values[i]));
  }
  return result;
}

ReportJson path_object(const ReportMotion& motion, std::size_t taken) {
  const Matrix places(motion.rows.size() * taken * motion.points, 2,
                      first_rollouts<float>(motion.path, motion, taken, motion.rollout_size()));
  // a place that is none takes no part in the range
  std::vector<float> there(places.rows());
  for (std::size_t i = 0; i < places.rows(); ++i) {
    const bool finite = std::isfinite(places(i, 0)) && std::isfinite(places(i, 1));
    there[i] = finite ? 0 : std::numeric_limits<float>::quiet_NaN();
  }
  const QuantisedSamples quantised = quantise(there, places);
  ReportJson object;
  object["points"] = motion.points;
  object["lower"] = quantised.lower;
  object["upper"] = quantised.upper;
  object["values"] = packed(quantised.quantum);
  return object;
}

}  // namespace

std::size_t motion_bytes(const ReportMotion& motion) { return motion.rows.size() * sizeof(std::int32_t); }

std::size_t rollout_bytes(const ReportMotion& motion) {
  const std::size_t numbers = motion.rows.size() * motion.rollout_size();
  const std::size_t steps = motion.rows.size() * sizeof(std::int32_t);
  return steps + (is_path(motion) ? numbers * sizeof(std::uint16_t) : (numbers + 7) / 8);
}

ReportJson motion_object(const std::optional<ReportMotion>& motion, std::size_t table_rows, std::size_t rollouts) {
  if (!motion) return nullptr;
  assert_shape(*motion, table_rows);
  const std::size_t taken = std::min(rollouts, motion->rollouts);
  if (taken == 0) return nullptr;
  ReportJson object;
  object["kind"] = is_path(*motion) ? "path" : "gait";
  object["rows"] = packed(std::vector<std::int32_t>(motion->rows.begin(), motion->rows.end()));
  object["rollouts"] = taken;
  object["steps"] = packed(first_rollouts<std::int32_t>(motion->steps, *motion, taken, 1));
  object["step_seconds"] = motion->step_seconds;
  object["longest"] = motion->longest;
  object["path"] = nullptr;
  object["feet"] = motion->feet;
  object["touches"] = nullptr;
  if (is_path(*motion)) {
    object["path"] = path_object(*motion, taken);
  } else {
    object["touches"] =
        packed_bits(first_rollouts<std::uint8_t>(motion->touches, *motion, taken, motion->rollout_size()));
  }
  return object;
}

}  // namespace aria
