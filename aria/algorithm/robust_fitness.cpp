#include "aria/algorithm/robust_fitness.hpp"

#include "aria/core/require.hpp"

namespace aria {

RobustFitness::RobustFitness(double fitness_weight, const TaskInfo& info) : lowest_(info.fitness_range.lower) {
  require(fitness_weight >= 0 && fitness_weight <= 1, "fitness_weight", "from 0 to 1", fitness_weight);
  const double fitness_width = info.fitness_range.upper - info.fitness_range.lower;
  const double distance_width = info.distance_range.upper - info.distance_range.lower;
  require(fitness_width > 0, "the task's fitness range", "wider than 0", fitness_width);
  require(distance_width > 0, "the task's distance range", "wider than 0", distance_width);
  per_fitness_ = fitness_weight / fitness_width;
  per_variance_ = (1 - fitness_weight) / (distance_width * distance_width);
}

}  // namespace aria
