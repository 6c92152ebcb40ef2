// Walker2d uni: a two-legged robot in a plane, paid for walking forwards. Its descriptor is the share of time that each
// foot touches the ground. Its noise is in how an episode starts.
#pragma once

#include <memory>

#include "aria/core/settings.hpp"
#include "aria/task/robot_task.hpp"

namespace aria {

struct WalkerConfig : RobotConfig {
  double max_tilt = 1.0;      // of the torso to either side, beyond which an episode ends, rad
  double forward_reward = 1;  // per m/s

  WalkerConfig() {
    episode_length = 1000;
    reset_noise = 0.005;
    min_height = 0.7;
    max_height = 2.0;
    alive_reward = 1;
    control_cost = 1e-3;
  }
  void validate() const;
};

void bind_settings(SettingTable& table, WalkerConfig& config);

std::shared_ptr<const RobotTask> make_walker(const WalkerConfig& config = {});

}  // namespace aria
