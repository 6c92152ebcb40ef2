// How the goal-conditioned policy is trained, stage by stage.
#pragma once

#include <cstddef>
#include <vector>

#include "aria/task/task.hpp"

namespace aria {

// From the beginning of a stage to its end.
struct Ramp {
  double from = 0;
  double to = 0;

  double at(double share) const { return from + (to - from) * share; }
};

// Which targets are drawn more often than others.
enum class GoalTargets {
  kAll,      // none
  kMissed,   // those that are missed: what is reached safely needs little more learning
  kHopeful,  // those that are not missed by far: who falls whatever he tries teaches nothing
};

// Of a target that is usually missed by so many cells to be drawn, not normalised.
double target_chance(GoalTargets targets, double miss);

struct GoalStage {
  std::size_t iterations = 0;
  std::size_t episodes = 0;  // of an iteration
  std::size_t window = 0;    // steps in a row of an episode that are learnt from; 0: all
  double discount = 0.995;   // of a reward one step later
  double path_weight = 1;    // reward of coming nearer to the reference path
  Ramp task_weight;          // of the task's own reward; reaches its end half-way through the stage
  double alive_reward = 0;   // per step
  double fall_cost = 0;      // of an episode that ends early
  Ramp deviation;            // of the noise that explores, before the tanh
  Ramp learning_rate;
  double longest_advantage = 1e9;  // in deviations; longer ones are cut
  GoalTargets targets = GoalTargets::kAll;
  bool keep = false;  // cells may be solved by the policy as it is after this stage, too
};

// The stages for a task, each with `share` of the iterations that it was made for: all cells, or those that are left
// after its symmetries.
std::vector<GoalStage> goal_schedule(const TaskInfo& info, bool symmetric, double share);

std::size_t rollouts_of(const std::vector<GoalStage>& stages);

}  // namespace aria
