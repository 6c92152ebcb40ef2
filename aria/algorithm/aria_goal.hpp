// ARIA from a goal-conditioned policy (ours): one policy learns to bring about any descriptor it is told, every cell's
// genotype is read off from it, and its target is moved until the genotype lands in the cell.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "aria/algorithm/goal_trainer.hpp"
#include "aria/algorithm/status.hpp"
#include "aria/archive/archive_table.hpp"
#include "aria/archive/grid.hpp"
#include "aria/core/settings.hpp"
#include "aria/task/task.hpp"

namespace aria {

struct GoalConfig {
  PpoConfig ppo;
  std::size_t training = 0;           // rollouts of training, about; 0: as many as the task's stages were made for
  std::size_t retarget_rounds = 4;    // times that the targets are moved
  std::size_t retarget_samples = 64;  // evaluations of a cell's genotype each time

  void validate() const;
};

void bind_settings(SettingTable& table, GoalConfig& config);

class AriaGoal {
 public:
  AriaGoal(const GoalConfig& config, const std::shared_ptr<const Task>& task, Key key);

  const SampleRequest& ask();
  void tell(const Evaluations& evaluations);
  bool done() const { return trainer_.done() && round_ > config_.retarget_rounds; }

  // A genotype per cell, by what is known so far.
  ArchiveTable archive() const;
  std::optional<ArchiveTable> initial_archive() const { return std::nullopt; }
  AlgorithmStatus status() const;

  State save() const;
  void load(const State& state);

 private:
  // What a cell's genotype did when it was looked at.
  struct Outcome {
    float fitness = 0;              // mean
    std::vector<float> descriptor;  // mean; empty where every evaluation failed
    double in_cell = -1;            // share of the evaluations that landed in the cell; negative: never looked at
  };

  void move_target(std::size_t i, const Outcome& outcome);
  Outcome outcome_of(std::size_t i, const Evaluations& evaluations) const;
  Key round_key() const { return key_.child(1).child(round_); }

  GoalConfig config_;
  std::shared_ptr<const Task> task_;
  Grid grid_;
  Key key_;
  std::vector<std::size_t> cells_;
  GoalTrainer trainer_;

  // Retargeting
  std::size_t round_ = 0;
  Matrix targets_;             // (cells x descriptor size) that are tried next
  Matrix best_targets_;        // (cells x descriptor size) that did best
  std::vector<Outcome> best_;  // (cells) what they did
  SampleRequest request_;
};

}  // namespace aria
