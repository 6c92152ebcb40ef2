// Trains the policy that is told its target: every iteration it tries for targets of its own choice, and learns.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "aria/algorithm/goal_policy.hpp"
#include "aria/algorithm/goal_schedule.hpp"
#include "aria/archive/grid.hpp"
#include "aria/core/key.hpp"
#include "aria/core/matrix.hpp"
#include "aria/core/state.hpp"
#include "aria/policy/ppo.hpp"
#include "aria/task/sample_request.hpp"
#include "aria/task/task.hpp"

namespace aria {

class GoalTrainer {
 public:
  // Targets lie in the cells given.
  GoalTrainer(const PpoConfig& config, std::vector<GoalStage> stages, std::vector<std::size_t> cells,
              std::shared_ptr<const Task> task, Key key);
  GoalTrainer(const GoalTrainer& other);  // by its state: what it works in is not worth copying
  GoalTrainer(GoalTrainer&&) = default;
  GoalTrainer& operator=(const GoalTrainer& other) { return *this = GoalTrainer(other); }
  GoalTrainer& operator=(GoalTrainer&&) = default;
  ~GoalTrainer() = default;

  const SampleRequest& ask();
  void tell(const Evaluations& evaluations);
  bool done() const { return stage_ == stages_.size(); }
  std::size_t planned_evaluations() const { return rollouts_of(stages_); }

  // The policy as it is, and as it was after stages that keep it: the newest first.
  std::vector<GoalNet> nets() const;

  // Of the last iteration, means over its episodes.
  struct Figures {
    double reward = 0;    // as it is trained for
    double distance = 0;  // between target and descriptor
    double reached = 0;   // share that ended in the target's cell
  };
  const Figures& figures() const { return figures_; }

  State save() const;
  void load(const State& state);

 private:
  const GoalStage& stage() const { return stages_[stage_]; }
  Key iteration_key() const { return key_.child(1 + iterations_); }
  double share_of_stage() const;
  std::vector<double> chances() const;
  void draw_targets();
  void collect(const EpisodeSteps& episode, std::size_t e);
  float path_distance(const EpisodeSteps& episode, std::span<const float> target, std::size_t steps) const;
  void note_outcome(const Evaluations& evaluations);
  void settle_units();

  PpoConfig config_;
  std::vector<GoalStage> stages_;
  std::vector<std::size_t> cells_;
  std::shared_ptr<const Task> task_;
  Grid grid_;
  Key key_;
  std::unique_ptr<Ppo> ppo_;
  InputUnits units_;
  std::vector<GoalNet> kept_;   // the oldest first
  std::vector<double> misses_;  // (cells) distance between target and descriptor in cells, a running mean
  std::size_t stage_ = 0;
  std::size_t iteration_ = 0;           // of the stage
  std::size_t iterations_ = 0;          // in all
  std::vector<double> sums_;            // (2 x observation size) of observations and their squares, at first
  std::vector<double> observed_ = {0};  // (1) observations behind them
  Figures figures_;

  // The present iteration
  Matrix targets_;                         // (episodes x descriptor size)
  std::vector<std::size_t> target_cells_;  // (episodes) their places among the cells
  SampleRequest request_;
  PpoSteps steps_;
};

}  // namespace aria
