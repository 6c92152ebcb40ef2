// The fitness of ME-Sa-R, which pays for a steady descriptor: w norm(mean fitness) - (1 - w) norm(variance), with the
// task's fitness range and, for the variance, 0 .. the square of the width of its distance range.
#pragma once

#include "aria/task/task.hpp"

namespace aria {

class RobustFitness {
 public:
  RobustFitness(double fitness_weight, const TaskInfo& info);

  double operator()(double mean_fitness, double variance) const {
    return per_fitness_ * (mean_fitness - lowest_) - per_variance_ * variance;
  }

 private:
  double lowest_;        // lower end of the fitness range
  double per_fitness_;   // w over the width of the fitness range
  double per_variance_;  // (1 - w) over the largest variance
};

}  // namespace aria
