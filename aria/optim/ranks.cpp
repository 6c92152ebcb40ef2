#include "aria/optim/ranks.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/optim/ranks.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/core/math-inl.h"

// Plain declarations that every SIMD target's pass over this file shares.
#ifndef ARIA_OPTIM_RANKS_SHARED_
#define ARIA_OPTIM_RANKS_SHARED_

namespace aria {

// Scores of one bucket are compared with each other one by one; above this many the bucket is sorted instead.
inline constexpr std::size_t kMaxWindow = 16;
// Between tiers lie as many infinities and then minus infinities as a window may reach.
inline constexpr std::size_t kGap = 2 * kMaxWindow;
// Counts of buckets are added up four at a time, 16 bits each.
inline constexpr std::uint32_t kBucketsPerWord = 4;
// What 16 bits can number: buckets are twice as many as scores, places have gaps between them.
inline constexpr std::size_t kMaxNarrow = 32'000;

struct TierRange {
  float lowest, highest;
  std::uint32_t count;
};

// Buckets of equal width over the scores of each tier, two for each score.
struct BucketLayout {
  static constexpr std::size_t kTiers = TieredScores::kTiers;
  float half_lowest[kTiers];
  float per_unit[kTiers];
  float last[kTiers];               // number of the tier's last bucket, from its first
  std::uint32_t first[kTiers + 1];  // first bucket of a tier, a multiple of kBucketsPerWord
  float first_as_float[kTiers];
  std::uint32_t begin[kTiers];  // where a tier begins in the sorted scores
  std::uint32_t rank_of_begin[kTiers];
  std::uint32_t count[kTiers];

  explicit BucketLayout(const TierRange (&range)[kTiers]) {
    std::uint32_t bucket = 0;
    std::uint32_t rank = 0;
    for (std::size_t t = 0; t < kTiers; ++t) {
      const auto buckets = static_cast<float>(2 * range[t].count);
      // halves, because the width from the lowest to the highest float is no float
      const float scale = buckets / (0.5f * range[t].highest - 0.5f * range[t].lowest);
      // where all scores are equal, or nearly, one bucket takes them all
      const bool spread = range[t].count > 0 && scale > 0 && scale <= std::numeric_limits<float>::max();
      half_lowest[t] = range[t].count > 0 ? 0.5f * range[t].lowest : 0.0f;
      per_unit[t] = spread ? scale : 0.0f;
      last[t] = spread ? buckets : 0.0f;
      first[t] = bucket;
      begin[t] = rank + static_cast<std::uint32_t>((t + 1) * kGap);
      rank_of_begin[t] = rank;
      count[t] = range[t].count;
      bucket += (2 * range[t].count + kBucketsPerWord) / kBucketsPerWord * kBucketsPerWord;
      rank += range[t].count;
    }
    first[kTiers] = bucket;
    for (std::size_t t = 0; t < kTiers; ++t) first_as_float[t] = static_cast<float>(first[t]);
  }
  std::uint32_t buckets() const { return first[kTiers]; }
};

}  // namespace aria

#endif  // ARIA_OPTIM_RANKS_SHARED_

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// Loads are of whole vectors: the last one is read again from further back, which changes neither minimum nor maximum.
void FindRanges(const float* score, const std::uint8_t* tier, std::size_t n, TierRange (&range)[3]) {
  for (auto& r : range) r = {std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest(), 0};
  const FloatTag d;
  const IntTag di;
  const hn::Rebind<std::uint8_t, IntTag> du8;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  if (n >= lanes) {
    FloatVec lowest[3];
    FloatVec highest[3];
    for (int t = 0; t < 3; ++t) {
      lowest[t] = hn::Set(d, range[t].lowest);
      highest[t] = hn::Set(d, range[t].highest);
    }
    for (; i + lanes <= n; i += lanes) {
      const auto s = hn::LoadU(d, score + i);
      const auto which = hn::PromoteTo(di, hn::LoadU(du8, tier + i));
      for (int t = 0; t < 3; ++t) {
        const auto mine = hn::RebindMask(d, hn::Eq(which, hn::Set(di, t)));
        lowest[t] = hn::Min(lowest[t], hn::IfThenElse(mine, s, lowest[t]));
        highest[t] = hn::Max(highest[t], hn::IfThenElse(mine, s, highest[t]));
        range[t].count += static_cast<std::uint32_t>(hn::CountTrue(d, mine));
      }
    }
    for (int t = 0; t < 3; ++t) {
      range[t].lowest = hn::GetLane(hn::MinOfLanes(d, lowest[t]));
      range[t].highest = hn::GetLane(hn::MaxOfLanes(d, highest[t]));
    }
  }
  for (; i < n; ++i) {
    TierRange& r = range[tier[i]];
    r.lowest = std::min(r.lowest, score[i]);
    r.highest = std::max(r.highest, score[i]);
    ++r.count;
  }
}

// Monotone in the score: subtraction, multiplication by a positive number and truncation all are.
HWY_INLINE std::uint32_t BucketOf(const BucketLayout& layout, float score, std::uint8_t tier) {
  const float place = std::min((0.5f * score - layout.half_lowest[tier]) * layout.per_unit[tier], layout.last[tier]);
  return layout.first[tier] + static_cast<std::uint32_t>(static_cast<std::int32_t>(place));
}

template <class Index>
HWY_INLINE void FindBucketsOf(const BucketLayout& layout, const float* score, const std::uint8_t* tier, std::size_t n,
                              Index* bucket) {
  const FloatTag d;
  const IntTag di;
  const hn::Rebind<std::uint8_t, IntTag> du8;
  const hn::Rebind<Index, IntTag> dindex;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    const auto which = hn::PromoteTo(di, hn::LoadU(du8, tier + i));
    const auto is0 = hn::RebindMask(d, hn::Eq(which, hn::Zero(di)));
    const auto is1 = hn::RebindMask(d, hn::Eq(which, hn::Set(di, 1)));
    const auto choose = [&](const float* of) HWY_ATTR {
      return hn::IfThenElse(is0, hn::Set(d, of[0]), hn::IfThenElse(is1, hn::Set(d, of[1]), hn::Set(d, of[2])));
    };
    const auto half = hn::Mul(hn::LoadU(d, score + i), hn::Set(d, 0.5f));
    const auto place =
        hn::Min(hn::Mul(hn::Sub(half, choose(layout.half_lowest)), choose(layout.per_unit)), choose(layout.last));
    const auto number = hn::Add(hn::ConvertTo(di, place), hn::ConvertTo(di, choose(layout.first_as_float)));
    if constexpr (sizeof(Index) == 2) {
      hn::StoreU(hn::DemoteTo(dindex, number), dindex, bucket + i);
    } else {
      hn::StoreU(hn::BitCast(dindex, number), dindex, bucket + i);
    }
  }
  for (; i < n; ++i) bucket[i] = static_cast<Index>(BucketOf(layout, score[i], tier[i]));
}

void FindNarrowBuckets(const BucketLayout& layout, const float* score, const std::uint8_t* tier, std::size_t n,
                       std::uint16_t* bucket) {
  FindBucketsOf(layout, score, tier, n, bucket);
}

void FindWideBuckets(const BucketLayout& layout, const float* score, const std::uint8_t* tier, std::size_t n,
                     std::uint32_t* bucket) {
  FindBucketsOf(layout, score, tier, n, bucket);
}

std::size_t Largest(const std::uint16_t* values, std::size_t n) {
  const hn::ScalableTag<std::uint16_t> d;
  auto most = hn::Zero(d);
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) most = hn::Max(most, hn::LoadU(d, values + i));
  HWY_ALIGN std::uint16_t lanes[HWY_MAX_BYTES / 2];
  hn::Store(most, d, lanes);
  std::uint16_t result = *std::max_element(lanes, lanes + hn::Lanes(d));
  for (; i < n; ++i) result = std::max(result, values[i]);
  return result;
}

// utility[i] = table[position[i]]
void LookUp(const float* table, const std::uint16_t* position, std::size_t n, float* utility) {
  const FloatTag d;
  const IntTag di;
  const hn::Rebind<std::uint16_t, IntTag> d16;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    const auto place = hn::PromoteTo(di, hn::LoadU(d16, position + i));
    hn::StoreU(hn::GatherIndex(d, table, place), d, utility + i);
  }
  for (; i < n; ++i) utility[i] = table[position[i]];
}

HWY_INLINE FloatVec AddWhere(FloatVec sum, hn::Mask<FloatTag> where, FloatVec what) {
  return hn::Add(sum, hn::IfThenElseZero(where, what));
}

// The rank of every score in a tier that is sorted but for the order within buckets of at most window + 1 scores: its
// place, plus what lies behind it and is lower, minus what lies before it and is higher. An equal counts half; without
// kEquals it counts nothing, and the answer tells whether there is one behind.
template <bool kEquals>
HWY_INLINE bool RankVector(const float* sorted, std::size_t window, FloatVec place, FloatVec& rank) {
  const FloatTag d;
  const auto one = hn::Set(d, 1.0f);
  const auto half = hn::Set(d, 0.5f);
  const auto mine = hn::LoadU(d, sorted);
  auto lower = hn::Zero(d);
  auto higher = hn::Zero(d);
  auto equal = hn::Ne(mine, mine);  // none
  for (std::size_t w = 1; w <= window; ++w) {
    const auto behind = hn::LoadU(d, sorted + w);
    const auto before = hn::LoadU(d, sorted - w);
    lower = AddWhere(lower, hn::Lt(behind, mine), one);
    higher = AddWhere(higher, hn::Gt(before, mine), one);
    if constexpr (kEquals) {
      lower = AddWhere(lower, hn::Eq(behind, mine), half);
      higher = AddWhere(higher, hn::Eq(before, mine), half);
    } else {
      equal = hn::Or(equal, hn::Eq(behind, mine));
    }
  }
  rank = hn::Add(place, hn::Sub(lower, higher));
  return !hn::AllFalse(d, equal);
}

void RankWithin(const float* sorted, std::size_t count, std::size_t window, float first_rank, float step,
                float* utility) {
  const FloatTag d;
  const auto lane = hn::ConvertTo(d, hn::BitCast(IntTag(), hn::Iota(WordTag(), 0)));
  // equals are rare: they are counted only near where one was seen
  std::size_t equals_until = 0;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto place = hn::Add(hn::Set(d, first_rank + static_cast<float>(i)), lane);
    FloatVec rank;
    if (RankVector<false>(sorted + i, window, place, rank)) equals_until = i + hn::Lanes(d) + window;
    if (i < equals_until) RankVector<true>(sorted + i, window, place, rank);
    hn::StoreU(hn::MulAdd(rank, hn::Set(d, step), hn::Set(d, -0.5f)), d, utility + i);
  }
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(FindRanges);
HWY_EXPORT(FindNarrowBuckets);
HWY_EXPORT(FindWideBuckets);
HWY_EXPORT(Largest);
HWY_EXPORT(RankWithin);
HWY_EXPORT(LookUp);

namespace {

// Places every score by tier and bucket; gives back how many scores the fullest bucket holds.
std::size_t sort_by_bucket(const BucketLayout& layout, const TieredScores& scores, RankScratch& scratch) {
  const std::size_t n = scores.size();
  const float* score = scores.score.data();
  const std::uint16_t* bucket = scratch.bucket;
  std::uint16_t* next = scratch.next;
  std::uint16_t* position = scratch.position;
  float* sorted = scratch.sorted;
  std::memset(next, 0, layout.buckets() * sizeof *next);
  // how many came before it in its bucket; the only pass that reads what it has just written
  for (std::size_t i = 0; i < n; ++i) position[i] = next[bucket[i]]++;
  const std::size_t fullest = HWY_DYNAMIC_DISPATCH(Largest)(next, layout.buckets());

  // Counts become places: one multiplication adds up the four counts of a word, from the lowest on
  constexpr std::uint64_t kOnes = 0x0001000100010001u;
  for (std::size_t t = 0; t < TieredScores::kTiers; ++t) {
    std::uint64_t place = layout.begin[t];
    for (std::uint32_t b = layout.first[t]; b < layout.first[t + 1]; b += kBucketsPerWord) {
      std::uint64_t counts = 0;
      std::memcpy(&counts, next + b, sizeof counts);
      const std::uint64_t sums = counts * kOnes;
      const std::uint64_t places = (sums << 16) + place * kOnes;
      std::memcpy(next + b, &places, sizeof places);
      place += sums >> 48;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    const auto place = static_cast<std::uint16_t>(next[bucket[i]] + position[i]);
    position[i] = place;
    sorted[place] = score[i];
  }
  return fullest;
}

// The way for crowded buckets, such as a fitness rounded to a resolution fills: a bucket of equals has one utility, any
// other is sorted and its scores are looked up in it.
void rank_crowded(const BucketLayout& layout, const TieredScores& scores, float step, std::span<float> utility) {
  const std::size_t n = scores.size();
  std::vector<std::uint32_t> bucket(n);
  std::vector<std::uint32_t> end(layout.buckets() + 1, 0);
  std::vector<float> sorted(n);
  HWY_DYNAMIC_DISPATCH(FindWideBuckets)(layout, scores.score.data(), scores.tier.data(), n, bucket.data());
  for (std::size_t i = 0; i < n; ++i) ++end[bucket[i] + 1];
  for (std::size_t b = 1; b < end.size(); ++b) end[b] += end[b - 1];
  for (std::size_t i = 0; i < n; ++i) sorted[end[bucket[i]]++] = scores.score[i];

  const auto begin_of = [&](std::size_t b) { return b == 0 ? 0 : end[b - 1]; };
  const auto utility_of = [&](std::size_t first, std::size_t last) {
    return std::fma(0.5f * static_cast<float>(first + last - 1), step, -0.5f);
  };
  std::vector<float> of_equals(layout.buckets(), std::numeric_limits<float>::quiet_NaN());
  for (std::size_t b = 0; b < layout.buckets(); ++b) {
    const auto first = sorted.begin() + begin_of(b);
    const auto last = sorted.begin() + end[b];
    if (std::all_of(first, last, [&](float score) { return score == *first; })) {
      of_equals[b] = utility_of(begin_of(b), end[b]);
    } else {
      std::sort(first, last);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    utility[i] = of_equals[bucket[i]];
    if (!std::isnan(utility[i])) continue;
    const auto [first, last] =
        std::equal_range(sorted.begin() + begin_of(bucket[i]), sorted.begin() + end[bucket[i]], scores.score[i]);
    utility[i] =
        utility_of(static_cast<std::size_t>(first - sorted.begin()), static_cast<std::size_t>(last - sorted.begin()));
  }
}

}  // namespace

// Arrays that are walked together must not lie a multiple of 4 KiB apart: a load then waits for an earlier store that
// only looks like its own. Each array begins at its own offset in a page.
void RankScratch::resize(std::size_t n, std::size_t buckets, std::size_t places) {
  constexpr std::size_t kPage = 4096;
  constexpr std::size_t kStagger = 704;  // a multiple of the cache line
  const std::size_t sizes[] = {n * sizeof *bucket, buckets * sizeof *next, n * sizeof *position,
                               places * sizeof *sorted, places * sizeof *utility};
  std::size_t total = kPage;
  for (const std::size_t size : sizes) total += size + 2 * kPage;
  if (memory_.size() < total) memory_.resize(total);
  std::size_t page = kPage - reinterpret_cast<std::uintptr_t>(memory_.data()) % kPage;
  std::byte* start[5];
  for (std::size_t i = 0; i < 5; ++i) {
    start[i] = memory_.data() + page + i * kStagger;
    page += (i * kStagger + sizes[i] + kPage - 1) / kPage * kPage;
  }
  bucket = reinterpret_cast<std::uint16_t*>(start[0]);
  next = reinterpret_cast<std::uint16_t*>(start[1]);
  position = reinterpret_cast<std::uint16_t*>(start[2]);
  sorted = reinterpret_cast<float*>(start[3]);
  utility = reinterpret_cast<float*>(start[4]);
}

void centered_ranks(const TieredScores& scores, std::span<float> utility, RankScratch& scratch) {
  const std::size_t n = scores.size();
  assert(utility.size() == n && scores.tier.size() == n);
  if (n == 1) utility[0] = 0;
  if (n <= 1) return;

  TierRange range[TieredScores::kTiers];
  HWY_DYNAMIC_DISPATCH(FindRanges)(scores.score.data(), scores.tier.data(), n, range);
  const BucketLayout layout(range);
  const float step = 1.0f / static_cast<float>(n - 1);
  if (n > kMaxNarrow) {
    rank_crowded(layout, scores, step, utility);
    return;
  }

  // Room before, between and behind the tiers, where comparisons with neighbours run over the edge
  scratch.resize(n, layout.buckets(), n + (TieredScores::kTiers + 1) * kGap);
  HWY_DYNAMIC_DISPATCH(FindNarrowBuckets)(layout, scores.score.data(), scores.tier.data(), n, scratch.bucket);
  const std::size_t fullest = sort_by_bucket(layout, scores, scratch);
  if (fullest > kMaxWindow) {
    rank_crowded(layout, scores, step, utility);
    return;
  }
  for (std::size_t t = 0; t < TieredScores::kTiers; ++t) {
    float* begin = scratch.sorted + layout.begin[t];
    float* end = begin + layout.count[t];
    std::fill(begin - kMaxWindow, begin, -std::numeric_limits<float>::infinity());
    std::fill(end, end + kMaxWindow, std::numeric_limits<float>::infinity());
    HWY_DYNAMIC_DISPATCH(RankWithin)
    (begin, layout.count[t], fullest - 1, static_cast<float>(layout.rank_of_begin[t]), step,
     scratch.utility + layout.begin[t]);
  }
  HWY_DYNAMIC_DISPATCH(LookUp)(scratch.utility, scratch.position, n, utility.data());
}

}  // namespace aria
#endif  // HWY_ONCE
