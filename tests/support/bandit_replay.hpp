// Transitions of a problem whose best policy is known: episodes of one step, in which an action is paid by how near it
// is to a linear function of the observation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "aria/core/matrix.hpp"
#include "aria/policy/replay_buffer.hpp"

namespace aria::testing {

struct Bandit {
  static constexpr std::size_t kObservations = 2;
  static constexpr std::size_t kActions = 1;

  static float best_action(float x, float y) { return 0.5f * x - 0.3f * y + 0.1f; }

  Matrix observation, next, action;
  std::vector<float> reward;
  std::vector<std::uint8_t> done, truncated;

  explicit Bandit(std::size_t count, unsigned seed = 5) {
    std::mt19937 random(seed);
    const auto uniform = [&] { return static_cast<float>(random() % 2001) / 1000.0f - 1.0f; };
    for (std::size_t i = 0; i < count; ++i) {
      const std::vector<float> at = {uniform(), uniform()};
      const float taken = uniform();
      const float miss = taken - best_action(at[0], at[1]);
      observation.append_row(at);
      next.append_row(std::vector{uniform(), uniform()});
      action.append_row(std::vector{taken});
      reward.push_back(-miss * miss);
      done.push_back(1);
      truncated.push_back(0);
    }
  }

  Transitions view() const { return {observation, next, action, reward, done, truncated}; }

  ReplayBuffer replay() const {
    ReplayBuffer result({.observations = kObservations,
                         .actions = kActions,
                         .capacity = reward.size(),
                         .precision = ReplayPrecision::kSingle});
    result.insert(view());
    return result;
  }
};

}  // namespace aria::testing
