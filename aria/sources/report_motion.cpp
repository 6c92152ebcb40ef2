#include "aria/sources/report_motion.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "aria/core/finite.hpp"
#include "aria/core/parallel.hpp"
#include "aria/metrics/corrected_archive.hpp"
#include "aria/task/trajectory.hpp"

namespace aria {

namespace {

constexpr std::size_t kPathRollouts = 4;
constexpr std::size_t kGaitRollouts = 2;
constexpr std::size_t kPathPoints = 34;
constexpr std::size_t kLongestGait = 1000;  // steps shown

std::vector<std::size_t> shown_rows(const RobotTask& task, const ArchiveTable& archive,
                                    const std::optional<Reevaluation>& reevaluation) {
  const Grid grid(task.info().grid);
  std::vector<std::size_t> rows(archive.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  // a set of solutions of any size may come from elsewhere: those that count are shown
  if (reevaluation && archive.size() > grid.cells()) rows = corrected_rows(grid, *reevaluation);
  std::erase_if(rows, [&](std::size_t row) { return !all_finite(archive.solution.row(row)); });
  return rows;
}

// Where the torso was, at points spread evenly from the start to where it is described.
void write_path(const Trajectory& trajectory, std::size_t bodies, std::span<float> path) {
  const std::size_t points = path.size() / 2;
  for (std::size_t p = 0; p < points; ++p) {
    const std::size_t step = (trajectory.length - 1) * p / (points - 1);
    std::copy_n(&trajectory.state[step * bodies * kBodyState], 2, &path[2 * p]);
  }
}

void write_gait(const Trajectory& trajectory, std::size_t bodies, const std::vector<RobotFoot>& feet,
                std::span<std::uint8_t> touches) {
  const std::size_t longest = touches.size() / feet.size();
  for (std::size_t foot = 0; foot < feet.size(); ++foot) {
    for (std::size_t step = 0; step < std::min(longest, trajectory.length); ++step) {
      touches[foot * longest + step] = trajectory.contact[step * bodies + feet[foot].body];
    }
  }
}

}  // namespace

std::optional<ReportMotion> motion_of(const Task& task, const ArchiveTable& archive,
                                      const std::optional<Reevaluation>& reevaluation, std::uint64_t seed) {
  const auto* robot = dynamic_cast<const RobotTask*>(&task);
  if (robot == nullptr || archive.solution.columns() != robot->info().parameters) return std::nullopt;
  const std::vector<RobotFoot> feet = robot->robot().feet();
  const bool place = robot->robot().path() == DescriptorPath::Kind::kPlace && robot->info().descriptor_size() == 2;
  if (feet.empty() && !place) return std::nullopt;
  const std::size_t bodies = robot->simulator().model().bodies.size();
  ReportMotion motion;
  motion.kind = feet.empty() ? ReportMotion::Kind::kPath : ReportMotion::Kind::kGait;
  motion.rows = shown_rows(*robot, archive, reevaluation);
  motion.rollouts = feet.empty() ? kPathRollouts : kGaitRollouts;
  motion.step_seconds = robot->simulator().model().step;
  motion.longest = std::min(robot->episode_length(), kLongestGait);
  motion.points = feet.empty() ? kPathPoints : 0;
  for (const RobotFoot& foot : feet) motion.feet.push_back(foot.name);
  const std::size_t all = motion.rows.size() * motion.rollouts;
  const std::size_t size = motion.rollout_size();
  motion.steps.resize(all);
  motion.path.resize(feet.empty() ? all * size : 0);
  motion.touches.resize(feet.empty() ? 0 : all * size);
  parallel_for(all, 1, [&](std::size_t i) {
    const std::size_t row = motion.rows[i / motion.rollouts];
    const auto noise = reset_noise(*robot, Key(seed), 0, static_cast<std::uint32_t>(i % motion.rollouts));
    const Trajectory trajectory = record_rollout(*robot, archive.solution.row(row), noise);
    motion.steps[i] = static_cast<std::uint32_t>(std::min(trajectory.length, motion.longest));
    if (feet.empty()) {
      write_path(trajectory, bodies, std::span(motion.path).subspan(i * size, size));
    } else {
      write_gait(trajectory, bodies, feet, std::span(motion.touches).subspan(i * size, size));
    }
  });
  return motion;
}

}  // namespace aria
