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
#include "aria/core/normals-inl.h"

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

struct ParentPair {
  const float* first;
  const float* second;
};

}  // namespace aria

#endif  // ARIA_ALGORITHM_VARIATION_SHARED_

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// One block per offspring: two words for the parents, one for the step along the line.
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
    const WordVec line_words[2] = {bits[0].word[2], bits[1].word[2]};
    FloatVec lines[4];
    NormalPairs<2>(line_words, lines);
    for (std::size_t n = 0; n < 2; ++n) {
      hn::StoreU(bits[n].word[0], dw, out.first_parent + lane + n * lanes);
      hn::StoreU(bits[n].word[1], dw, out.second_parent + lane + n * lanes);
      hn::StoreU(lines[2 * n], d, out.line + lane + n * lanes);
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

// `noise` in rows of `stride`.
void CombineAll(const ParentPair* parents, const float* line, float line_sigma, float iso_sigma, const float* noise,
                std::size_t stride, MutableMatrixView offspring) {
  for (std::size_t i = 0; i < offspring.rows(); ++i) {
    Combine(parents[i].first, parents[i].second, line_sigma * line[i], iso_sigma, noise + i * stride,
            offspring.columns(), offspring.row(i).data());
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

// The parents of a tile of offspring, by what was drawn for them.
class EliteParents {
 public:
  EliteParents(const Archive& archive, Key, std::span<const std::uint32_t>) : archive_(archive) {}
  const float* first(const Choices& choices, std::size_t i) const { return elite(choices.first_parent[i]); }
  const float* second(const Choices& choices, std::size_t i) const { return elite(choices.second_parent[i]); }

 private:
  const float* elite(std::uint32_t word) const { return archive_.genotype(index_from(word, archive_.size())).data(); }

  const Archive& archive_;
};

// The words that name a cell are those that name an elite; the next block of draws names the member of its front.
class FrontParents {
 public:
  FrontParents(const ParetoArchive& archive, Key key, std::span<const std::uint32_t> ids) : archive_(archive) {
    constexpr std::array<std::uint32_t, kDrawTile> kSamples{};
    draw_bits(key, Purpose::kSelection, ids, std::span<const std::uint32_t>(kSamples).first(ids.size()), 1, 1,
              members_.data());
  }
  const float* first(const Choices& choices, std::size_t i) const {
    return member(choices.first_parent[i], members_[i]);
  }
  const float* second(const Choices& choices, std::size_t i) const {
    return member(choices.second_parent[i], members_[kDrawTile + i]);
  }

 private:
  const float* member(std::uint32_t cell_word, std::uint32_t member_word) const {
    const std::size_t slot = index_from(cell_word, archive_.size());
    return archive_.genotype(slot, index_from(member_word, archive_.members(slot))).data();
  }

  const ParetoArchive& archive_;
  std::array<std::uint32_t, kDrawsPerBlock * kDrawTile> members_;  // random words
};

// Offspring number first, first + 1, ..., which name the draws; at most kDrawTile of them.
template <class Parents, class SomeArchive>
void vary(const SomeArchive& archive, float iso_sigma, float line_sigma, Key key, std::size_t first,
          MutableMatrixView offspring) {
  const std::size_t count = offspring.rows();
  const std::size_t parameters = offspring.columns();
  const std::size_t stride = normal_blocks(parameters) * kNormalsPerBlock;
  std::array<std::uint32_t, kDrawTile> ids;
  constexpr std::array<std::uint32_t, kDrawTile> kSamples{};
  std::iota(ids.begin(), ids.end(), static_cast<std::uint32_t>(first));
  const auto names = std::span<const std::uint32_t>(ids).first(count);
  thread_local std::vector<float> noise;
  noise.resize(count * stride);
  draw_normal_rows(key, Purpose::kVariation, names, std::span<const std::uint32_t>(kSamples).first(count), parameters,
                   noise.data());
  Choices choices;
  HWY_DYNAMIC_DISPATCH(DrawChoices)(key, static_cast<std::uint32_t>(first), choices);
  const Parents parents(archive, key, names);
  ParentPair pairs[kDrawTile];
  for (std::size_t i = 0; i < count; ++i) pairs[i] = {parents.first(choices, i), parents.second(choices, i)};
  HWY_DYNAMIC_DISPATCH(CombineAll)
  (pairs, choices.line, line_sigma, iso_sigma, noise.data(), stride, offspring);
}

template <class Parents, class SomeArchive>
void vary_all(const SomeArchive& archive, double iso_sigma, double line_sigma, Key key, MutableMatrixView offspring) {
  assert(archive.size() > 0);
  // the cut is part of nothing's result: draws are named, not counted
  const std::size_t stride = normal_blocks(offspring.columns()) * kNormalsPerBlock;
  const std::size_t rows = std::clamp<std::size_t>(kNoiseAtOnce / stride, 1, kDrawTile);
  parallel_for((offspring.rows() + rows - 1) / rows, 8, [&](std::size_t part) {
    const std::size_t first = part * rows;
    vary<Parents>(archive, static_cast<float>(iso_sigma), static_cast<float>(line_sigma), key, first,
                  offspring.rows(first, std::min(rows, offspring.rows() - first)));
  });
}

}  // namespace

void iso_line_variation(const Archive& archive, double iso_sigma, double line_sigma, Key key,
                        MutableMatrixView offspring) {
  vary_all<EliteParents>(archive, iso_sigma, line_sigma, key, offspring);
}

void iso_line_variation(const ParetoArchive& archive, double iso_sigma, double line_sigma, Key key,
                        MutableMatrixView offspring) {
  vary_all<FrontParents>(archive, iso_sigma, line_sigma, key, offspring);
}

}  // namespace aria
#endif  // HWY_ONCE
