// Ant omni: a four-legged robot whose descriptor is where it ends up, in any direction; it is paid for staying up with
// little effort. Its noise is in how an episode starts.
#pragma once

#include <memory>

#include "aria/core/settings.hpp"
#include "aria/task/robot_task.hpp"

namespace aria {

struct AntConfig : RobotConfig {
  double contact_cost = 5e-4;  // per sum of squared contact impulses
  double range = 15;           // the grid reaches from -range to range in x and y, m

  AntConfig() {
    episode_length = 100;
    reset_noise = 0.1;
    min_height = 0.2;
    max_height = 1.0;
    alive_reward = 1;
    control_cost = 0.5;
  }
  void validate() const;
};

void bind_settings(SettingTable& table, AntConfig& config);

std::shared_ptr<const RobotTask> make_ant(const AntConfig& config = {});

}  // namespace aria
