// Walker2d uni: a two-legged robot in a plane, paid for walking forwards. Its descriptor is the share of time that each
// foot touches the ground. Its noise is in how an episode starts.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "aria/core/settings.hpp"
#include "aria/task/robot_task.hpp"

namespace aria {

struct WalkerConfig {
  std::size_t episode_length = 1000;         // steps
  double reset_noise = 0.005;                // joint angles and rates start within this of rest, rad and rad/s
  double min_height = 0.7;                   // of the torso, below which an episode ends, m
  double max_height = 2.0;                   // above which it ends, m
  double max_tilt = 1.0;                     // of the torso to either side, beyond which an episode ends, rad
  double forward_reward = 1;                 // per m/s
  double alive_reward = 1;                   // per step
  double control_cost = 1e-3;                // per sum of squared actions
  std::vector<std::size_t> grid = {32, 32};  // cells along the share of the right and of the left foot
  std::vector<std::size_t> hidden = {64, 64};

  void validate() const;
};

void bind_settings(SettingTable& table, WalkerConfig& config);

std::shared_ptr<const RobotTask> make_walker(const WalkerConfig& config = {});

}  // namespace aria
