// Evolution-strategy searches side by side, each from its own genotype towards its own goal: a cell (then this is the
// reproducibility improvement mechanism, RIM) or the best fitness.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "aria/algorithm/cell_objective.hpp"
#include "aria/archive/grid.hpp"
#include "aria/core/key.hpp"
#include "aria/core/state.hpp"
#include "aria/evaluation/cloud_mean.hpp"
#include "aria/optim/adam.hpp"
#include "aria/task/sample_request.hpp"

namespace aria {

struct SearchConfig {
  std::size_t pairs = 2048;  // mirrored noise vectors per step
  double sigma = 0.02;       // standard deviation of a perturbation
  AdamConfig adam;
  double fitness_resolution = 0;       // inside the cell, fitness is compared in multiples of this; 0: exactly
  std::optional<LinearConfig> linear;  // searches for a cell order their samples by this weighted sum instead

  void validate() const;
};

// One search: where it is, and what its last samples were like.
struct Search {
  std::uint32_t id = 0;               // names its draws; the cell, where there is one
  std::optional<std::size_t> target;  // cell; none: the search is for fitness alone
  std::vector<float> genotype;        // (parameters)
  AdamState adam;
  float fitness_mean = 0;              // of the samples of the last step that did not fail
  std::vector<float> descriptor_mean;  // (dimensions) of the same; empty where all failed
};

class EvolutionSearch {
 public:
  EvolutionSearch(const SearchConfig& config, Grid grid);

  // Begins `steps` steps of the searches given; draws of step s are named by key.child(s).
  void start(std::vector<Search> searches, std::size_t steps, Key key);

  const SampleRequest& ask();
  void tell(const Evaluations& evaluations);
  // The same in parts: `tell_centre` for every search, in any order and at the same time, then `told_all`. Until then
  // nothing has happened, and the same can be asked again.
  void tell_centre(std::size_t i, const CentreEvaluations& evaluations);
  void told_all();
  bool done() const { return step_ == steps_; }

  const std::vector<Search>& searches() const { return searches_; }

  State save() const;
  void load(const State& state, Key key, std::size_t parameters);

 private:
  // What the samples of a step say of one search.
  struct Lesson {
    std::vector<float> gradient;  // (parameters)
    CloudMean mean;               // of the last step only
  };

  SearchConfig config_;
  Grid grid_;
  Key key_;
  std::size_t step_ = 0;
  std::size_t steps_ = 0;
  std::vector<Search> searches_;
  SampleRequest request_;
  std::vector<Lesson> lessons_;  // (searches)
};

}  // namespace aria
