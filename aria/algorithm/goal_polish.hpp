// ARIA's own search on what a goal-conditioned policy left poor: cells that are missed, or held too loosely, are
// improved by search gradients on the whole genotype, from their own or a neighbour's. Only what is better when both
// are evaluated afresh replaces what was there.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "aria/algorithm/cell_record.hpp"
#include "aria/algorithm/evolution_search.hpp"
#include "aria/archive/grid.hpp"
#include "aria/core/key.hpp"
#include "aria/core/settings.hpp"
#include "aria/core/state.hpp"
#include "aria/task/sample_request.hpp"
#include "aria/task/task.hpp"

namespace aria {

struct GoalPolishConfig {
  std::size_t budget = 0;           // evaluations at most; 0: no polish
  double probability = 0.8;         // of landing in its cell, below which a cell is polished
  std::size_t steps = 20;           // search-gradient steps of an attempt
  std::size_t samples = 128;        // evaluations, both of what was and of what came out, that decide
  std::size_t parallel_cells = 16;  // side by side; part of what the result depends on
  SearchConfig search;

  GoalPolishConfig() { search.pairs = 128; }
  void validate() const;
};

void bind_settings(SettingTable& table, GoalPolishConfig& config);

class GoalPolish {
 public:
  // A cell's genotype and what is known of it.
  struct Solution {
    std::vector<float> genotype;
    CellRecord record;
    std::optional<AdamState> adam = std::nullopt;  // where the genotype comes from a search
  };

  GoalPolish(const GoalPolishConfig& config, double fitness_weight, std::vector<std::size_t> cells,
             std::shared_ptr<const Task> task, Key key);

  bool wanted() const { return config_.budget > 0; }
  // What there is of each cell, before the first `ask`; nothing: it has not begun.
  void begin(std::vector<Solution> solutions);

  const SampleRequest& ask();
  void tell(const Evaluations& evaluations);
  bool begun() const { return !solutions_.empty(); }
  bool done() const { return !wanted() || (begun() && active_.empty()); }

  // Evaluations so far, or at most until the end.
  std::size_t planned_evaluations() const { return done() ? spent_ : config_.budget; }

  // Of the cell at this place in `cells`.
  const Solution& solution(std::size_t i) const { return solutions_[i]; }

  State save() const;
  // Into one that has begun with what the one that was saved had begun with, if that had begun.
  void load(const State& state);

 private:
  std::size_t cost_of_attempt() const { return 2 * (config_.steps * config_.search.pairs + config_.samples); }
  double gain_of(std::size_t i) const;
  std::size_t start_of(std::size_t i) const;
  void choose();
  void start_round();
  void decide(const Evaluations& evaluations);
  void load_solutions(const State& state);
  Key round_key() const { return key_.child(round_); }

  GoalPolishConfig config_;
  double fitness_weight_;  // of the task's range of fitness, against a probability
  std::vector<std::size_t> cells_;
  std::shared_ptr<const Task> task_;
  Grid grid_;
  Key key_;
  std::vector<std::vector<std::size_t>> neighbours_;  // (cells) places in cells_

  std::size_t round_ = 0;
  std::size_t spent_ = 0;               // evaluations, of the rounds that are over
  std::vector<Solution> solutions_;     // (cells)
  std::vector<std::int64_t> attempts_;  // (cells)
  std::vector<std::size_t> active_;     // places in cells_ of those that are polished now
  EvolutionSearch search_;
  SampleRequest request_;  // of the evaluations that decide
};

}  // namespace aria
