// How the rollouts of a request start: joint angles and rates with noise, drawn by the rollout's name. Starts are
// worked out for many rollouts at once and handed out one by one.
#pragma once

#include <cstddef>
#include <vector>

#include "aria/physics/physics_state.hpp"
#include "aria/task/robot_task.hpp"
#include "aria/task/sample_request.hpp"

namespace aria {

// Noise of the start named by (key, id, sample): uniform within +-amplitude, first of the angles, then of the rates.
// Number j goes to out[j * stride].
void draw_reset_noise(Key key, std::uint32_t id, std::uint32_t sample, float amplitude, std::size_t joints, float* out,
                      std::size_t stride);

class RolloutResets {
 public:
  RolloutResets(const RobotTask& task, const SampleRequest& request);

  // Starts an evaluation in a world of `state`. `end` is where the evaluations end that are worth preparing.
  void start(std::size_t evaluation, std::size_t end, PhysicsState& state, std::size_t world);

 private:
  void prepare(std::size_t first, std::size_t end);

  const RobotTask& task_;
  const SampleRequest& request_;
  PhysicsState prepared_;
  std::size_t first_ = 0;     // evaluation of the first prepared world
  std::size_t count_ = 0;     // of prepared worlds
  std::vector<float> noise_;  // (2 * joints x stride), angles first
};

}  // namespace aria
