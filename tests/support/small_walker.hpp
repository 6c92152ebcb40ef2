// A Walker that is quick to simulate, for tests of algorithms that need policies.
#pragma once

#include <cstddef>
#include <memory>

#include "aria/task/walker.hpp"

namespace aria::testing {

inline std::shared_ptr<const RobotTask> small_walker(std::size_t episode_length = 40) {
  WalkerConfig config;
  config.grid = {3, 3};
  config.hidden = {4};
  config.episode_length = episode_length;
  return make_walker(config);
}

}  // namespace aria::testing
