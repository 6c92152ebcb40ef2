#include "aria/algorithm/goal_schedule.hpp"

#include <algorithm>
#include <cmath>

namespace aria {

namespace {

constexpr double kFarMiss = 6;        // cells: with hope, a target missed by that much has half a chance
constexpr double kLeastChance = 0.3;  // what seems hopeless may be learnt late
// of those that are missed the chance is the miss itself, in cells, from one that is safe to one that is large
constexpr double kSafeMiss = 0.3;
constexpr double kLargeMiss = 1.5;

// A place is learnt in one go; then fitness counts for more. Without symmetries there are places in all directions to
// be learnt, and nothing is left for the second.
std::vector<GoalStage> place_stages(bool symmetric) {
  const GoalStage reaching{.iterations = symmetric ? 674u : 1757u,
                           .episodes = 512,
                           .task_weight = {0.005, 0.02},
                           .alive_reward = 0.02,
                           .fall_cost = 0.5,
                           .deviation = {0.5, 0.15},
                           .learning_rate = {1e-3, 2e-4},
                           .targets = GoalTargets::kMissed};
  if (!symmetric) return {reaching};
  GoalStage excelling = reaching;
  excelling.iterations = 300;
  excelling.episodes = 256;
  excelling.task_weight = {0.05, 0.1};
  excelling.deviation = {0.15, 0.1};
  excelling.learning_rate = {3e-4, 5e-5};
  return {reaching, excelling};
}

// Of long episodes a window is enough: more targets per iteration teach more than all steps of a few.
constexpr std::size_t kWindow = 250;

// All shares of time take more learning than the fundamental ones, which the stages were made for.
constexpr double kAllShares = 1.8;

// Falls are cheap first and dear later: who learns to survive first only ever stands.
std::vector<GoalStage> share_stages() {
  const GoalStage falling{.iterations = 1040,
                          .episodes = 128,
                          .discount = 0.99,
                          .path_weight = 1,
                          .task_weight = {0.1, 0.1},
                          .alive_reward = 0.5,
                          .fall_cost = 0,
                          .deviation = {0.5, 0.15},
                          .learning_rate = {1e-3, 2e-4},
                          .keep = true};
  const GoalStage standing{.iterations = 400,
                           .episodes = 256,
                           .window = kWindow,
                           .path_weight = 2,
                           .task_weight = {0.1, 0.1},
                           .alive_reward = 0.7,
                           .fall_cost = 10,
                           .deviation = {0.3, 0.2},
                           .learning_rate = {7e-4, 3e-4},
                           .keep = true};
  GoalStage walking = standing;
  walking.iterations = 600;
  walking.task_weight = {0.15, 0.15};
  walking.alive_reward = 0.2;
  walking.deviation = {0.25, 0.175};
  walking.learning_rate = {7e-4, 4e-4};
  walking.longest_advantage = 5;
  walking.targets = GoalTargets::kHopeful;
  // the second half, apart because the policy between them is worth keeping
  GoalStage walking_on = walking;
  walking_on.deviation = {0.175, 0.1};
  walking_on.learning_rate = {4e-4, 1e-4};
  GoalStage settling = standing;
  settling.iterations = 600;
  settling.path_weight = 3;
  settling.task_weight = walking.task_weight;
  settling.deviation = {0.12, 0.07};
  settling.learning_rate = {4e-4, 5e-5};
  settling.targets = GoalTargets::kHopeful;
  settling.keep = false;  // it is the policy that training ends with
  return {falling, standing, walking, walking_on, settling};
}

}  // namespace

double target_chance(GoalTargets targets, double miss) {
  const double far = miss / kFarMiss;
  switch (targets) {
    case GoalTargets::kMissed:
      return std::clamp(miss, kSafeMiss, kLargeMiss);
    case GoalTargets::kHopeful:
      return std::max(kLeastChance, 1 / (1 + far * far));
    case GoalTargets::kAll:
      break;
  }
  return 1;
}

std::size_t rollouts_of(const std::vector<GoalStage>& stages) {
  std::size_t sum = 0;
  for (const GoalStage& stage : stages) sum += stage.iterations * stage.episodes;
  return sum;
}

std::vector<GoalStage> goal_schedule(const TaskInfo& info, bool symmetric, double share) {
  const bool place = info.path->kind == DescriptorPath::Kind::kPlace;
  std::vector<GoalStage> stages = place ? place_stages(symmetric) : share_stages();
  if (!place && !symmetric) share *= kAllShares;
  for (GoalStage& stage : stages) {
    const double scaled = std::floor(share * static_cast<double>(stage.iterations));
    stage.iterations = std::max<std::size_t>(1, static_cast<std::size_t>(scaled));
  }
  return stages;
}

}  // namespace aria
