#include "aria/algorithm/cell_objective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "aria/core/require.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/algorithm/cell_objective.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/core/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// Calls add(k, coordinate) with coordinate k of a vector's worth of descriptors, for every k.
template <class Add>
HWY_INLINE void ForEachCoordinate(const float* descriptors, std::size_t dimensions, const Add& add) {
  const FloatTag d;
  if (dimensions == 2) {
    FloatVec x;
    FloatVec y;
    hn::LoadInterleaved2(d, descriptors, x, y);
    add(0, x);
    add(1, y);
    return;
  }
  for (std::size_t k = 0; k < dimensions; ++k) {
    HWY_ALIGN float column[16];
    for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) column[lane] = descriptors[lane * dimensions + k];
    add(k, hn::Load(d, column));
  }
}

HWY_INLINE void StoreTiers(hn::Vec<IntTag> tiers, std::uint8_t* tier) {
  const hn::Rebind<std::uint8_t, IntTag> du8;
  hn::StoreU(hn::DemoteTo(du8, tiers), du8, tier);
}

// What a cell's samples are compared with.
struct CellBox {
  const float* centroid;
  const float* half_widths;
  std::size_t dimensions;
  float per_resolution;  // 0: exact
};

template <bool kRounds>
HWY_INLINE void ScoreInBox(const float* fitness, const float* descriptors, std::size_t padded, const CellBox& box,
                           float* score, std::uint8_t* tier) {
  const FloatTag d;
  const IntTag di;
  const std::size_t dimensions = box.dimensions;
  const auto largest = hn::Set(d, std::numeric_limits<float>::max());
  const auto one = hn::Set(di, 1);
  const auto per_resolution = hn::Set(d, box.per_resolution);
  for (std::size_t i = 0; i < padded; i += hn::Lanes(d)) {
    const auto f = hn::LoadU(d, fitness + i);
    const auto known = hn::Eq(f, f);
    // The squared distance to the centroid, and whether every coordinate is strictly within half a cell of it
    auto squared_distance = hn::Zero(d);
    auto inside = known;
    ForEachCoordinate(descriptors + i * dimensions, dimensions, [&](std::size_t k, FloatVec coordinate) HWY_ATTR {
      const auto difference = hn::Sub(coordinate, hn::Set(d, box.centroid[k]));
      squared_distance = hn::MulAdd(difference, difference, squared_distance);
      inside = hn::And(inside, hn::Lt(hn::Abs(difference), hn::Set(d, box.half_widths[k])));
    });
    auto wanted = f;
    if constexpr (kRounds) {
      wanted = hn::Min(hn::Max(hn::Round(hn::Mul(f, per_resolution)), hn::Neg(largest)), largest);
    }
    // the square orders as the distance does
    const auto outside = hn::Neg(hn::Min(squared_distance, largest));
    hn::StoreU(hn::IfThenElseZero(known, hn::IfThenElse(inside, wanted, outside)), d, score + i);
    StoreTiers(hn::Add(hn::IfThenElseZero(hn::RebindMask(di, known), one),
                       hn::IfThenElseZero(hn::RebindMask(di, inside), one)),
               tier + i);
  }
}

// Whole vectors only; the caller pads.
void ScoreCell(const float* fitness, const float* descriptors, std::size_t padded, const float* centroid,
               const float* half_widths, std::size_t dimensions, float per_resolution, float* score,
               std::uint8_t* tier) {
  const CellBox box{centroid, half_widths, dimensions, per_resolution};
  if (per_resolution > 0) {
    ScoreInBox<true>(fitness, descriptors, padded, box, score, tier);
  } else {
    ScoreInBox<false>(fitness, descriptors, padded, box, score, tier);
  }
}

// Likewise.
void ScoreLinearly(const float* fitness, const float* descriptors, std::size_t padded, const float* centroid,
                   std::size_t dimensions, float per_fitness, float per_distance, float* score, std::uint8_t* tier) {
  const FloatTag d;
  const IntTag di;
  const auto largest = hn::Set(d, std::numeric_limits<float>::max());
  const auto known_tier = hn::Set(di, static_cast<int>(kInsideTier));
  for (std::size_t i = 0; i < padded; i += hn::Lanes(d)) {
    const auto f = hn::LoadU(d, fitness + i);
    const auto known = hn::Eq(f, f);
    auto squared_distance = hn::Zero(d);
    ForEachCoordinate(descriptors + i * dimensions, dimensions, [&](std::size_t k, FloatVec coordinate) HWY_ATTR {
      const auto difference = hn::Sub(coordinate, hn::Set(d, centroid[k]));
      squared_distance = hn::MulAdd(difference, difference, squared_distance);
    });
    const auto distance = hn::Sqrt(hn::Min(squared_distance, largest));
    const auto sum = hn::MulAdd(f, hn::Set(d, per_fitness), hn::Mul(distance, hn::Set(d, -per_distance)));
    const auto finite = hn::Min(hn::Max(sum, hn::Neg(largest)), largest);
    hn::StoreU(hn::IfThenElseZero(known, finite), d, score + i);
    StoreTiers(hn::IfThenElseZero(hn::RebindMask(di, known), known_tier), tier + i);
  }
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(ScoreCell);
HWY_EXPORT(ScoreLinearly);

namespace {

// Calls kernel(fitness, descriptors, count, score, tier) with whole vectors only.
template <class Kernel>
void score_in_vectors(std::span<const float> fitness, MatrixView descriptors, TieredScores& out, const Kernel& kernel) {
  constexpr std::size_t kLanes = 16;
  const std::size_t n = fitness.size();
  const std::size_t whole = n / kLanes * kLanes;
  const std::size_t dimensions = descriptors.columns();
  out.resize(n);
  kernel(fitness.data(), descriptors.data(), whole, out.score.data(), out.tier.data());
  if (whole == n) return;
  // the rest goes by way of a padded copy
  float rest[kLanes] = {};
  float score[kLanes];
  std::uint8_t tier[kLanes];
  std::vector<float> rest_descriptors(kLanes * dimensions);
  std::copy(fitness.begin() + static_cast<std::ptrdiff_t>(whole), fitness.end(), rest);
  std::copy(descriptors.data() + whole * dimensions, descriptors.data() + n * dimensions, rest_descriptors.begin());
  kernel(rest, rest_descriptors.data(), kLanes, score, tier);
  std::copy(score, score + (n - whole), out.score.begin() + static_cast<std::ptrdiff_t>(whole));
  std::copy(tier, tier + (n - whole), out.tier.begin() + static_cast<std::ptrdiff_t>(whole));
}

}  // namespace

CellObjective::CellObjective(const Grid& grid, std::size_t cell, double fitness_resolution)
    : centroid_(grid.centroid(cell)),
      half_widths_(grid.half_widths().begin(), grid.half_widths().end()),
      per_resolution_(fitness_resolution > 0 ? static_cast<float>(1 / fitness_resolution) : 0.0f) {}

void CellObjective::score(std::span<const float> fitness, MatrixView descriptors, TieredScores& out) const {
  score_in_vectors(fitness, descriptors, out,
                   [&](const float* f, const float* d, std::size_t padded, float* score, std::uint8_t* tier) {
                     HWY_DYNAMIC_DISPATCH(ScoreCell)
                     (f, d, padded, centroid_.data(), half_widths_.data(), centroid_.size(), per_resolution_, score,
                      tier);
                   });
}

void LinearConfig::validate() const {
  require(fitness_weight >= 0 && fitness_weight <= 1, "fitness_weight", "from 0 to 1", fitness_weight);
  require(fitness.upper > fitness.lower, "the task's fitness range", "wider than 0", fitness.upper - fitness.lower);
  require(distance.upper > distance.lower, "the task's distance range", "wider than 0",
          distance.upper - distance.lower);
}

LinearObjective::LinearObjective(const Grid& grid, std::size_t cell, const LinearConfig& config)
    : centroid_(grid.centroid(cell)),
      per_fitness_(static_cast<float>(config.fitness_weight / (config.fitness.upper - config.fitness.lower))),
      per_distance_(static_cast<float>((1 - config.fitness_weight) / (config.distance.upper - config.distance.lower))) {
}

void LinearObjective::score(std::span<const float> fitness, MatrixView descriptors, TieredScores& out) const {
  score_in_vectors(fitness, descriptors, out,
                   [&](const float* f, const float* d, std::size_t padded, float* score, std::uint8_t* tier) {
                     HWY_DYNAMIC_DISPATCH(ScoreLinearly)
                     (f, d, padded, centroid_.data(), centroid_.size(), per_fitness_, per_distance_, score, tier);
                   });
}

void score_by_fitness(std::span<const float> fitness, TieredScores& out) {
  out.resize(fitness.size());
  for (std::size_t i = 0; i < fitness.size(); ++i) {
    const bool known = !std::isnan(fitness[i]);
    out.score[i] = known ? fitness[i] : 0.0f;
    out.tier[i] = known ? kInsideTier : kFailedTier;
  }
}

}  // namespace aria
#endif  // HWY_ONCE
