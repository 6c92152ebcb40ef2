// ARIA from a goal-conditioned policy (ours): one policy learns to bring about any descriptor it is told, every cell's
// genotype is read off from it, and its target is moved until the genotype lands in the cell. Then ARIA's own search
// may improve the cells that are still poor.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aria/algorithm/goal_polish.hpp"
#include "aria/algorithm/goal_search.hpp"
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
  GoalSearchConfig search;
  GoalPolishConfig polish;
  double training_share = 1;        // of the rollouts that the task's stages were made for
  std::string use_symmetry = "no";  // "yes": only fundamental cells, whose genotypes are mapped to the others

  void validate() const;
};

void bind_settings(SettingTable& table, GoalConfig& config);

class AriaGoal {
 public:
  AriaGoal(const GoalConfig& config, const std::shared_ptr<const Task>& task, Key key);

  const SampleRequest& ask();
  void tell(const Evaluations& evaluations);
  bool done() const { return search_.done() && polish_.done(); }

  // A genotype per cell, by what is known so far.
  ArchiveTable archive() const;
  std::optional<ArchiveTable> initial_archive() const { return std::nullopt; }
  AlgorithmStatus status() const;

  State save() const;
  void load(const State& state);

 private:
  void begin_polish();
  const CellRecord& record(std::size_t i) const {
    return polish_.begun() ? polish_.solution(i).record : search_.record(i);
  }

  GoalConfig config_;
  std::shared_ptr<const Task> task_;
  Grid grid_;
  SymmetricCells symmetry_;
  std::vector<std::size_t> cells_;  // that are solved
  GoalTrainer trainer_;
  GoalSearch search_;
  GoalPolish polish_;
};

}  // namespace aria
