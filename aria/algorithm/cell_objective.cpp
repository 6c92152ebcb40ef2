#include "aria/algorithm/cell_objective.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/algorithm/cell_objective.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/core/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// What is left of a vector's worth of descriptors once they are read: the squared distance to the centroid and whether
// every coordinate is strictly within half a cell of it.
struct Offset {
  FloatVec squared_distance;
  hn::Mask<FloatTag> inside;

  HWY_INLINE explicit Offset(FloatVec fitness)
      : squared_distance(hn::Zero(FloatTag())), inside(hn::Eq(fitness, fitness)) {}
  HWY_INLINE void Add(FloatVec coordinate, float centre, float half_width) {
    const FloatTag d;
    const auto difference = hn::Sub(coordinate, hn::Set(d, centre));
    squared_distance = hn::MulAdd(difference, difference, squared_distance);
    inside = hn::And(inside, hn::Lt(hn::Abs(difference), hn::Set(d, half_width)));
  }
};

HWY_INLINE void StoreScores(FloatVec fitness, const Offset& offset, float per_resolution, float* score,
                            std::uint8_t* tier) {
  const FloatTag d;
  const IntTag di;
  const hn::Rebind<std::uint8_t, IntTag> du8;
  const auto largest = hn::Set(d, std::numeric_limits<float>::max());
  const auto rounded = hn::Round(hn::Mul(fitness, hn::Set(d, per_resolution)));
  const auto wanted = per_resolution > 0 ? hn::Min(hn::Max(rounded, hn::Neg(largest)), largest) : fitness;
  // the square orders as the distance does
  const auto outside = hn::Neg(hn::Min(offset.squared_distance, largest));
  const auto known = hn::Eq(fitness, fitness);
  hn::StoreU(hn::IfThenElseZero(known, hn::IfThenElse(offset.inside, wanted, outside)), d, score);
  const auto one = hn::Set(di, 1);
  const auto number = hn::Add(hn::IfThenElseZero(hn::RebindMask(di, known), one),
                              hn::IfThenElseZero(hn::RebindMask(di, offset.inside), one));
  hn::StoreU(hn::DemoteTo(du8, number), du8, tier);
}

// Whole vectors only; the caller pads.
void ScoreCell(const float* fitness, const float* descriptors, std::size_t padded, const float* centroid,
               const float* half_widths, std::size_t dimensions, float per_resolution, float* score,
               std::uint8_t* tier) {
  const FloatTag d;
  for (std::size_t i = 0; i < padded; i += hn::Lanes(d)) {
    const auto f = hn::LoadU(d, fitness + i);
    Offset offset(f);
    if (dimensions == 2) {
      FloatVec x;
      FloatVec y;
      hn::LoadInterleaved2(d, descriptors + 2 * i, x, y);
      offset.Add(x, centroid[0], half_widths[0]);
      offset.Add(y, centroid[1], half_widths[1]);
    } else {
      for (std::size_t k = 0; k < dimensions; ++k) {
        HWY_ALIGN float column[16];
        for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) column[lane] = descriptors[(i + lane) * dimensions + k];
        offset.Add(hn::Load(d, column), centroid[k], half_widths[k]);
      }
    }
    StoreScores(f, offset, per_resolution, score + i, tier + i);
  }
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(ScoreCell);

CellObjective::CellObjective(const Grid& grid, std::size_t cell, double fitness_resolution)
    : centroid_(grid.centroid(cell)),
      half_widths_(grid.half_widths().begin(), grid.half_widths().end()),
      per_resolution_(fitness_resolution > 0 ? static_cast<float>(1 / fitness_resolution) : 0.0f) {}

void CellObjective::score(std::span<const float> fitness, MatrixView descriptors, TieredScores& out) const {
  constexpr std::size_t kLanes = 16;
  const std::size_t n = fitness.size();
  const std::size_t whole = n / kLanes * kLanes;
  const std::size_t dimensions = centroid_.size();
  out.resize(n);
  const auto run = [&](const float* f, const float* d, std::size_t padded, float* score, std::uint8_t* tier) {
    HWY_DYNAMIC_DISPATCH(ScoreCell)
    (f, d, padded, centroid_.data(), half_widths_.data(), dimensions, per_resolution_, score, tier);
  };
  run(fitness.data(), descriptors.data(), whole, out.score.data(), out.tier.data());
  if (whole == n) return;
  // the rest goes by way of a padded copy
  float rest[kLanes] = {};
  float score[kLanes];
  std::uint8_t tier[kLanes];
  std::vector<float> rest_descriptors(kLanes * dimensions);
  std::copy(fitness.begin() + static_cast<std::ptrdiff_t>(whole), fitness.end(), rest);
  std::copy(descriptors.data() + whole * dimensions, descriptors.data() + n * dimensions, rest_descriptors.begin());
  run(rest, rest_descriptors.data(), kLanes, score, tier);
  std::copy(score, score + (n - whole), out.score.begin() + static_cast<std::ptrdiff_t>(whole));
  std::copy(tier, tier + (n - whole), out.tier.begin() + static_cast<std::ptrdiff_t>(whole));
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
