// The steps of one rollout of a policy, for those who learn from them.
#pragma once

#include <cstddef>
#include <vector>

#include "aria/core/matrix.hpp"

namespace aria {

struct EpisodeSteps {
  Matrix observations;         // (steps + 1 x observation size), the last is what the last step led to
  Matrix actions;              // (steps x action size)
  std::vector<float> rewards;  // (steps)
  Matrix progress;             // (steps x descriptor size) what there was of the descriptor after each step
  Matrix exploration;          // (steps x action size) standard normal noise on the actions; empty where there was none
  bool terminated = false;     // the episode ended by itself, not by its time limit

  std::size_t size() const { return rewards.size(); }

  // Keeps the memory.
  void clear() {
    for (Matrix* rows : {&observations, &actions, &progress, &exploration}) rows->resize(0, rows->columns());
    rewards.clear();
    terminated = false;
  }

  friend bool operator==(const EpisodeSteps&, const EpisodeSteps&) = default;
};

}  // namespace aria
