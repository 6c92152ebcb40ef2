#include "aria/optim/ranks.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/optim/ranks.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/core/math-inl.h"

// Scores are sorted into about two buckets each, which are in order; within a bucket every score is compared with its
// few neighbours, or, where equals have crowded a bucket, all of it gets one rank.

// Plain declarations that every SIMD target's pass over this file shares.
#ifndef ARIA_OPTIM_RANKS_SHARED_
#define ARIA_OPTIM_RANKS_SHARED_

namespace aria {

inline constexpr std::size_t kTiers = TieredScores::kTiers;
// Scores of one bucket are compared with each other one by one; a bucket with more than this many is crowded.
inline constexpr std::size_t kMaxWindow = 16;
// Between tiers lie as many infinities and then minus infinities as a window may reach.
inline constexpr std::size_t kGap = 2 * kMaxWindow;
// Buckets are counted in so many segments side by side: bucket b is number b % rows of segment b / rows, and lies at
// b % rows * kSegments + b / rows. So counts are added up for all segments at once.
inline constexpr std::size_t kSegments = 32;
// Places that share one window.
inline constexpr std::size_t kPlacesPerWindow = 16;
// What 16 bits can number, with places for gaps and four buckets for each score at the most.
inline constexpr std::size_t kMaxNarrow = std::size_t{1} << 14;

struct TierRange {
  float lowest, highest;
  std::uint32_t count;
};

// Buckets of equal width over the scores of each tier. Before each tier's lies one more, which stands for the gap.
struct BucketLayout {
  std::uint32_t rows;  // buckets per segment, a power of two
  int rows_log2;
  float half_lowest[kTiers];
  float per_unit[kTiers];
  float last[kTiers];               // number of the tier's last bucket, from its first
  std::uint32_t first[kTiers];      // first bucket of a tier
  std::uint32_t begin[kTiers + 1];  // where a tier begins in the sorted scores; last, where the gap behind all ends
  std::uint32_t count[kTiers];

  BucketLayout(const TierRange (&range)[kTiers], std::size_t n)
      : rows(static_cast<std::uint32_t>(std::bit_ceil((2 * n + kSegments - 1) / kSegments))),
        rows_log2(std::countr_zero(rows)) {
    const double per_score = static_cast<double>(rows * kSegments - 2 * kTiers) / static_cast<double>(n);
    std::uint32_t bucket = 0;
    std::uint32_t place = 0;
    for (std::size_t t = 0; t < kTiers; ++t) {
      const auto buckets = static_cast<float>(std::floor(range[t].count * per_score));
      // halves, because the width from the lowest to the highest float is no float
      const float scale = buckets / (0.5f * range[t].highest - 0.5f * range[t].lowest);
      // where all scores are equal, or nearly, one bucket takes them all
      const bool spread = range[t].count > 0 && scale > 0 && scale <= std::numeric_limits<float>::max();
      half_lowest[t] = range[t].count > 0 ? 0.5f * range[t].lowest : 0.0f;
      per_unit[t] = spread ? scale : 0.0f;
      last[t] = spread ? buckets : 0.0f;
      first[t] = bucket + 1;
      begin[t] = place + static_cast<std::uint32_t>(kGap);
      count[t] = range[t].count;
      bucket += static_cast<std::uint32_t>(buckets) + 2;
      place = begin[t] + count[t];
    }
    begin[kTiers] = place + static_cast<std::uint32_t>(kGap);
    assert(bucket <= buckets_in_all());
  }
  std::size_t buckets_in_all() const { return std::size_t{rows} * kSegments; }
  std::size_t places() const { return begin[kTiers] + kPlacesPerWindow; }
  std::uint32_t gap_before(std::size_t tier) const { return first[tier] - 1; }
  std::size_t segment_of(std::uint32_t bucket) const { return bucket >> rows_log2; }
  std::size_t slot_of(std::uint32_t bucket) const { return (bucket & (rows - 1)) * kSegments + segment_of(bucket); }
};

// What one segment of buckets holds.
struct Segments {
  std::array<std::uint32_t, kSegments> count;    // scores
  std::array<std::uint32_t, kSegments> fullest;  // scores of its fullest bucket that is not crowded
  std::array<bool, kSegments> crowded;           // whether there are crowded buckets
  std::array<std::uint32_t, kSegments> begin;    // place of its first score
};

// Index: std::uint16_t where that can number everything, since memory is what ranking waits for.
template <class Index>
struct RankArrays {
  Index* bucket;         // (n) slot of each score's bucket
  Index* next;           // (buckets) how many scores a bucket holds; then, where its first one goes
  Index* position;       // (n) place of each score in `sorted`
  float* sorted;         // (places) the scores by tier and bucket, with gaps between the tiers
  float* utility;        // (places)
  std::uint8_t* window;  // (places / kPlacesPerWindow) how far a score may be from where it belongs

  // Arrays that are walked together must not lie a multiple of 4 KiB apart: a load then waits for an earlier store that
  // only looks like its own. Each array begins at its own offset in a page.
  RankArrays(RankScratch& scratch, std::size_t n, std::size_t buckets, std::size_t places) {
    constexpr std::size_t kPage = 4096;
    constexpr std::size_t kStagger = 704;  // a multiple of the cache line
    const std::size_t sizes[] = {n * sizeof *bucket,      buckets * sizeof *next,   n * sizeof *position,
                                 places * sizeof *sorted, places * sizeof *utility, places / kPlacesPerWindow + 1};
    constexpr std::size_t kArrays = std::size(sizes);
    std::size_t total = kPage;
    for (const std::size_t size : sizes) total += size + 2 * kPage;
    std::byte* memory = scratch.reserve(total);
    std::size_t page = kPage - reinterpret_cast<std::uintptr_t>(memory) % kPage;
    std::byte* start[kArrays];
    for (std::size_t i = 0; i < kArrays; ++i) {
      start[i] = memory + page + i * kStagger;
      page += (i * kStagger + sizes[i] + kPage - 1) / kPage * kPage;
    }
    bucket = reinterpret_cast<Index*>(start[0]);
    next = reinterpret_cast<Index*>(start[1]);
    position = reinterpret_cast<Index*>(start[2]);
    sorted = reinterpret_cast<float*>(start[3]);
    utility = reinterpret_cast<float*>(start[4]);
    window = reinterpret_cast<std::uint8_t*>(start[5]);
  }
};

}  // namespace aria

#endif  // ARIA_OPTIM_RANKS_SHARED_

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// Loads are of whole vectors; what is left over at the end is looked at one by one.
void FindRanges(const float* score, const std::uint8_t* tier, std::size_t n, TierRange (&range)[kTiers]) {
  for (auto& r : range) r = {std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest(), 0};
  const FloatTag d;
  const IntTag di;
  const hn::Rebind<std::uint8_t, IntTag> du8;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  if (n >= lanes) {
    FloatVec lowest[kTiers];
    FloatVec highest[kTiers];
    for (std::size_t t = 0; t < kTiers; ++t) {
      lowest[t] = hn::Set(d, range[t].lowest);
      highest[t] = hn::Set(d, range[t].highest);
    }
    for (; i + lanes <= n; i += lanes) {
      const auto s = hn::LoadU(d, score + i);
      const auto which = hn::PromoteTo(di, hn::LoadU(du8, tier + i));
      for (std::size_t t = 0; t < kTiers; ++t) {
        const auto mine = hn::RebindMask(d, hn::Eq(which, hn::Set(di, static_cast<int>(t))));
        lowest[t] = hn::Min(lowest[t], hn::IfThenElse(mine, s, lowest[t]));
        highest[t] = hn::Max(highest[t], hn::IfThenElse(mine, s, highest[t]));
        range[t].count += static_cast<std::uint32_t>(hn::CountTrue(d, mine));
      }
    }
    for (std::size_t t = 0; t < kTiers; ++t) {
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
template <class Index>
HWY_INLINE void FindBuckets(const BucketLayout& layout, const float* score, const std::uint8_t* tier, std::size_t n,
                            Index* bucket) {
  const FloatTag d;
  const IntTag di;
  const hn::Rebind<std::uint8_t, IntTag> du8;
  const hn::Rebind<Index, IntTag> dindex;
  const auto row = hn::Set(di, static_cast<int>(layout.rows - 1));
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    const auto which = hn::PromoteTo(di, hn::LoadU(du8, tier + i));
    const auto is0 = hn::RebindMask(d, hn::Eq(which, hn::Zero(di)));
    const auto is1 = hn::RebindMask(d, hn::Eq(which, hn::Set(di, 1)));
    const auto choose = [&](const float* of) HWY_ATTR {
      return hn::IfThenElse(is0, hn::Set(d, of[0]), hn::IfThenElse(is1, hn::Set(d, of[1]), hn::Set(d, of[2])));
    };
    const auto choose_number = [&](const std::uint32_t* of) HWY_ATTR {
      const auto number = [&](int t) HWY_ATTR { return hn::Set(di, static_cast<int>(of[t])); };
      return hn::IfThenElse(hn::RebindMask(di, is0), number(0),
                            hn::IfThenElse(hn::RebindMask(di, is1), number(1), number(2)));
    };
    const auto half = hn::Mul(hn::LoadU(d, score + i), hn::Set(d, 0.5f));
    const auto place =
        hn::Min(hn::Mul(hn::Sub(half, choose(layout.half_lowest)), choose(layout.per_unit)), choose(layout.last));
    const auto number = hn::Add(hn::ConvertTo(di, place), choose_number(layout.first));
    static_assert(kSegments == 32);
    const auto slot = hn::Or(hn::ShiftLeft<5>(hn::And(number, row)), hn::ShiftRightSame(number, layout.rows_log2));
    if constexpr (sizeof(Index) == 2) {
      hn::StoreU(hn::DemoteTo(dindex, slot), dindex, bucket + i);
    } else {
      hn::StoreU(hn::BitCast(dindex, slot), dindex, bucket + i);
    }
  }
  for (; i < n; ++i) {
    const std::uint8_t t = tier[i];
    const float place = std::min((0.5f * score[i] - layout.half_lowest[t]) * layout.per_unit[t], layout.last[t]);
    bucket[i] =
        static_cast<Index>(layout.slot_of(layout.first[t] + static_cast<std::uint32_t>(static_cast<int>(place))));
  }
}

// What the segments hold, but for their begins.
template <class Index>
HWY_INLINE void CountSegments(const Index* counts, std::size_t rows, Segments& segments) {
  const hn::CappedTag<Index, kSegments> d;
  const auto most = hn::Set(d, static_cast<Index>(kMaxWindow));
  for (std::size_t segment = 0; segment < kSegments; segment += hn::Lanes(d)) {
    auto count = hn::Zero(d);
    auto fullest = hn::Zero(d);
    auto fullest_of_all = hn::Zero(d);
    for (std::size_t row = 0; row < rows; ++row) {
      const auto here = hn::LoadU(d, counts + row * kSegments + segment);
      count = hn::Add(count, here);
      fullest_of_all = hn::Max(fullest_of_all, here);
      // a crowded bucket counts nothing
      fullest = hn::Max(fullest, hn::IfThenZeroElse(hn::Gt(here, most), here));
    }
    HWY_ALIGN Index lanes[3][kSegments];
    hn::Store(count, d, lanes[0]);
    hn::Store(fullest, d, lanes[1]);
    hn::Store(fullest_of_all, d, lanes[2]);
    for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
      segments.count[segment + lane] = lanes[0][lane];
      segments.fullest[segment + lane] = lanes[1][lane];
      segments.crowded[segment + lane] = lanes[2][lane] > kMaxWindow;
    }
  }
}

// Counts become places.
template <class Index>
HWY_INLINE void AddUp(const Segments& segments, std::size_t rows, Index* next) {
  const hn::CappedTag<Index, kSegments> d;
  for (std::size_t segment = 0; segment < kSegments; segment += hn::Lanes(d)) {
    HWY_ALIGN Index lanes[kSegments];
    for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
      lanes[lane] = static_cast<Index>(segments.begin[segment + lane]);
    }
    auto place = hn::Load(d, lanes);
    for (std::size_t row = 0; row < rows; ++row) {
      Index* here = next + row * kSegments + segment;
      const auto count = hn::LoadU(d, here);
      hn::StoreU(place, d, here);
      place = hn::Add(place, count);
    }
  }
}

// position[i] += next[bucket[i]], and the scores go there. Two bytes behind `next` are read as well.
template <class Index>
HWY_INLINE void Place(const Index* bucket, const Index* next, const float* score, std::size_t n, Index* position,
                      float* sorted) {
  const FloatTag d;
  const IntTag di;
  const hn::Rebind<Index, IntTag> dindex;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    if constexpr (sizeof(Index) == 2) {
      const auto slot = hn::PromoteTo(di, hn::LoadU(dindex, bucket + i));
      const auto two = hn::GatherOffset(di, reinterpret_cast<const std::int32_t*>(next), hn::Add(slot, slot));
      const auto place = hn::Add(hn::And(two, hn::Set(di, 0xFFFF)), hn::PromoteTo(di, hn::LoadU(dindex, position + i)));
      hn::StoreU(hn::DemoteTo(dindex, place), dindex, position + i);
      hn::ScatterIndex(hn::LoadU(d, score + i), d, sorted, place);
    } else {
      const auto slot = hn::BitCast(di, hn::LoadU(dindex, bucket + i));
      const auto first = hn::GatherIndex(di, reinterpret_cast<const std::int32_t*>(next), slot);
      const auto place = hn::Add(first, hn::BitCast(di, hn::LoadU(dindex, position + i)));
      hn::StoreU(hn::BitCast(dindex, place), dindex, position + i);
      hn::ScatterIndex(hn::LoadU(d, score + i), d, sorted, place);
    }
  }
  for (; i < n; ++i) {
    position[i] = static_cast<Index>(next[bucket[i]] + position[i]);
    sorted[position[i]] = score[i];
  }
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

// Of the scores of one tier, at places begin .. begin + count - 1.
void RankTier(const float* sorted, const std::uint8_t* window, std::size_t begin, std::size_t count, float first_rank,
              float step, float* utility) {
  const FloatTag d;
  const auto lane = hn::ConvertTo(d, hn::BitCast(IntTag(), hn::Iota(WordTag(), 0)));
  // equals are rare: they are counted only near where one was seen
  std::size_t equals_until = 0;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const std::size_t at = begin + i;
    const std::size_t reach =
        std::max(window[at / kPlacesPerWindow], window[(at + hn::Lanes(d) - 1) / kPlacesPerWindow]);
    const auto place = hn::Add(hn::Set(d, first_rank + static_cast<float>(i)), lane);
    FloatVec rank;
    if (RankVector<false>(sorted + at, reach, place, rank)) equals_until = i + hn::Lanes(d) + kMaxWindow;
    if (i < equals_until) RankVector<true>(sorted + at, reach, place, rank);
    hn::StoreU(hn::MulAdd(rank, hn::Set(d, step), hn::Set(d, -0.5f)), d, utility + at);
  }
}

// utility[i] = table[position[i]]
template <class Index>
HWY_INLINE void LookUp(const float* table, const Index* position, std::size_t n, float* utility) {
  const FloatTag d;
  const IntTag di;
  const hn::Rebind<Index, IntTag> dindex;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    const auto index = hn::LoadU(dindex, position + i);
    if constexpr (sizeof(Index) == 2) {
      hn::StoreU(hn::GatherIndex(d, table, hn::PromoteTo(di, index)), d, utility + i);
    } else {
      hn::StoreU(hn::GatherIndex(d, table, hn::BitCast(di, index)), d, utility + i);
    }
  }
  for (; i < n; ++i) utility[i] = table[position[i]];
}

// Dispatch at run time takes no templates.
void FindNarrowBuckets(const BucketLayout& layout, const float* score, const std::uint8_t* tier, std::size_t n,
                       std::uint16_t* bucket) {
  FindBuckets(layout, score, tier, n, bucket);
}
void FindWideBuckets(const BucketLayout& layout, const float* score, const std::uint8_t* tier, std::size_t n,
                     std::uint32_t* bucket) {
  FindBuckets(layout, score, tier, n, bucket);
}
void CountNarrowSegments(const std::uint16_t* counts, std::size_t rows, Segments& segments) {
  CountSegments(counts, rows, segments);
}
void CountWideSegments(const std::uint32_t* counts, std::size_t rows, Segments& segments) {
  CountSegments(counts, rows, segments);
}
void AddUpNarrow(const Segments& segments, std::size_t rows, std::uint16_t* next) { AddUp(segments, rows, next); }
void AddUpWide(const Segments& segments, std::size_t rows, std::uint32_t* next) { AddUp(segments, rows, next); }
void PlaceNarrow(const std::uint16_t* bucket, const std::uint16_t* next, const float* score, std::size_t n,
                 std::uint16_t* position, float* sorted) {
  Place(bucket, next, score, n, position, sorted);
}
void PlaceWide(const std::uint32_t* bucket, const std::uint32_t* next, const float* score, std::size_t n,
               std::uint32_t* position, float* sorted) {
  Place(bucket, next, score, n, position, sorted);
}
void LookUpNarrow(const float* table, const std::uint16_t* position, std::size_t n, float* utility) {
  LookUp(table, position, n, utility);
}
void LookUpWide(const float* table, const std::uint32_t* position, std::size_t n, float* utility) {
  LookUp(table, position, n, utility);
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(FindRanges);
HWY_EXPORT(FindNarrowBuckets);
HWY_EXPORT(FindWideBuckets);
HWY_EXPORT(CountNarrowSegments);
HWY_EXPORT(CountWideSegments);
HWY_EXPORT(AddUpNarrow);
HWY_EXPORT(AddUpWide);
HWY_EXPORT(PlaceNarrow);
HWY_EXPORT(PlaceWide);
HWY_EXPORT(RankTier);
HWY_EXPORT(LookUpNarrow);
HWY_EXPORT(LookUpWide);

namespace {

template <class Index>
class Ranking {
 public:
  Ranking(const TieredScores& scores, const BucketLayout& layout, RankScratch& scratch)
      : scores_(scores),
        layout_(layout),
        arrays_(scratch, scores.size(), layout.buckets_in_all(), layout.places()),
        step_(1.0f / static_cast<float>(scores.size() - 1)) {}

  void rank(std::span<float> utility) {
    sort_by_bucket();
    set_windows();
    for (std::size_t t = 0; t < kTiers; ++t) {
      const std::size_t begin = layout_.begin[t];
      const std::size_t end = begin + layout_.count[t];
      std::fill_n(arrays_.sorted + begin - kMaxWindow, kMaxWindow, -std::numeric_limits<float>::infinity());
      std::fill_n(arrays_.sorted + end, kMaxWindow, std::numeric_limits<float>::infinity());
      HWY_DYNAMIC_DISPATCH(RankTier)
      (arrays_.sorted, arrays_.window, begin, layout_.count[t], rank_of_place(t, begin), step_, arrays_.utility);
      rank_crowded_buckets(t);
    }
    if constexpr (sizeof(Index) == 2) {
      HWY_DYNAMIC_DISPATCH(LookUpNarrow)(arrays_.utility, arrays_.position, scores_.size(), utility.data());
    } else {
      HWY_DYNAMIC_DISPATCH(LookUpWide)(arrays_.utility, arrays_.position, scores_.size(), utility.data());
    }
  }

 private:
  void sort_by_bucket() {
    const std::size_t n = scores_.size();
    const Index* bucket = arrays_.bucket;
    Index* next = arrays_.next;
    Index* position = arrays_.position;
    find_buckets();
    std::memset(next, 0, layout_.buckets_in_all() * sizeof *next);
    // how many came before it in its bucket; the only pass that reads what it has just written
    for (std::size_t i = 0; i < n; ++i) position[i] = next[bucket[i]]++;
    add_up();
    const float* score = scores_.score.data();
    float* sorted = arrays_.sorted;
    if constexpr (sizeof(Index) == 2) {
      HWY_DYNAMIC_DISPATCH(PlaceNarrow)(bucket, next, score, n, position, sorted);
    } else {
      HWY_DYNAMIC_DISPATCH(PlaceWide)(bucket, next, score, n, position, sorted);
    }
  }

  void find_buckets() {
    const float* score = scores_.score.data();
    const std::uint8_t* tier = scores_.tier.data();
    if constexpr (sizeof(Index) == 2) {
      HWY_DYNAMIC_DISPATCH(FindNarrowBuckets)(layout_, score, tier, scores_.size(), arrays_.bucket);
    } else {
      HWY_DYNAMIC_DISPATCH(FindWideBuckets)(layout_, score, tier, scores_.size(), arrays_.bucket);
    }
  }

  void add_up() {
    if constexpr (sizeof(Index) == 2) {
      HWY_DYNAMIC_DISPATCH(CountNarrowSegments)(arrays_.next, layout_.rows, segments_);
    } else {
      HWY_DYNAMIC_DISPATCH(CountWideSegments)(arrays_.next, layout_.rows, segments_);
    }
    for (std::size_t t = 0; t < kTiers; ++t) {
      const std::uint32_t gap = layout_.gap_before(t);
      arrays_.next[layout_.slot_of(gap)] = kGap;
      segments_.count[layout_.segment_of(gap)] += kGap;
    }
    std::uint32_t place = 0;
    for (std::size_t s = 0; s < kSegments; ++s) {
      segments_.begin[s] = place;
      place += segments_.count[s];
    }
    if constexpr (sizeof(Index) == 2) {
      HWY_DYNAMIC_DISPATCH(AddUpNarrow)(segments_, layout_.rows, arrays_.next);
    } else {
      HWY_DYNAMIC_DISPATCH(AddUpWide)(segments_, layout_.rows, arrays_.next);
    }
  }

  // A score is as far from its place as its bucket is full, at the most; that differs from segment to segment.
  void set_windows() {
    std::memset(arrays_.window, 0, layout_.places() / kPlacesPerWindow + 1);
    for (std::size_t s = 0; s < kSegments; ++s) {
      if (segments_.fullest[s] <= 1) continue;
      const auto window = static_cast<std::uint8_t>(segments_.fullest[s] - 1);
      const std::size_t last = (segments_.begin[s] + segments_.count[s] - 1) / kPlacesPerWindow;
      for (std::size_t w = segments_.begin[s] / kPlacesPerWindow; w <= last; ++w) {
        arrays_.window[w] = std::max(arrays_.window[w], window);
      }
    }
  }

  float rank_of_place(std::size_t tier, std::size_t place) const {
    return static_cast<float>(place - (tier + 1) * kGap);
  }

  void rank_crowded_buckets(std::size_t tier) {
    const std::uint32_t first = layout_.first[tier];
    const std::uint32_t last = first + static_cast<std::uint32_t>(layout_.last[tier]);
    for (std::size_t s = layout_.segment_of(first); s <= layout_.segment_of(last); ++s) {
      if (!segments_.crowded[s]) continue;
      const auto begin = std::max<std::uint32_t>(first, static_cast<std::uint32_t>(s) * layout_.rows);
      const auto end = std::min<std::uint32_t>(last + 1, static_cast<std::uint32_t>(s + 1) * layout_.rows);
      for (std::uint32_t b = begin; b < end; ++b) {
        const std::size_t from = arrays_.next[layout_.slot_of(b)];
        const std::size_t to = b == last ? layout_.begin[tier] + layout_.count[tier] : begin_of(b + 1);
        if (to - from > kMaxWindow) rank_crowded(tier, from, to);
      }
    }
  }

  std::size_t begin_of(std::uint32_t bucket) const { return arrays_.next[layout_.slot_of(bucket)]; }

  // Nearly always a fitness that was rounded to a resolution, so that all are equal.
  void rank_crowded(std::size_t tier, std::size_t from, std::size_t to) {
    const float* sorted = arrays_.sorted;
    const auto utility_of_run = [&](std::size_t begin, std::size_t end) {
      const float mean_place = 0.5f * static_cast<float>(begin + end - 1 - 2 * (tier + 1) * kGap);
      return std::fma(mean_place, step_, -0.5f);
    };
    if (std::all_of(sorted + from, sorted + to, [&](float score) { return score == sorted[from]; })) {
      std::fill(arrays_.utility + from, arrays_.utility + to, utility_of_run(from, to));
      return;
    }
    std::vector<float> in_order(sorted + from, sorted + to);
    std::sort(in_order.begin(), in_order.end());
    for (std::size_t place = from; place < to; ++place) {
      const auto [begin, end] = std::equal_range(in_order.begin(), in_order.end(), sorted[place]);
      arrays_.utility[place] = utility_of_run(from + static_cast<std::size_t>(begin - in_order.begin()),
                                              from + static_cast<std::size_t>(end - in_order.begin()));
    }
  }

  const TieredScores& scores_;
  const BucketLayout& layout_;
  RankArrays<Index> arrays_;
  Segments segments_;
  float step_;
};

}  // namespace

void centered_ranks(const TieredScores& scores, std::span<float> utility, RankScratch& scratch) {
  const std::size_t n = scores.size();
  assert(utility.size() == n && scores.tier.size() == n);
  if (n == 1) utility[0] = 0;
  if (n <= 1) return;
  TierRange range[kTiers];
  HWY_DYNAMIC_DISPATCH(FindRanges)(scores.score.data(), scores.tier.data(), n, range);
  const BucketLayout layout(range, n);
  if (n <= kMaxNarrow) {
    Ranking<std::uint16_t>(scores, layout, scratch).rank(utility);
  } else {
    Ranking<std::uint32_t>(scores, layout, scratch).rank(utility);
  }
}

}  // namespace aria
#endif  // HWY_ONCE
