// A key names a stream of random draws. Keys form a tree: the root is the seed, `child` names a branch. What is drawn
// depends on the key and on the draw's name alone, never on when, where or by which thread it is drawn.
#pragma once

#include <cstdint>

#include "aria/core/philox.hpp"

namespace aria {

// What a draw is for; part of its name, so that no two uses of one key share bits.
enum class Purpose : std::uint32_t { kChild, kPerturbation, kTaskNoise, kVariation, kSelection, kInitial };

class Key {
 public:
  constexpr Key() = default;
  explicit constexpr Key(std::uint64_t seed)
      : words_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)} {}

  constexpr Key child(std::uint64_t name) const {
    const PhiloxCounter bits =
        philox({static_cast<std::uint32_t>(name), static_cast<std::uint32_t>(name >> 32), 0, 0}, words_);
    Key result;
    result.words_ = {bits[0], bits[1]};
    return result;
  }

  // 128 bits named by a purpose, an id (a cell, an offspring), a sample of it, and a block of the sample's draws.
  constexpr PhiloxCounter bits(Purpose purpose, std::uint32_t id, std::uint32_t sample, std::uint32_t block) const {
    return philox({block, sample, id, static_cast<std::uint32_t>(purpose)}, words_);
  }

  constexpr const PhiloxKey& words() const { return words_; }
  friend constexpr bool operator==(const Key&, const Key&) = default;

 private:
  PhiloxKey words_{};
};

}  // namespace aria
