// What solutions are really like: each is evaluated many times, and the clouds are summed up.
#pragma once

#include <cstddef>
#include <functional>

#include "aria/archive/grid.hpp"
#include "aria/archive/reevaluation_table.hpp"
#include "aria/core/key.hpp"
#include "aria/core/matrix.hpp"
#include "aria/evaluation/evaluator.hpp"

namespace aria {

struct ReevaluationConfig {
  std::size_t reevaluations = 1024;  // evaluations per solution
  std::size_t kept_samples = 0;      // of those, how many are kept one by one, the first; more than there are: all

  void validate() const;
};

// Draws of solution i are named by (key, i). `progress` is told the evaluations done so far and may end the work early
// by giving back false; what is returned then holds the solutions that were finished.
Reevaluation reevaluate(Evaluator& evaluator, const Grid& grid, MatrixView solutions, const ReevaluationConfig& config,
                        Key key, const std::function<bool(std::size_t)>& progress = {});

}  // namespace aria
