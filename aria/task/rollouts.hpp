// Runs rollouts of a robot, as many side by side as a vector of this machine holds. A world whose episode has ended
// gets the next rollout at once. What a rollout gives depends on its name alone, not on the world or its neighbours.
#pragma once

#include <cstddef>
#include <vector>

#include "aria/physics/physics_state.hpp"
#include "aria/policy/mlp.hpp"
#include "aria/task/robot.hpp"
#include "aria/task/robot_task.hpp"
#include "aria/task/rollout_policies.hpp"
#include "aria/task/rollout_resets.hpp"
#include "aria/task/sample_request.hpp"

namespace aria {

class Rollouts {
 public:
  Rollouts(const RobotTask& task, const SampleRequest& request);

  // Evaluations first .. first + out.fitness.size() - 1 of the request.
  void run(std::size_t first, const EvaluationRows& out);

 private:
  bool start_next(std::size_t world);
  void act();
  void settle();
  void end_episode(std::size_t world);
  void explore();
  void record_choice();
  void record_outcome();

  const RobotTask& task_;
  const SampleRequest& request_;
  RolloutPolicies policies_;
  RolloutResets resets_;
  Mlp mlp_;
  PhysicsState state_;  // its worlds are those whose episodes are under way
  Episodes episodes_;
  std::vector<float> observations_;   // (observation size x stride)
  std::vector<float> actions_;        // (joints x stride)
  std::vector<float> progress_;       // (descriptor size) of a world
  std::vector<const float*> policy_;  // (worlds) that moves a world
  std::vector<std::size_t> rollout_;  // (worlds) evaluation of a world
  std::size_t first_ = 0;             // of the evaluations wanted now
  std::size_t next_ = 0;
  std::size_t end_ = 0;
  const EvaluationRows* out_ = nullptr;
};

}  // namespace aria
