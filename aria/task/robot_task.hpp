// A task whose genotypes are the weights of a policy that moves a simulated robot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "aria/physics/simulator.hpp"
#include "aria/policy/mlp_shape.hpp"
#include "aria/task/robot.hpp"
#include "aria/task/task.hpp"

namespace aria {

// How a robot's episodes run.
struct EpisodeRules {
  std::size_t length = 0;  // steps after which an episode ends at the latest
  float reset_noise = 0;   // joint angles and rates start within this of rest
};

class RobotTask : public Task {
 public:
  // `info` without its number of parameters, which follows from the policy.
  RobotTask(std::shared_ptr<const Robot> robot, EpisodeRules rules, const std::vector<std::size_t>& hidden,
            TaskInfo info);

  const TaskInfo& info() const override { return info_; }
  void evaluate(const SampleRequest& request, std::size_t first, const EvaluationRows& out) const override;
  // a rollout takes as long as thousands of arms do
  std::size_t evaluations_at_once() const override { return 256; }
  void initial_genotype(Key key, std::uint32_t id, std::span<float> genotype) const override;

  const Robot& robot() const { return *robot_; }
  const Simulator& simulator() const { return simulator_; }
  const MlpShape& policy() const { return policy_; }
  const EpisodeRules& rules() const { return rules_; }

 private:
  std::shared_ptr<const Robot> robot_;
  Simulator simulator_;
  EpisodeRules rules_;
  MlpShape policy_;
  TaskInfo info_;
};

// What robots' settings share. Limits keep a mistyped number from asking for all memory.
void check_episode_length(std::size_t length);
void check_hidden_layers(const std::vector<std::size_t>& hidden);

}  // namespace aria
