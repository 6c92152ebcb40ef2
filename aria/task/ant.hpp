// Ant omni: a four-legged robot whose descriptor is where it ends up, in any direction; it is paid for staying up with
// little effort. Its noise is in how an episode starts.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "aria/core/settings.hpp"
#include "aria/task/robot_task.hpp"

namespace aria {

struct AntConfig {
  std::size_t episode_length = 100;          // steps
  double reset_noise = 0.1;                  // joint angles and rates start within this of rest, rad and rad/s
  double min_height = 0.2;                   // of the torso, below which an episode ends, m
  double max_height = 1.0;                   // above which it ends, m
  double alive_reward = 1;                   // per step
  double control_cost = 0.5;                 // per sum of squared actions
  double contact_cost = 5e-4;                // per sum of squared contact impulses
  double range = 15;                         // the grid reaches from -range to range in x and y, m
  std::vector<std::size_t> grid = {32, 32};  // cells along x and y
  std::vector<std::size_t> hidden = {64, 64};

  void validate() const;
};

void bind_settings(SettingTable& table, AntConfig& config);

std::shared_ptr<const RobotTask> make_ant(const AntConfig& config = {});

}  // namespace aria
