// Rank utilities: what an evolution strategy steps along depends on the order of the scores, not on their scale.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace aria {

// Scores in tiers: anything of a higher tier ranks above anything of a lower one; within a tier the higher score does.
// Every score is finite.
struct TieredScores {
  static constexpr std::size_t kTiers = 3;

  std::vector<float> score;
  std::vector<std::uint8_t> tier;  // 0 .. kTiers - 1

  std::size_t size() const { return score.size(); }
  void resize(std::size_t n) {
    score.resize(n);
    tier.resize(n);
  }
};

// Memory that ranking needs, kept from call to call.
class RankScratch {
 public:
  std::byte* reserve(std::size_t bytes) {
    if (memory_.size() < bytes) memory_.resize(bytes);
    return memory_.data();
  }

 private:
  std::vector<std::byte> memory_;
};

// utility[i] = rank / (n - 1) - 0.5 with rank 0 the worst; equals share the mean of their ranks, so that the order in
// which they stand tells nothing. Takes time linear in n unless many scores that differ crowd in a
// small part of their tier's range.
void centered_ranks(const TieredScores& scores, std::span<float> utility, RankScratch& scratch);

}  // namespace aria
