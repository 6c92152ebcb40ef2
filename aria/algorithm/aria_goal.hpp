// ARIA from a goal-conditioned policy (ours): one policy learns to bring about any descriptor it is told, every cell's
// genotype is read off from it, and its target is moved until the genotype lands in the cell.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "aria/algorithm/goal_trainer.hpp"
#include "aria/algorithm/status.hpp"
#include "aria/algorithm/symmetric_cells.hpp"
#include "aria/archive/archive_table.hpp"
#include "aria/archive/grid.hpp"
#include "aria/core/settings.hpp"
#include "aria/task/task.hpp"

namespace aria {

struct GoalConfig {
  PpoConfig ppo;
  std::size_t training = 0;           // rollouts of training, about; 0: as many as the task's stages were made for
  std::size_t retarget_rounds = 4;    // times that all targets are moved
  std::size_t retarget_samples = 64;  // evaluations of a cell's genotype each time
  std::size_t search_rounds = 12;     // times that another target is tried for each cell that is not safe yet
  std::size_t search_samples = 16;    // evaluations of either target each time
  std::string use_symmetry = "no";    // "yes": only fundamental cells, whose genotypes are mapped to the others
  double safe_probability = 0.95;     // of landing in the cell, from which on it is left alone

  void validate() const;
};

void bind_settings(SettingTable& table, GoalConfig& config);

class AriaGoal {
 public:
  AriaGoal(const GoalConfig& config, const std::shared_ptr<const Task>& task, Key key);

  const SampleRequest& ask();
  void tell(const Evaluations& evaluations);
  bool done() const { return trainer_.done() && (round_ == rounds() || (searching() && active_.empty())); }

  // A genotype per cell, by what is known so far.
  ArchiveTable archive() const;
  std::optional<ArchiveTable> initial_archive() const { return std::nullopt; }
  AlgorithmStatus status() const;

  State save() const;
  void load(const State& state);

 private:
  // What a cell's genotype did, summed over all the times that it was looked at.
  struct Record {
    std::size_t samples = 0;         // evaluations
    std::size_t finite = 0;          // of which did not fail
    std::size_t inside = 0;          // of which landed in the cell
    double fitness = 0;              // sum
    std::vector<double> descriptor;  // sums

    std::vector<float> mean_descriptor() const;
    double probability() const;  // of landing in the cell, as it seems
    double assured() const;      // the same with a margin: a lower bound
  };

  std::size_t rounds() const { return config_.retarget_rounds + 1 + config_.search_rounds; }
  bool searching() const { return round_ > config_.retarget_rounds; }
  Key round_key() const { return key_.child(1).child(round_); }
  Record record_of(std::size_t cell, std::size_t row, const Evaluations& evaluations) const;
  std::vector<float> moved(std::span<const float> target, const Record& record, std::size_t cell, float share) const;
  void propose();
  void tell_retargeting(const Evaluations& evaluations);
  void tell_search(const Evaluations& evaluations);
  void find_active();

  GoalConfig config_;
  std::shared_ptr<const Task> task_;
  Grid grid_;
  Key key_;
  SymmetricCells symmetry_;
  std::vector<std::size_t> cells_;  // that are solved
  GoalTrainer trainer_;

  // Where each cell's genotype aims, and what came of it
  std::size_t round_ = 0;
  std::size_t searched_ = 0;         // evaluations of the search so far
  Matrix targets_;                   // (cells x descriptor size) that did best
  std::vector<Record> records_;      // (cells) what they did
  Matrix tried_;                     // (cells x descriptor size) that are tried in this round
  std::vector<std::size_t> active_;  // places in cells_ of those that are searched for
  SampleRequest request_;
};

}  // namespace aria
