// Finds what to tell goal-conditioned policies so that they land in each cell and stay there: first by moving targets
// against what they miss, then by trying what lies around the best that is known.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "aria/algorithm/cell_record.hpp"
#include "aria/algorithm/goal_policy.hpp"
#include "aria/archive/grid.hpp"
#include "aria/core/key.hpp"
#include "aria/core/settings.hpp"
#include "aria/core/state.hpp"
#include "aria/task/sample_request.hpp"
#include "aria/task/task.hpp"

namespace aria {

struct GoalSearchConfig {
  std::size_t retarget_rounds = 4;    // times that targets are moved by what they missed, for each policy
  std::size_t retarget_samples = 32;  // evaluations of a cell's genotype each time
  std::size_t search_rounds = 60;     // times that something else is tried for each cell that is not safe yet
  std::size_t search_samples = 16;    // evaluations of what is tried
  double safe_probability = 0.95;     // of landing in the cell, from which on it is left alone
  double fitness_weight = 0.3;        // of the task's range of fitness, against a probability

  void validate() const;
};

void bind_settings(SettingTable& table, GoalSearchConfig& config);

class GoalSearch {
 public:
  GoalSearch(const GoalSearchConfig& config, std::vector<std::size_t> cells, std::shared_ptr<const Task> task, Key key);

  // The policies to choose from, the newest first; before the first `ask`.
  void begin(std::vector<GoalNet> nets);

  const SampleRequest& ask();
  void tell(const Evaluations& evaluations);
  bool begun() const { return !nets_.empty(); }
  bool done() const { return begun() && (round_ == rounds() || (round_ > stock_round() && active_.empty())); }
  bool searching() const { return begun() && round_ >= stock_round(); }

  // Evaluations so far and, at the present number of cells that are not safe, until the end.
  std::size_t planned_evaluations() const;

  // Of the cell at this place in `cells`.
  const CellRecord& record(std::size_t i) const { return best_[i].record; }
  void genotype(std::size_t i, std::span<float> out) const { fold(best_[i].aim, out); }

  State save() const;
  // Into one that has begun with the policies of the one that was saved, if that had begun.
  void load(const State& state);

 private:
  // What a policy is told.
  struct Aim {
    std::size_t net = 0;
    std::vector<float> target;
    std::vector<float> offset;  // added to what the target makes it told
  };
  struct Known {
    Aim aim;
    CellRecord record;
  };

  std::size_t rounds_per_net() const { return config_.retarget_rounds + 1; }
  std::size_t stock_round() const { return rounds_per_net() * nets_.size(); }
  std::size_t rounds() const { return stock_round() + (config_.search_rounds == 0 ? 0 : 1 + config_.search_rounds); }
  Key round_key() const { return key_.child(round_); }
  double score(const CellRecord& record) const {
    return record.score(task_->info().fitness_range, config_.fitness_weight);
  }
  void fold(const Aim& aim, std::span<float> genotype) const;
  CellRecord record_of(std::size_t i, std::size_t row, std::size_t rows, const Evaluations& evaluations) const;
  std::size_t landing_place(std::size_t i, const CellRecord& record) const;
  void move_target(Aim& aim, const CellRecord& record, std::size_t i, float share) const;
  bool wanted(std::size_t i) const;
  void find_active();
  void add_rows(std::size_t i, const Aim& aim, std::size_t rows);
  Aim variation_for(std::size_t i) const;
  void tell_retargeting(const Evaluations& evaluations);
  void tell_stock(const Evaluations& evaluations);
  void tell_search(const Evaluations& evaluations);
  void take_offers(const std::vector<Known>& offers);

  GoalSearchConfig config_;
  std::vector<std::size_t> cells_;
  std::shared_ptr<const Task> task_;
  Grid grid_;
  Key key_;
  std::vector<std::vector<std::size_t>> neighbours_;  // (cells) places in cells_
  std::vector<GoalNet> nets_;

  std::size_t round_ = 0;
  std::size_t spent_ = 0;                // evaluations
  std::vector<Known> best_;              // (cells)
  std::vector<Aim> tried_;               // (cells)
  std::vector<std::int64_t> promising_;  // (cells) 1: what was tried is looked at again before it counts
  std::vector<double> stride_;           // (cells) how far around the best is looked
  std::vector<std::size_t> active_;      // places in cells_ of those that this round is about
  SampleRequest request_;
};

}  // namespace aria
