// The transitions that a learner trains on: the latest ones, in a ring.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "aria/core/key.hpp"
#include "aria/core/matrix.hpp"
#include "aria/core/state.hpp"
#include "aria/policy/lane_matrix.hpp"

namespace aria {

enum class ReplayPrecision { kSingle, kHalf };  // of observations and actions

struct ReplayConfig {
  std::size_t observations = 0;  // numbers in an observation
  std::size_t actions = 0;       // numbers in an action
  std::size_t capacity = 1'000'000;
  ReplayPrecision precision = ReplayPrecision::kSingle;

  void validate() const;
};

// Of a buffer that is full.
std::size_t replay_bytes(const ReplayConfig& config);

// Transitions to insert, views of the caller's memory.
struct Transitions {
  MatrixView observation;                   // (transitions x observations)
  MatrixView next_observation;              // (transitions x observations)
  MatrixView action;                        // (transitions x actions)
  std::span<const float> reward;            // (transitions)
  std::span<const std::uint8_t> done;       // (transitions): the episode ended here, nothing comes after
  std::span<const std::uint8_t> truncated;  // (transitions): the episode was cut here by its time limit

  std::size_t size() const { return reward.size(); }
};

class ReplayBuffer {
 public:
  explicit ReplayBuffer(const ReplayConfig& config);

  const ReplayConfig& config() const { return config_; }
  std::size_t size() const { return reward_.size(); }

  // In the order given; each takes the place of the oldest once the ring is full. A transition with a number that is
  // not finite is left out: one of them would spoil all that learns from it. Gives back how many were kept.
  std::size_t insert(const Transitions& transitions);

  // Uniform, with replacement: draw j of a minibatch comes from word j % 4 of block j / 4 of sample `step` of `id`.
  void draw(Key key, std::uint32_t id, std::uint32_t step, std::span<std::uint32_t> places) const;

  // Transition places[j] becomes sample first_sample + j of `to`, in its first rows or those from first_row on.
  void observations(std::span<const std::uint32_t> places, std::size_t first_sample, LaneMatrix& to) const;
  void next_observations(std::span<const std::uint32_t> places, std::size_t first_sample, LaneMatrix& to) const;
  void actions(std::span<const std::uint32_t> places, std::size_t first_sample, std::size_t first_row,
               LaneMatrix& to) const;
  float reward(std::size_t place) const { return reward_[place]; }
  bool done(std::size_t place) const { return (flags_[place] & kDone) != 0; }
  bool truncated(std::size_t place) const { return (flags_[place] & kTruncated) != 0; }

  State save() const;
  void load(const State& state);

 private:
  // Rows of numbers in the precision of the buffer.
  class Rows {
   public:
    Rows(std::size_t columns, const ReplayConfig& config);
    void set(std::size_t place, std::span<const float> row);
    void to_lanes(std::span<const std::uint32_t> places, std::size_t first_sample, std::size_t first_row,
                  LaneMatrix& to) const;
    void fetch(std::size_t place) const;  // into the cache
    void save(State& state, const std::string& name) const;
    void load(const State& state, const std::string& name, std::size_t rows);

   private:
    std::size_t columns_;
    ReplayPrecision precision_;
    std::vector<float> single_;        // (transitions x columns)
    std::vector<std::uint16_t> half_;  // (transitions x columns)
  };

  static constexpr std::uint8_t kDone = 1;
  static constexpr std::uint8_t kTruncated = 2;

  ReplayConfig config_;
  std::size_t next_ = 0;  // where the next transition goes once the ring is full
  Rows observation_;
  Rows next_observation_;
  Rows action_;
  std::vector<float> reward_;        // (transitions)
  std::vector<std::uint8_t> flags_;  // (transitions)
};

}  // namespace aria
