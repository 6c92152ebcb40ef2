#include "aria/metrics/reevaluation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "aria/core/interval.hpp"
#include "aria/core/parallel.hpp"
#include "aria/core/require.hpp"
#include "aria/evaluation/cloud_mean.hpp"

namespace aria {

namespace {

// Evaluations per request; bounds memory, not part of the result.
constexpr std::size_t kChunk = std::size_t{1} << 18;

void resize(Reevaluation& result, std::size_t n, std::size_t m) {
  constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();
  result.objective_mean.resize(n, kUnknown);
  result.objective_std.resize(n, kUnknown);
  result.measures_mean.resize(n, m);
  result.measures_std.resize(n, m);
  result.descriptor_variance.resize(n, std::numeric_limits<double>::quiet_NaN());
  result.cell_probability.resize(n, 0);
  result.cell_probability_lower.resize(n, 0);
  result.cell_probability_upper.resize(n, 1);
  result.index.resize(n, -1);
  result.non_finite.resize(n, 0);
}

void summarise(const Grid& grid, std::span<const float> fitness, MatrixView descriptors, std::size_t row,
               Reevaluation& out) {
  const CloudMean mean = cloud_mean(fitness, descriptors);
  const CloudSpread spread = cloud_spread(fitness, descriptors);
  out.non_finite[row] = static_cast<std::int64_t>(fitness.size() - mean.finite);
  std::size_t hits = 0;
  if (mean.finite > 0) {
    const std::size_t cell = grid.cell_of(mean.descriptor);
    for (std::size_t i = 0; i < fitness.size(); ++i) {
      if (!std::isnan(fitness[i]) && grid.cell_of(descriptors.row(i)) == cell) ++hits;
    }
    out.index[row] = static_cast<std::int32_t>(cell);
    out.objective_mean[row] = mean.fitness;
    out.objective_std[row] = spread.fitness;
    out.descriptor_variance[row] = spread.variance;
    std::ranges::copy(mean.descriptor, out.measures_mean.row(row).begin());
    std::ranges::copy(spread.descriptor, out.measures_std.row(row).begin());
  } else {
    std::ranges::fill(out.measures_mean.row(row), std::numeric_limits<float>::quiet_NaN());
    std::ranges::fill(out.measures_std.row(row), std::numeric_limits<float>::quiet_NaN());
  }
  const Interval interval = wilson_interval(hits, fitness.size());
  out.cell_probability[row] = static_cast<float>(static_cast<double>(hits) / static_cast<double>(fitness.size()));
  out.cell_probability_lower[row] = static_cast<float>(interval.lower);
  out.cell_probability_upper[row] = static_cast<float>(interval.upper);
}

// Adds `count` evaluations to the samples, from evaluation `first` on.
void keep_first(const Evaluations& evaluations, std::size_t first, std::size_t count, Reevaluation& out) {
  for (std::size_t e = first; e < first + count; ++e) {
    out.objective_samples.push_back(evaluations.fitness[e]);
    out.measures_samples.append_row(evaluations.descriptors.row(e));
  }
}

}  // namespace

void ReevaluationConfig::validate() const {
  require(reevaluations >= 1 && reevaluations <= (std::size_t{1} << 24), "reevaluations", "from 1 to 2^24",
          reevaluations);
}

Reevaluation reevaluate(Evaluator& evaluator, const Grid& grid, MatrixView solutions, const ReevaluationConfig& config,
                        Key key, const std::function<bool(std::size_t)>& progress) {
  config.validate();
  Reevaluation result;
  result.samples = config.reevaluations;
  result.grid = grid;
  const std::size_t kept = std::min(config.kept_samples, config.reevaluations);
  const std::size_t chunk = std::max<std::size_t>(1, kChunk / config.reevaluations);
  SampleRequest request;
  request.samples = config.reevaluations;
  request.key = key;
  Evaluations evaluations;
  for (std::size_t first = 0; first < solutions.rows(); first += chunk) {
    if (progress && !progress(first * config.reevaluations)) break;
    const std::size_t count = std::min(chunk, solutions.rows() - first);
    request.centres.resize(count, solutions.columns());
    std::ranges::copy(solutions.rows(first, count).values(), request.centres.data());
    request.ids.resize(count);
    std::iota(request.ids.begin(), request.ids.end(), static_cast<std::uint32_t>(first));
    try {
      evaluator.evaluate(request, evaluations);
    } catch (const EvaluationStopped&) {
      break;
    }
    resize(result, first + count, grid.dimensions());
    parallel_for(count, 4, [&](std::size_t i) {
      const CentreEvaluations of = of_centre(evaluations, request, i);
      summarise(grid, of.fitness, of.descriptors, first + i, result);
    });
    for (std::size_t i = 0; i < count; ++i) keep_first(evaluations, i * request.samples, kept, result);
  }
  return result;
}

}  // namespace aria
