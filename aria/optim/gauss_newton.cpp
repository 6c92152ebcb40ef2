#include "aria/optim/gauss_newton.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <vector>

#include "aria/optim/cholesky.hpp"

namespace aria {

namespace {

constexpr double kRidge = 1e-6;  // relative; keeps the projection defined where slopes are alike
constexpr double kTiny = 1e-30;  // keeps it defined where there are none

double norm(std::span<const double> values) {
  double sum = 0;
  for (const double v : values) sum += v * v;
  return std::sqrt(sum);
}

}  // namespace

double gauss_newton_step(MatrixView slopes, std::span<const double> missing, std::span<const double> scale,
                         const StepLimits& limits, std::span<float> step) {
  const std::size_t m = missing.size();
  const std::size_t n = step.size();
  assert(slopes.rows() == m + 1 && slopes.columns() == n && scale.size() == m);

  // Slopes in units of their scales, and their inner products
  std::vector<double> scaled(m * n);
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t j = 0; j < n; ++j) scaled[k * n + j] = double{slopes(k + 1, j)} / scale[k];
  }
  const std::span<const float> wanted = slopes.row(0);
  std::vector<double> products(m * m);
  std::vector<double> along(m);  // inner products with the slope of the wanted output
  double trace = 0;
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += scaled[a * n + j] * scaled[b * n + j];
      products[a * m + b] = sum;
    }
    for (std::size_t j = 0; j < n; ++j) along[a] += scaled[a * n + j] * double{wanted[j]};
    trace += products[a * m + a];
  }

  // Gauss-Newton towards what is missing
  const double mean = trace / static_cast<double>(m);
  const auto solve = [&](double ridge, std::vector<double>& values) {
    std::vector<double> factor = products;
    for (std::size_t k = 0; k < m; ++k) factor[k * m + k] += ridge * mean + kTiny;
    cholesky(factor, m);
    cholesky_solve(factor, values);
  };
  std::vector<double> multipliers(m);
  for (std::size_t k = 0; k < m; ++k) multipliers[k] = missing[k] / scale[k];
  solve(limits.damping + kRidge, multipliers);
  std::vector<double> total(n);
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t j = 0; j < n; ++j) total[j] += multipliers[k] * scaled[k * n + j];
  }
  const double length = norm(total);
  const double shortened = length > limits.radius ? limits.radius / length : 1.0;

  // Climb where that changes nothing else
  solve(kRidge, along);
  std::vector<double> free(wanted.begin(), wanted.end());
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t j = 0; j < n; ++j) free[j] -= along[k] * scaled[k * n + j];
  }
  const double slope = norm(free);
  const double stretch = slope > 0 ? limits.climb / slope : 0.0;
  for (std::size_t j = 0; j < n; ++j) step[j] = static_cast<float>(shortened * total[j] + stretch * free[j]);
  return slope;
}

}  // namespace aria
