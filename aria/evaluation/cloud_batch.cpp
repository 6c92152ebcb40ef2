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
  float* mean_fitness;      // (solutions)
  float* mean_descriptors;  // (solutions x dimensions)
  double* variance;         // (solutions); null: not wanted
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

// The sum over each of kPeriod interleaved coordinates. Strands are added up by halves, first whole vectors, then in
// memory: the same order for every vector length.
template <std::size_t kPeriod, class F>
HWY_INLINE void SumInStrands(const float* values, std::size_t count, const F& f, double* HWY_RESTRICT total) {
  static_assert(kStrands % kPeriod == 0);
  const DoubleTag d;
  const hn::Rebind<float, DoubleTag> df;
  constexpr std::size_t kLanes = hn::MaxLanes(DoubleTag());
  constexpr std::size_t kVectors = kStrands / kLanes;
  hn::Vec<DoubleTag> sum[kVectors];
  for (auto& s : sum) s = hn::Zero(d);
  const std::size_t whole = count / kStrands * kStrands;
  for (std::size_t e = 0; e < whole; e += kStrands) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      const auto x = hn::PromoteTo(d, hn::LoadU(df, values + e + v * kLanes));
      sum[v] = hn::Add(sum[v], f(x, v * kLanes));
    }
  }
  HWY_ALIGN double strand[kStrands];
  if (whole < count) {
    for (std::size_t v = 0; v < kVectors; ++v) hn::Store(sum[v], d, strand + v * kLanes);
    for (std::size_t e = whole; e < count; ++e) strand[e - whole] += f.Scalar(values[e], e - whole);
    for (std::size_t v = 0; v < kVectors; ++v) sum[v] = hn::Load(d, strand + v * kLanes);
  }
  constexpr std::size_t kInVectors = HWY_MAX(kLanes, kPeriod);  // strands at which vectors are of no more use
  for (std::size_t half = kStrands / 2; half >= kInVectors; half /= 2) {
    for (std::size_t v = 0; v < half / kLanes; ++v) sum[v] = hn::Add(sum[v], sum[v + half / kLanes]);
  }
  for (std::size_t v = 0; v < kInVectors / kLanes; ++v) hn::Store(sum[v], d, strand + v * kLanes);
  for (std::size_t half = kInVectors / 2; half >= kPeriod; half /= 2) {
    for (std::size_t s = 0; s < half; ++s) strand[s] += strand[s + half];
  }
  for (std::size_t k = 0; k < kPeriod; ++k) total[k] = strand[k];
}

template <std::size_t kDimensions>
HWY_INLINE void SummariseInDimensions(const CloudRows& rows) {
  constexpr std::size_t m = kDimensions;
  const double per_sample = 1 / static_cast<double>(rows.samples);
  const double per_freedom = 1 / static_cast<double>(rows.samples - 1);
  double total[m];
  HWY_ALIGN double centre[kStrands];
  for (std::size_t i = 0; i < rows.solutions; ++i) {
    double fitness;
    SumInStrands<1>(rows.fitness + i * rows.samples, rows.samples, Plain(), &fitness);
    if (std::isnan(fitness)) {
      // something failed
      summarise_plainly(rows, i);
      continue;
    }
    rows.mean_fitness[i] = static_cast<float>(fitness * per_sample);
    const float* descriptors = rows.descriptors + i * rows.samples * m;
    SumInStrands<m>(descriptors, rows.samples * m, Plain(), total);
    for (std::size_t k = 0; k < m; ++k) {
      total[k] *= per_sample;
      rows.mean_descriptors[i * m + k] = static_cast<float>(total[k]);
    }
    if (rows.variance == nullptr) continue;
    // a second pass around the means, which a difference of sums would lose to rounding
    for (std::size_t s = 0; s < kStrands; ++s) centre[s] = total[s % m];
    SumInStrands<m>(descriptors, rows.samples * m, SquaresAround{centre}, total);
    double squares = 0;
    for (std::size_t k = 0; k < m; ++k) squares += total[k];
    // of a single sample, 0 times infinity: unknown
    rows.variance[i] = squares * per_freedom;
  }
}

void SummariseClouds(const CloudRows& rows) {
  if (rows.dimensions == 1) SummariseInDimensions<1>(rows);
  if (rows.dimensions == 2) SummariseInDimensions<2>(rows);
  if (rows.dimensions == 4) SummariseInDimensions<4>(rows);
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
    if (m == 1 || m == 2 || m == 4) {
      HWY_DYNAMIC_DISPATCH(SummariseClouds)(rows);
    } else {
      for (std::size_t i = 0; i < rows.solutions; ++i) summarise_plainly(rows, i);
    }
  });
}

}  // namespace aria
#endif  // HWY_ONCE
