// How a run went, at milestones counted in evaluations: the same run gives the same log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "aria/algorithm/status.hpp"
#include "aria/core/state.hpp"

namespace aria {

class ProgressLog {
 public:
  bool due(std::size_t evaluations) const { return evaluations >= next_; }
  void add(std::size_t evaluations, const AlgorithmStatus& status);
  std::size_t rows() const { return evaluations_.size(); }

  // Columns evaluations, phase, cells, best_fitness, then the algorithm's own figures; one line per milestone. A figure
  // that a milestone does not have is left empty.
  std::string to_csv() const;

  State save() const;
  void load(const State& state);

 private:
  std::vector<std::int64_t> evaluations_;
  std::vector<std::int64_t> phase_;  // index into phases_
  std::vector<std::int64_t> cells_;
  std::vector<double> best_fitness_;
  std::vector<std::string> phases_;
  std::vector<std::string> figure_names_;
  std::vector<std::vector<double>> figures_;  // (names x milestones), NaN where there is none
  std::size_t next_ = 0;
};

}  // namespace aria
