#include "aria/optim/ranks.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

#include "aria/optim/rank_kernels.hpp"

namespace aria {

namespace {

// What 16 bits can number, with places for gaps and four buckets for each score at the most.
constexpr std::size_t kMaxNarrow = std::size_t{1} << 14;

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

// How many came before each score in its bucket; the only pass that reads what it has just written. Not done along with
// finding the buckets: more loads would then wait for stores that are not theirs.
template <class Index>
void count(const Index* bucket, std::size_t n, Index* next, Index* position) {
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    const Four<Index> slot(bucket + i);
    Four<Index> before;
    for (std::size_t k = 0; k < 4; ++k) before.add(k, next[slot[k]]++);
    before.store(position + i);
  }
  for (; i < n; ++i) position[i] = next[bucket[i]]++;
}

// position[i] += next[bucket[i]], and the scores go there. All loads from random places first, then all stores to them.
// Lane by lane, since the gathers and scatters of AVX-512 take longer.
template <class Index>
void place_scores(const Index* bucket, const Index* next, std::span<const float> score, Index* position,
                  float* sorted) {
  const std::size_t n = score.size();
  const std::size_t in_fours = n / 4 * 4;
  for (std::size_t i = 0; i < in_fours; i += 4) {
    const Four<Index> slot(bucket + i);
    Four<Index> place(position + i);
    for (std::size_t k = 0; k < 4; ++k) place.add(k, next[slot[k]]);
    place.store(position + i);
  }
  for (std::size_t i = in_fours; i < n; ++i) position[i] = static_cast<Index>(next[bucket[i]] + position[i]);
  for (std::size_t i = 0; i < in_fours; i += 4) {
    const Four<Index> place(position + i);
    const Four<float> four(score.data() + i);
    for (std::size_t k = 0; k < 4; ++k) sorted[place[k]] = four[k];
  }
  for (std::size_t i = in_fours; i < n; ++i) sorted[position[i]] = score[i];
}

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
      rank_tier(arrays_.sorted, arrays_.window, begin, layout_.count[t], rank_of_place(t, begin), step_,
                arrays_.utility);
      rank_crowded_buckets(t);
    }
    look_up(arrays_.utility, arrays_.position, scores_.size(), utility.data());
  }

 private:
  void sort_by_bucket() {
    const std::size_t n = scores_.size();
    const Index* bucket = arrays_.bucket;
    Index* next = arrays_.next;
    Index* position = arrays_.position;
    find_buckets(layout_, scores_, arrays_.bucket);
    std::memset(next, 0, layout_.buckets_in_all() * sizeof *next);
    count(bucket, n, next, position);
    places_from_counts();
    place_scores(bucket, next, scores_.score, position, arrays_.sorted);
  }

  void places_from_counts() {
    count_segments(arrays_.next, layout_.rows, segments_);
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
    add_up(segments_, layout_.rows, arrays_.next);
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
        const std::size_t from = begin_of(b);
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
  find_ranges(scores, range);
  const BucketLayout layout(range, n);
  if (n <= kMaxNarrow) {
    Ranking<std::uint16_t>(scores, layout, scratch).rank(utility);
  } else {
    Ranking<std::uint32_t>(scores, layout, scratch).rank(utility);
  }
}

}  // namespace aria
