#include "aria/optim/rank_kernels.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/optim/rank_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/core/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// The counts of the ranges. Sums of bytes: the tiers, and of the highest ones alone.
HWY_INLINE void CountTiers(const std::uint8_t* tier, std::size_t n, TierRange (&range)[kTiers]) {
  static_assert(kTiers == 3);
  const hn::ScalableTag<std::uint8_t> d;
  const std::size_t lanes = hn::Lanes(d);
  constexpr std::size_t kMostSteps = 255 / (kTiers - 1);  // after which a byte may be full
  std::uint32_t all = 0;
  std::uint32_t twos = 0;
  std::size_t i = 0;
  while (i + lanes <= n) {
    auto sum = hn::Zero(d);
    auto sum_of_twos = hn::Zero(d);
    for (std::size_t step = 0; step < kMostSteps && i + lanes <= n; ++step, i += lanes) {
      const auto t = hn::LoadU(d, tier + i);
      sum = hn::Add(sum, t);
      sum_of_twos = hn::Add(sum_of_twos, hn::And(t, hn::Set(d, std::uint8_t{2})));
    }
    HWY_ALIGN std::uint8_t bytes[2][HWY_MAX_BYTES];
    hn::Store(sum, d, bytes[0]);
    hn::Store(sum_of_twos, d, bytes[1]);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      all += bytes[0][lane];
      twos += bytes[1][lane];
    }
  }
  for (; i < n; ++i) {
    all += tier[i];
    twos += tier[i] & 2u;
  }
  range[2].count = twos / 2;
  range[1].count = all - twos;
  range[0].count = static_cast<std::uint32_t>(n) - range[1].count - range[2].count;
}

// Tells which tier each lane's score is in. The lowest is nearly always empty, and the other two take one comparison.
template <bool kThree>
class TierMasks {
 public:
  HWY_INLINE explicit TierMasks(const std::uint8_t* tier) {
    const IntTag di;
    const auto which = hn::PromoteTo(di, hn::LoadU(hn::Rebind<std::uint8_t, IntTag>(), tier));
    is_highest_ = hn::Gt(which, hn::Set(di, 1));
    if constexpr (kThree) is_lowest_ = hn::Eq(which, hn::Zero(di));
  }
  // What belongs to the score's tier, of three vectors.
  template <class V>
  HWY_INLINE V Choose(V lowest, V middle, V highest) const {
    const hn::DFromV<V> d;
    const auto upper = hn::IfThenElse(hn::RebindMask(d, is_highest_), highest, middle);
    if constexpr (kThree) return hn::IfThenElse(hn::RebindMask(d, is_lowest_), lowest, upper);
    return upper;
  }

 private:
  hn::Mask<IntTag> is_highest_, is_lowest_;
};

// Loads are of whole vectors; what is left over at the end is looked at one by one.
template <bool kThree>
HWY_INLINE void FindExtremes(const float* score, const std::uint8_t* tier, std::size_t n, TierRange (&range)[kTiers]) {
  const FloatTag d;
  constexpr std::size_t kFirst = kThree ? 0 : 1;
  const auto none_lowest = hn::Set(d, std::numeric_limits<float>::max());
  const auto none_highest = hn::Set(d, std::numeric_limits<float>::lowest());
  FloatVec lowest[kTiers];
  FloatVec highest[kTiers];
  for (std::size_t t = 0; t < kTiers; ++t) {
    lowest[t] = none_lowest;
    highest[t] = none_highest;
  }
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    const auto s = hn::LoadU(d, score + i);
    const TierMasks<kThree> masks(tier + i);
    // the score where the tier is t, else what changes nothing
    const auto among = [&](std::size_t t, FloatVec none)
                           HWY_ATTR { return masks.Choose(t == 0 ? s : none, t == 1 ? s : none, t == 2 ? s : none); };
    for (std::size_t t = kFirst; t < kTiers; ++t) {
      lowest[t] = hn::Min(lowest[t], among(t, none_lowest));
      highest[t] = hn::Max(highest[t], among(t, none_highest));
    }
  }
  for (std::size_t t = 0; t < kTiers; ++t) {
    range[t].lowest = hn::GetLane(hn::MinOfLanes(d, lowest[t]));
    range[t].highest = hn::GetLane(hn::MaxOfLanes(d, highest[t]));
  }
  for (; i < n; ++i) {
    TierRange& r = range[tier[i]];
    r.lowest = std::min(r.lowest, score[i]);
    r.highest = std::max(r.highest, score[i]);
  }
}

void FindRanges(const float* score, const std::uint8_t* tier, std::size_t n, TierRange (&range)[kTiers]) {
  CountTiers(tier, n, range);
  if (range[0].count > 0) {
    FindExtremes<true>(score, tier, n, range);
  } else {
    FindExtremes<false>(score, tier, n, range);
  }
}

// A small number plus this is rounded to a whole one, which its lowest bits then hold. Costs less than a conversion.
constexpr float kRounder = 0x1p23f;
constexpr std::uint32_t kRounderBits = 0x4B000000;

// Monotone in the score: subtraction, multiplication by a positive number, rounding and truncation all are.
template <bool kThree, class Index>
HWY_INLINE void FindBucketsAmong(const BucketLayout& layout, const float* score, const std::uint8_t* tier,
                                 std::size_t n, Index* bucket) {
  const FloatTag d;
  const IntTag di;
  const hn::Rebind<Index, IntTag> dindex;
  const auto row = hn::Set(di, static_cast<int>(layout.rows - 1));
  // In registers: the compiler cannot know that the buckets do not lie in the layout, and would load it all the time
  FloatVec half_lowest[kTiers];
  FloatVec per_unit[kTiers];
  hn::Vec<IntTag> first[kTiers];
  for (std::size_t t = 0; t < kTiers; ++t) {
    half_lowest[t] = hn::Set(d, layout.half_lowest[t]);
    per_unit[t] = hn::Set(d, layout.per_unit[t]);
    first[t] = hn::Set(di, static_cast<int>(layout.first[t] - (sizeof(Index) == 2 ? kRounderBits : 0)));
  }
  const int rows_log2 = layout.rows_log2;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    const TierMasks<kThree> masks(tier + i);
    const auto choose = [&](const auto& of) HWY_ATTR { return masks.Choose(of[0], of[1], of[2]); };
    const auto half = hn::Mul(hn::LoadU(d, score + i), hn::Set(d, 0.5f));
    auto place = hn::Mul(hn::Sub(half, choose(half_lowest)), choose(per_unit));
    // the highest score's place may be rounded up, which matters only where a float cannot tell it from the next
    if constexpr (sizeof(Index) > 2) {
      place = hn::Min(place,
                      masks.Choose(hn::Set(d, layout.last[0]), hn::Set(d, layout.last[1]), hn::Set(d, layout.last[2])));
    }
    hn::Vec<IntTag> number;
    if constexpr (sizeof(Index) == 2) {
      number = hn::Add(hn::BitCast(di, hn::Add(place, hn::Set(d, kRounder))), choose(first));
    } else {
      number = hn::Add(hn::ConvertTo(di, place), choose(first));
    }
    static_assert(kSegments == 32);
    const auto slot = hn::Or(hn::ShiftLeft<5>(hn::And(number, row)), hn::ShiftRightSame(number, rows_log2));
    if constexpr (sizeof(Index) == 2) {
      hn::StoreU(hn::DemoteTo(dindex, slot), dindex, bucket + i);
    } else {
      hn::StoreU(hn::BitCast(dindex, slot), dindex, bucket + i);
    }
  }
  for (; i < n; ++i) {
    const std::uint8_t t = tier[i];
    const float place = std::min((0.5f * score[i] - layout.half_lowest[t]) * layout.per_unit[t], layout.last[t]);
    const std::uint32_t number = sizeof(Index) == 2 ? std::bit_cast<std::uint32_t>(place + kRounder) - kRounderBits
                                                    : static_cast<std::uint32_t>(static_cast<int>(place));
    bucket[i] = static_cast<Index>(layout.slot_of(layout.first[t] + number));
  }
}

template <class Index>
HWY_INLINE void FindBuckets(const BucketLayout& layout, const float* score, const std::uint8_t* tier, std::size_t n,
                            Index* bucket) {
  if (layout.count[0] > 0) {
    FindBucketsAmong<true>(layout, score, tier, n, bucket);
  } else {
    FindBucketsAmong<false>(layout, score, tier, n, bucket);
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

// One more, and one less, where the mask says so. A mask is a vector of -1 and 0 but on AVX-512.
#if HWY_TARGET <= HWY_AVX3
HWY_INLINE hn::Vec<IntTag> CountUp(hn::Vec<IntTag> count, hn::Mask<FloatTag> where) {
  const IntTag di;
  return hn::Add(count, hn::IfThenElseZero(hn::RebindMask(di, where), hn::Set(di, 1)));
}
HWY_INLINE hn::Vec<IntTag> CountDown(hn::Vec<IntTag> count, hn::Mask<FloatTag> where) {
  const IntTag di;
  return hn::Sub(count, hn::IfThenElseZero(hn::RebindMask(di, where), hn::Set(di, 1)));
}
#else
HWY_INLINE hn::Vec<IntTag> CountUp(hn::Vec<IntTag> count, hn::Mask<FloatTag> where) {
  const IntTag di;
  return hn::Sub(count, hn::VecFromMask(di, hn::RebindMask(di, where)));
}
HWY_INLINE hn::Vec<IntTag> CountDown(hn::Vec<IntTag> count, hn::Mask<FloatTag> where) {
  const IntTag di;
  return hn::Add(count, hn::VecFromMask(di, hn::RebindMask(di, where)));
}
#endif

// Vectors of scores that are ranked side by side. On sixteen registers there is room for two.
constexpr std::size_t kRankedVectors = HWY_TARGET == HWY_AVX2 ? 2 : 1;

// The rank of every score in a tier that is sorted but for the order within buckets of at most window + 1 scores: its
// place, plus what lies behind it and is lower, minus what lies before it and is higher. An equal counts half; without
// kEquals it counts nothing, and the answer tells whether there is one behind.
template <bool kEquals>
HWY_INLINE bool RankVectors(const float* sorted, std::size_t window, float first_place,
                            FloatVec (&rank)[kRankedVectors]) {
  const FloatTag d;
  const IntTag di;
  hn::Vec<IntTag> moved[kRankedVectors];
  hn::Mask<FloatTag> equal[kRankedVectors];
  for (std::size_t v = 0; v < kRankedVectors; ++v) {
    const auto mine = hn::LoadU(d, sorted + v * hn::Lanes(d));
    moved[v] = hn::Zero(di);
    equal[v] = hn::Ne(mine, mine);  // none
  }
  for (std::size_t w = 1; w <= window; ++w) {
    for (std::size_t v = 0; v < kRankedVectors; ++v) {
      const float* here = sorted + v * hn::Lanes(d);
      const auto mine = hn::LoadU(d, here);
      const auto behind = hn::LoadU(d, here + w);
      const auto before = hn::LoadU(d, here - w);
      moved[v] = CountDown(CountUp(moved[v], hn::Lt(behind, mine)), hn::Gt(before, mine));
      if constexpr (kEquals) {
        // so what differs has counted twice, what is equal once
        moved[v] = CountDown(CountUp(moved[v], hn::Le(behind, mine)), hn::Ge(before, mine));
      } else {
        equal[v] = hn::Or(equal[v], hn::Eq(behind, mine));
      }
    }
  }
  auto any_equal = equal[0];
  for (std::size_t v = 0; v < kRankedVectors; ++v) {
    const auto lane = hn::ConvertTo(d, hn::BitCast(di, hn::Iota(WordTag(), static_cast<unsigned>(v * hn::Lanes(d)))));
    const auto place = hn::Add(hn::Set(d, first_place), lane);
    rank[v] = hn::MulAdd(hn::ConvertTo(d, moved[v]), hn::Set(d, kEquals ? 0.5f : 1.0f), place);
    any_equal = hn::Or(any_equal, equal[v]);
  }
  return !hn::AllFalse(d, any_equal);
}

// Of the scores of one tier, at places begin .. begin + count - 1.
void RankTier(const float* sorted, const std::uint8_t* window, std::size_t begin, std::size_t count, float first_rank,
              float step, float* utility) {
  const FloatTag d;
  const std::size_t at_once = kRankedVectors * hn::Lanes(d);
  // equals are rare: they are counted only near where one was seen
  std::size_t equals_until = 0;
  for (std::size_t i = 0; i < count; i += at_once) {
    const std::size_t at = begin + i;
    const std::size_t reach = std::max(window[at / kPlacesPerWindow], window[(at + at_once - 1) / kPlacesPerWindow]);
    const float place = first_rank + static_cast<float>(i);
    FloatVec rank[kRankedVectors];
    if (RankVectors<false>(sorted + at, reach, place, rank)) equals_until = i + at_once + kMaxWindow;
    if (HWY_UNLIKELY(i < equals_until)) RankVectors<true>(sorted + at, reach, place, rank);
    for (std::size_t v = 0; v < kRankedVectors; ++v) {
      hn::StoreU(hn::MulAdd(rank[v], hn::Set(d, step), hn::Set(d, -0.5f)), d, utility + at + v * hn::Lanes(d));
    }
  }
}

// utility[i] = table[position[i]]
template <class Index>
HWY_INLINE void LookUp(const float* table, const Index* position, std::size_t n, float* utility) {
  std::size_t i = 0;
#if HWY_TARGET <= HWY_AVX3
  const FloatTag d;
  const IntTag di;
  const hn::Rebind<Index, IntTag> dindex;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    const auto index = hn::LoadU(dindex, position + i);
    if constexpr (sizeof(Index) == 2) {
      hn::StoreU(hn::GatherIndex(d, table, hn::PromoteTo(di, index)), d, utility + i);
    } else {
      hn::StoreU(hn::GatherIndex(d, table, hn::BitCast(di, index)), d, utility + i);
    }
  }
#else
  // AMD's gathers before AVX-512 take longer than one load for each lane
  for (; i + 4 <= n; i += 4) {
    const Four<Index> place(position + i);
    for (std::size_t k = 0; k < 4; ++k) utility[i + k] = table[place[k]];
  }
#endif
  for (; i < n; ++i) utility[i] = table[position[i]];
}

// Dispatch at run time takes no templates.
void NarrowFindBuckets(const BucketLayout& layout, const float* score, const std::uint8_t* tier, std::size_t n,
                       std::uint16_t* bucket) {
  FindBuckets(layout, score, tier, n, bucket);
}
void WideFindBuckets(const BucketLayout& layout, const float* score, const std::uint8_t* tier, std::size_t n,
                     std::uint32_t* bucket) {
  FindBuckets(layout, score, tier, n, bucket);
}
void NarrowCountSegments(const std::uint16_t* counts, std::size_t rows, Segments& segments) {
  CountSegments(counts, rows, segments);
}
void WideCountSegments(const std::uint32_t* counts, std::size_t rows, Segments& segments) {
  CountSegments(counts, rows, segments);
}
void NarrowAddUp(const Segments& segments, std::size_t rows, std::uint16_t* next) { AddUp(segments, rows, next); }
void WideAddUp(const Segments& segments, std::size_t rows, std::uint32_t* next) { AddUp(segments, rows, next); }
void NarrowLookUp(const float* table, const std::uint16_t* position, std::size_t n, float* utility) {
  LookUp(table, position, n, utility);
}
void WideLookUp(const float* table, const std::uint32_t* position, std::size_t n, float* utility) {
  LookUp(table, position, n, utility);
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(FindRanges);
HWY_EXPORT(RankTier);
HWY_EXPORT(NarrowFindBuckets);
HWY_EXPORT(WideFindBuckets);
HWY_EXPORT(NarrowCountSegments);
HWY_EXPORT(WideCountSegments);
HWY_EXPORT(NarrowAddUp);
HWY_EXPORT(WideAddUp);
HWY_EXPORT(NarrowLookUp);
HWY_EXPORT(WideLookUp);

void find_ranges(const TieredScores& scores, TierRange (&range)[kTiers]) {
  HWY_DYNAMIC_DISPATCH(FindRanges)(scores.score.data(), scores.tier.data(), scores.size(), range);
}

void find_buckets(const BucketLayout& layout, const TieredScores& scores, std::uint16_t* bucket) {
  HWY_DYNAMIC_DISPATCH(NarrowFindBuckets)(layout, scores.score.data(), scores.tier.data(), scores.size(), bucket);
}
void find_buckets(const BucketLayout& layout, const TieredScores& scores, std::uint32_t* bucket) {
  HWY_DYNAMIC_DISPATCH(WideFindBuckets)(layout, scores.score.data(), scores.tier.data(), scores.size(), bucket);
}

void count_segments(const std::uint16_t* counts, std::size_t rows, Segments& segments) {
  HWY_DYNAMIC_DISPATCH(NarrowCountSegments)(counts, rows, segments);
}
void count_segments(const std::uint32_t* counts, std::size_t rows, Segments& segments) {
  HWY_DYNAMIC_DISPATCH(WideCountSegments)(counts, rows, segments);
}

void add_up(const Segments& segments, std::size_t rows, std::uint16_t* next) {
  HWY_DYNAMIC_DISPATCH(NarrowAddUp)(segments, rows, next);
}
void add_up(const Segments& segments, std::size_t rows, std::uint32_t* next) {
  HWY_DYNAMIC_DISPATCH(WideAddUp)(segments, rows, next);
}

void look_up(const float* table, const std::uint16_t* position, std::size_t n, float* utility) {
  HWY_DYNAMIC_DISPATCH(NarrowLookUp)(table, position, n, utility);
}
void look_up(const float* table, const std::uint32_t* position, std::size_t n, float* utility) {
  HWY_DYNAMIC_DISPATCH(WideLookUp)(table, position, n, utility);
}

void rank_tier(const float* sorted, const std::uint8_t* window, std::size_t begin, std::size_t count, float first_rank,
               float step, float* utility) {
  HWY_DYNAMIC_DISPATCH(RankTier)(sorted, window, begin, count, first_rank, step, utility);
}

}  // namespace aria
#endif  // HWY_ONCE
