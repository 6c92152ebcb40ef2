// A task turns a genotype into a noisy evaluation: a fitness (higher is better) and a descriptor. This is the interface
// through which tasks plug in, ours and users'.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aria/core/grid_shape.hpp"
#include "aria/core/key.hpp"
#include "aria/core/matrix.hpp"
#include "aria/policy/mlp_shape.hpp"
#include "aria/task/descriptor_path.hpp"
#include "aria/task/sample_request.hpp"

namespace aria {

struct Range {
  double lower = 0;
  double upper = 1;
};

// What the algorithms of the paper used on a task: their settings' defaults there.
struct TaskDefaults {
  std::size_t pairs = 2048;                // mirrored noise vectors per step
  std::size_t steps = 100;                 // search-gradient steps per cell
  std::size_t initial_steps = 100;         // steps of the ES initialisation
  std::size_t mean_evaluations = 2048;     // evaluations behind a mean descriptor
  double sigma = 0.02;                     // standard deviation of a perturbation
  double learning_rate = 0.01;             // of Adam
  std::size_t baseline_budget = 0;         // evaluations of an algorithm that ARIA is compared with
  std::size_t initial_budget = 2'000'000;  // evaluations of MAP-Elites where it initialises ARIA
  std::size_t gradient_budget = 500'000;   // evaluations of PGA-MAP-Elites, alone or where it initialises ARIA
  double newton_share = 0.1;               // of the baseline's budget, for ARIA-GN
  std::optional<double> newton_sigma;      // of its perturbations, where it is another
  double goal_share = 1;                   // of the training that ARIA-goal's schedule was made for
  double goal_fitness_weight = 0.3;        // of the range of fitness, against a probability, in its search
  double goal_safe_probability = 0.95;     // from which on its search leaves a cell alone
  std::size_t goal_search_rounds = 60;     // of its search
};

struct TaskInfo {
  std::string name;
  std::size_t parameters = 0;                      // length of a genotype
  std::string genotype;                            // what it is made of, where its length needs explaining
  GridShape grid;                                  // of the descriptor space
  std::vector<std::string> descriptor_names = {};  // of its coordinates; none: x, y, ...
  Range fitness_range;                             // fixed range that a single run's QD-Score is normalised by
  Range distance_range;  // of the distance between two descriptors; what spread and distance are normalised by
  TaskDefaults defaults;
  // Where a genotype is the weights of a policy that acts step by step: its shape. Such a task hands back transitions.
  std::optional<MlpShape> policy = std::nullopt;
  std::optional<DescriptorPath> path = std::nullopt;  // where the descriptor is built up along an episode of it

  std::size_t descriptor_size() const { return grid.cells.size(); }
};

// Throws an InputError that says what length is expected and from what. `what` names the genotype.
void require_genotype_length(const TaskInfo& info, std::size_t length, std::string_view what = "a genotype");

// Where a task writes a part of the evaluations.
struct EvaluationRows {
  std::span<float> fitness;        // (n)
  MutableMatrixView descriptors;   // (n x descriptor size)
  float* perturbations = nullptr;  // of the whole request, laid out as Evaluations::perturbations; null: not wanted
  std::span<EpisodeSteps> episodes = {};  // (n) the steps of each, all empty at first; none: not wanted
};

struct TaskSymmetry;  // aria/task/symmetry.hpp

class Task {
 public:
  Task() = default;
  Task(const Task&) = default;
  Task& operator=(const Task&) = default;
  virtual ~Task() = default;

  virtual const TaskInfo& info() const = 0;

  // Evaluates out.fitness.size() samples of the request from evaluation `first` on; row i of the results is evaluation
  // first + i. May be called from many threads at once; the result depends on the request alone, not on how it is cut.
  // With mirrored samples `first` and the count are even, so that pairs stay together.
  virtual void evaluate(const SampleRequest& request, std::size_t first, const EvaluationRows& out) const = 0;

  // Evaluations to hand to a thread at a time: enough to hide what that costs, few enough that no thread waits long for
  // another. Even, so that mirrored pairs stay together. No result depends on it.
  virtual std::size_t evaluations_at_once() const { return 1024; }

  // Whether `evaluate` fills out.perturbations of mirrored samples. It starts no parallel loop then.
  virtual bool keeps_perturbations() const { return false; }

  // What can be done to a genotype that does a like thing to its descriptor and nothing to its fitness, as far as
  // distributions go. Together with doing nothing they form a group. None where a task declares none.
  virtual std::vector<TaskSymmetry> symmetries() const;

  // Genotype number `id` of a random initial population.
  virtual void initial_genotype(Key key, std::uint32_t id, std::span<float> genotype) const = 0;
};

}  // namespace aria
