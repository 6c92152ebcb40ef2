#include "aria/evaluation/cloud_mean.hpp"

#include <cmath>

namespace aria {

namespace {

struct Sums {
  std::size_t finite = 0;
  double fitness = 0;
  std::vector<double> descriptor;  // (descriptor size)
};

// Adds up f(value - centre) over the evaluations that did not fail.
template <class F>
Sums sum_over(std::span<const float> fitness, MatrixView descriptors, double fitness_centre,
              const std::vector<double>& descriptor_centre, const F& f) {
  Sums sums{0, 0, std::vector<double>(descriptors.columns())};
  for (std::size_t i = 0; i < fitness.size(); ++i) {
    if (std::isnan(fitness[i])) continue;
    ++sums.finite;
    sums.fitness += f(fitness[i] - fitness_centre);
    const auto row = descriptors.row(i);
    for (std::size_t k = 0; k < row.size(); ++k) sums.descriptor[k] += f(row[k] - descriptor_centre[k]);
  }
  return sums;
}

Sums plain_sums(std::span<const float> fitness, MatrixView descriptors) {
  return sum_over(fitness, descriptors, 0, std::vector<double>(descriptors.columns()), [](double x) { return x; });
}

}  // namespace

CloudMean cloud_mean(std::span<const float> fitness, MatrixView descriptors) {
  const Sums sums = plain_sums(fitness, descriptors);
  CloudMean mean{sums.finite, 0, std::vector<float>(descriptors.columns())};
  if (sums.finite == 0) return mean;
  const auto n = static_cast<double>(sums.finite);
  mean.fitness = static_cast<float>(sums.fitness / n);
  for (std::size_t k = 0; k < mean.descriptor.size(); ++k) {
    mean.descriptor[k] = static_cast<float>(sums.descriptor[k] / n);
  }
  return mean;
}

CloudSpread cloud_spread(std::span<const float> fitness, MatrixView descriptors) {
  CloudSpread spread{0, std::vector<float>(descriptors.columns()), 0};
  Sums sums = plain_sums(fitness, descriptors);
  if (sums.finite < 2) return spread;
  const auto n = static_cast<double>(sums.finite);
  for (double& x : sums.descriptor) x /= n;
  // a second pass around the means, which a difference of sums would lose to rounding
  const Sums squares =
      sum_over(fitness, descriptors, sums.fitness / n, sums.descriptor, [](double x) { return x * x; });
  spread.fitness = static_cast<float>(std::sqrt(squares.fitness / (n - 1)));
  for (std::size_t k = 0; k < spread.descriptor.size(); ++k) {
    const double variance = squares.descriptor[k] / (n - 1);
    spread.descriptor[k] = static_cast<float>(std::sqrt(variance));
    spread.variance += variance;
  }
  return spread;
}

}  // namespace aria
