// SIMD kernels of the ranks. Scores are sorted into about two buckets each, which are in order; within a bucket every
// score is compared with its few neighbours. Index is std::uint16_t where that can number everything, since memory is
// what ranking waits for, else std::uint32_t.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "aria/optim/ranks.hpp"

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

// Four neighbours in an array, loaded and stored together. A load waits for any earlier store on its way to memory
// whose address ends in the same twelve bits; where stores go to random places that happens all the time, so both are
// to be few.
template <class T>
class Four {
 public:
  Four() = default;  // zeros
  explicit Four(const T* from) { std::memcpy(words_, from, sizeof words_); }
  void store(T* to) const { std::memcpy(to, words_, sizeof words_); }

  T operator[](std::size_t k) const { return std::bit_cast<T>(static_cast<Bits>(words_[k / kPerWord] >> shift(k))); }
  // Added to one that is zero, or does not get too large for T.
  void add(std::size_t k, T x) { words_[k / kPerWord] += std::uint64_t{std::bit_cast<Bits>(x)} << shift(k); }

 private:
  using Bits = std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint32_t>;
  static constexpr std::size_t kPerWord = sizeof(std::uint64_t) / sizeof(T);
  static constexpr std::size_t shift(std::size_t k) { return k % kPerWord * 8 * sizeof(T); }

  std::uint64_t words_[4 / kPerWord] = {};
};

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

void find_ranges(const TieredScores& scores, TierRange (&range)[kTiers]);

// The slot of every score's bucket.
void find_buckets(const BucketLayout& layout, const TieredScores& scores, std::uint16_t* bucket);
void find_buckets(const BucketLayout& layout, const TieredScores& scores, std::uint32_t* bucket);

// What the segments hold, but for their begins.
void count_segments(const std::uint16_t* counts, std::size_t rows, Segments& segments);
void count_segments(const std::uint32_t* counts, std::size_t rows, Segments& segments);

// Counts become places.
void add_up(const Segments& segments, std::size_t rows, std::uint16_t* next);
void add_up(const Segments& segments, std::size_t rows, std::uint32_t* next);

// Utilities of one tier's scores, at places begin .. begin + count - 1 of `sorted`, of which the first has first_rank.
void rank_tier(const float* sorted, const std::uint8_t* window, std::size_t begin, std::size_t count, float first_rank,
               float step, float* utility);

// utility[i] = table[position[i]]
void look_up(const float* table, const std::uint16_t* position, std::size_t n, float* utility);
void look_up(const float* table, const std::uint32_t* position, std::size_t n, float* utility);

}  // namespace aria
