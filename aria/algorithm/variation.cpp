#include "aria/algorithm/variation.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "aria/core/draws.hpp"
#include "aria/core/parallel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/algorithm/variation.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/core/draws-inl.h"

// Plain declarations that every SIMD target's pass over this file shares.
#ifndef ARIA_ALGORITHM_VARIATION_SHARED_
#define ARIA_ALGORITHM_VARIATION_SHARED_

namespace aria {

// What is drawn once per offspring.
struct Choices {
  std::uint32_t first_parent[kDrawTile];   // random words
  std::uint32_t second_parent[kDrawTile];  // random words
  float line[kDrawTile];                   // standard normal
};

}  // namespace aria

#endif  // ARIA_ALGORITHM_VARIATION_SHARED_

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// One block per offspring: two words for the parents, two for the step along the line.
void DrawChoices(Key key, std::uint32_t first, Choices& out) {
  const FloatTag d;
  const WordTag dw;
  const DrawKey draw_key(key, Purpose::kSelection);
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t lane = 0; lane < kDrawTile; lane += 2 * lanes) {
    const auto id = hn::Add(hn::Set(dw, first + static_cast<std::uint32_t>(lane)), hn::Iota(dw, 0));
    const auto more = hn::Add(id, hn::Set(dw, static_cast<std::uint32_t>(lanes)));
    const BlockName names[2] = {{id, hn::Zero(dw), hn::Zero(dw)}, {more, hn::Zero(dw), hn::Zero(dw)}};
    WordBlock bits[2];
    DrawBlocks(draw_key, names, bits);
    for (std::size_t n = 0; n < 2; ++n) {
      FloatVec line;
      FloatVec unused;
      NormalPair(bits[n].word[2], bits[n].word[3], line, unused);
      hn::StoreU(bits[n].word[0], dw, out.first_parent + lane + n * lanes);
      hn::StoreU(bits[n].word[1], dw, out.second_parent + lane + n * lanes);
      hn::StoreU(line, d, out.line + lane + n * lanes);
    }
  }
}

// child = first + (second - first) * line + iso_sigma * noise, for every parameter.
HWY_INLINE void Combine(const float* first, const float* second, float line, float iso_sigma, const float* noise,
                        std::size_t parameters, float* child) {
  const hn::CappedTag<float, 8> d;  // short genotypes are common
  std::size_t j = 0;
  for (; j + hn::Lanes(d) <= parameters; j += hn::Lanes(d)) {
    const auto a = hn::LoadU(d, first + j);
    const auto step = hn::MulAdd(hn::Sub(hn::LoadU(d, second + j), a), hn::Set(d, line), a);
    hn::StoreU(hn::MulAdd(hn::LoadU(d, noise + j), hn::Set(d, iso_sigma), step), d, child + j);
  }
  const hn::CappedTag<float, 1> d1;
  for (; j < parameters; ++j) {
    const auto a = hn::LoadU(d1, first + j);
    const auto step = hn::MulAdd(hn::Sub(hn::LoadU(d1, second + j), a), hn::Set(d1, line), a);
    hn::StoreU(hn::MulAdd(hn::LoadU(d1, noise + j), hn::Set(d1, iso_sigma), step), d1, child + j);
  }
}

// Offspring of the parents that were chosen; `genotypes` holds `parents` rows.
void CombineAll(const float* genotypes, std::size_t parents, std::size_t parameters, const Choices& choices,
                float iso_sigma, float line_sigma, const float* noise, std::size_t stride, std::size_t count,
                float* offspring) {
  for (std::size_t i = 0; i < count; ++i) {
    const float* first = genotypes + index_from(choices.first_parent[i], parents) * parameters;
    const float* second = genotypes + index_from(choices.second_parent[i], parents) * parameters;
    Combine(first, second, line_sigma * choices.line[i], iso_sigma, noise + i * stride, parameters,
            offspring + i * parameters);
  }
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(CombineAll);
HWY_EXPORT(DrawChoices);

namespace {

constexpr std::size_t kNoiseAtOnce = 4096;  // floats: a first-level cache's worth with the genotypes

// Offspring number first, first + 1, ..., which name the draws; at most kDrawTile of them.
void vary(const Archive& archive, float iso_sigma, float line_sigma, Key key, std::size_t first,
          MutableMatrixView offspring) {
  const std::size_t count = offspring.rows();
  const std::size_t parameters = offspring.columns();
  const std::size_t stride = draw_blocks(parameters) * kDrawsPerBlock;
  std::array<std::uint32_t, kDrawTile> ids;
  constexpr std::array<std::uint32_t, kDrawTile> kSamples{};
  std::iota(ids.begin(), ids.end(), static_cast<std::uint32_t>(first));
  thread_local std::vector<float> noise;
  noise.resize(count * stride);
  draw_normal_rows(key, Purpose::kVariation, std::span<const std::uint32_t>(ids).first(count),
                   std::span<const std::uint32_t>(kSamples).first(count), parameters, noise.data());
  Choices choices;
  HWY_DYNAMIC_DISPATCH(DrawChoices)(key, static_cast<std::uint32_t>(first), choices);
  HWY_DYNAMIC_DISPATCH(CombineAll)
  (archive.genotype(0).data(), archive.size(), parameters, choices, iso_sigma, line_sigma, noise.data(), stride, count,
   offspring.values().data());
}

}  // namespace

void iso_line_variation(const Archive& archive, double iso_sigma, double line_sigma, Key key,
                        MutableMatrixView offspring) {
  assert(archive.size() > 0);
  // the cut is part of nothing's result: draws are named, not counted
  const std::size_t stride = draw_blocks(offspring.columns()) * kDrawsPerBlock;
  const std::size_t rows = std::clamp<std::size_t>(kNoiseAtOnce / stride, 1, kDrawTile);
  parallel_for((offspring.rows() + rows - 1) / rows, 8, [&](std::size_t part) {
    const std::size_t first = part * rows;
    vary(archive, static_cast<float>(iso_sigma), static_cast<float>(line_sigma), key, first,
         offspring.rows(first, std::min(rows, offspring.rows() - first)));
  });
}

}  // namespace aria
#endif  // HWY_ONCE
