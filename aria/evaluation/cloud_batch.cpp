#include "aria/evaluation/cloud_batch.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "aria/core/parallel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/evaluation/cloud_batch.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

// Plain declarations that every SIMD target's pass over this file shares.
#ifndef ARIA_EVALUATION_CLOUD_BATCH_SHARED_
#define ARIA_EVALUATION_CLOUD_BATCH_SHARED_

namespace aria {

// Sums are kept in sixteen strands whatever the vector length, so their order is fixed: value e of an array goes to
// strand e % 16. With a descriptor size that divides sixteen, each strand then belongs to one coordinate.
inline constexpr std::size_t kStrands = 16;

// Some solutions' evaluations, and where their summaries go.
struct CloudRows {
  const float* fitness;      // (solutions x samples)
  const float* descriptors;  // (solutions x samples x dimensions)
  std::size_t solutions;
  std::size_t samples;
  std::size_t dimensions;
  float* mean_fitness;       // (solutions)
  float* mean_descriptors;   // (solutions x dimensions)
  double* variance;          // (solutions); null: not wanted
};

// One solution at a time, in any dimension, with or without failures.
void summarise_plainly(const CloudRows& rows, std::size_t solution);

}  // namespace aria

#endif  // ARIA_EVALUATION_CLOUD_BATCH_SHARED_

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using DoubleTag = hn::CappedTag<double, 8>;

// Adds up the values themselves.
struct Plain {
  template <class V>
  HWY_INLINE V operator()(V x, std::size_t) const {
    return x;
  }
  HWY_INLINE double Scalar(double x, std::size_t) const { return x; }
};

// Adds up squares around a centre per strand. Not fused: then targets without fused multiply-add agree as well.
struct SquaresAround {
  const double* centre;  // (kStrands)
  template <class V>
  HWY_INLINE V operator()(V x, std::size_t strand) const {
    const auto difference = hn::Sub(x, hn::Load(DoubleTag(), centre + strand));
    return hn::Mul(difference, difference);
  }
  HWY_INLINE double Scalar(double x, std::size_t strand) const { return (x - centre[strand]) * (x - centre[strand]); }
};

// The sum over each of `period` interleaved coordinates; it divides kStrands. `strand` is aligned memory to work in,
// whose first `period` entries are the result.
template <class F>
HWY_INLINE void SumInStrands(const float* values, std::size_t count, std::size_t period, const F& f, double* strand) {
  const DoubleTag d;
  const hn::Rebind<float, DoubleTag> df;
  constexpr std::size_t kLanes = hn::MaxLanes(DoubleTag());
  constexpr std::size_t kVectors = kStrands / kLanes;
  const std::size_t whole = count / kStrands * kStrands;
  hn::Vec<DoubleTag> sum[kVectors];
  for (auto& s : sum) s = hn::Zero(d);
  for (std::size_t e = 0; e < whole; e += kStrands) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      const auto x = hn::PromoteTo(d, hn::LoadU(df, values + e + v * kLanes));
      sum[v] = hn::Add(sum[v], f(x, v * kLanes));
    }
  }
  for (std::size_t v = 0; v < kVectors; ++v) hn::Store(sum[v], d, strand + v * kLanes);
  for (std::size_t e = whole; e < count; ++e) strand[e - whole] += f.Scalar(values[e], e - whole);
  for (std::size_t half = kStrands / 2; half >= period; half /= 2) {
    for (std::size_t s = 0; s < half; ++s) strand[s] += strand[s + half];
  }
}

// The descriptor's size divides kStrands.
void SummariseClouds(const CloudRows& rows) {
  const auto n = static_cast<double>(rows.samples);
  const std::size_t m = rows.dimensions;
  HWY_ALIGN double strand[kStrands];
  HWY_ALIGN double centre[kStrands];
  for (std::size_t i = 0; i < rows.solutions; ++i) {
    SumInStrands(rows.fitness + i * rows.samples, rows.samples, 1, Plain(), strand);
    if (std::isnan(strand[0])) {
      // something failed
      summarise_plainly(rows, i);
      continue;
    }
    rows.mean_fitness[i] = static_cast<float>(strand[0] / n);
    const float* descriptors = rows.descriptors + i * rows.samples * m;
    SumInStrands(descriptors, rows.samples * m, m, Plain(), strand);
    for (std::size_t k = 0; k < m; ++k) {
      centre[k] = strand[k] / n;
      rows.mean_descriptors[i * m + k] = static_cast<float>(centre[k]);
    }
    if (rows.variance == nullptr) continue;
    // a second pass around the means, which a difference of sums would lose to rounding
    for (std::size_t s = m; s < kStrands; ++s) centre[s] = centre[s - m];
    SumInStrands(descriptors, rows.samples * m, m, SquaresAround{centre}, strand);
    double squares = 0;
    for (std::size_t k = 0; k < m; ++k) squares += strand[k];
    rows.variance[i] = rows.samples >= 2 ? squares / (n - 1) : std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(SummariseClouds);

namespace {

// Evaluations that one thread sums up at a time: some microseconds. Part of nothing's result.
constexpr std::size_t kEvaluationsAtOnce = 8192;

}  // namespace

void summarise_plainly(const CloudRows& rows, std::size_t solution) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const std::size_t m = rows.dimensions;
  const float* fitness = rows.fitness + solution * rows.samples;
  const float* descriptors = rows.descriptors + solution * rows.samples * m;
  // adds up f over the evaluations that did not fail
  const auto sum = [&](const auto& f) {
    double total = 0;
    for (std::size_t s = 0; s < rows.samples; ++s) {
      if (!std::isnan(fitness[s])) total += f(s);
    }
    return total;
  };
  const double n = sum([](std::size_t) { return 1.0; });
  // 0 / 0 is NaN: nothing is known
  rows.mean_fitness[solution] = static_cast<float>(sum([&](std::size_t s) { return double{fitness[s]}; }) / n);
  double squares = 0;
  for (std::size_t k = 0; k < m; ++k) {
    const auto value = [&](std::size_t s) { return double{descriptors[s * m + k]}; };
    const double mean = sum(value) / n;
    rows.mean_descriptors[solution * m + k] = static_cast<float>(mean);
    if (rows.variance == nullptr) continue;
    squares += sum([&](std::size_t s) { return (value(s) - mean) * (value(s) - mean); });
  }
  if (rows.variance != nullptr) rows.variance[solution] = n >= 2 ? squares / (n - 1) : kUnknown;
}

void summarise_clouds(std::span<const float> fitness, MatrixView descriptors, std::size_t samples, bool variance,
                      CloudBatch& out) {
  assert(samples >= 1 && fitness.size() % samples == 0 && descriptors.rows() == fitness.size());
  const std::size_t solutions = fitness.size() / samples;
  const std::size_t m = descriptors.columns();
  out.fitness.resize(solutions);
  out.descriptors.resize(solutions, m);
  out.variance.resize(variance ? solutions : 0);
  const std::size_t block = std::max<std::size_t>(1, kEvaluationsAtOnce / samples);
  parallel_for((solutions + block - 1) / block, 1, [&](std::size_t b) {
    const std::size_t first = b * block;
    const CloudRows rows{.fitness = fitness.data() + first * samples,
                         .descriptors = descriptors.data() + first * samples * m,
                         .solutions = std::min(block, solutions - first),
                         .samples = samples,
                         .dimensions = m,
                         .mean_fitness = out.fitness.data() + first,
                         .mean_descriptors = out.descriptors.data() + first * m,
                         .variance = variance ? out.variance.data() + first : nullptr};
    if (kStrands % m == 0) {
      HWY_DYNAMIC_DISPATCH(SummariseClouds)(rows);
    } else {
      for (std::size_t i = 0; i < rows.solutions; ++i) summarise_plainly(rows, i);
    }
  });
}

}  // namespace aria
#endif  // HWY_ONCE
