#include "aria/policy/replay_buffer.hpp"

#include <algorithm>
#include <cassert>
#include <new>

#include "aria/core/draws.hpp"
#include "aria/core/finite.hpp"
#include "aria/core/require.hpp"
#include "aria/core/validated.hpp"
#include "aria/policy/half.hpp"

namespace aria {

void ReplayConfig::validate() const {
  constexpr std::size_t kWidest = std::size_t{1} << 20;
  require(observations >= 1 && observations <= kWidest, "observations of a transition", "1 to 1048576", observations);
  require(actions >= 1 && actions <= kWidest, "actions of a transition", "1 to 1048576", actions);
  require(capacity >= 1 && capacity <= (std::size_t{1} << 31), "replay_size", "from 1 to 2^31", capacity);
}

std::size_t replay_bytes(const ReplayConfig& config) {
  const std::size_t number = config.precision == ReplayPrecision::kHalf ? sizeof(std::uint16_t) : sizeof(float);
  const std::size_t numbers = 2 * config.observations + config.actions;
  return config.capacity * (numbers * number + sizeof(float) + sizeof(std::uint8_t));
}

// --- Rows ----------------------------------------------------------------------------------------------------------

// Memory is reserved at once, so that nothing moves later, and touched only as transitions come in.
ReplayBuffer::Rows::Rows(std::size_t columns, const ReplayConfig& config)
    : columns_(columns), precision_(config.precision) {
  if (precision_ == ReplayPrecision::kHalf) {
    half_.reserve(columns * config.capacity);
  } else {
    single_.reserve(columns * config.capacity);
  }
}

void ReplayBuffer::Rows::set(std::size_t place, std::span<const float> row) {
  const std::size_t end = (place + 1) * columns_;
  if (precision_ == ReplayPrecision::kHalf) {
    if (half_.size() < end) half_.resize(end);
    std::transform(row.begin(), row.end(), half_.data() + place * columns_, half_from);
  } else {
    if (single_.size() < end) single_.resize(end);
    std::ranges::copy(row, single_.data() + place * columns_);
  }
}

void ReplayBuffer::Rows::fetch(std::size_t place) const {
  const bool half = precision_ == ReplayPrecision::kHalf;
  const std::size_t size = columns_ * (half ? sizeof(std::uint16_t) : sizeof(float));
  const auto* row = half ? reinterpret_cast<const char*>(half_.data()) : reinterpret_cast<const char*>(single_.data());
  row += place * size;
  for (std::size_t at = 0; at < size; at += sizeof(CacheLine)) __builtin_prefetch(row + at);
  __builtin_prefetch(row + size - 1);
}

void ReplayBuffer::Rows::to_lanes(std::span<const std::uint32_t> places, std::size_t first_sample,
                                  std::size_t first_row, LaneMatrix& to) const {
  // Rows are drawn from all over a memory that no cache holds: some are on their way while one is copied.
  constexpr std::size_t kAhead = 4;
  for (std::size_t j = 0; j < std::min(kAhead, places.size()); ++j) fetch(places[j]);
  for (std::size_t j = 0; j < places.size(); ++j) {
    if (j + kAhead < places.size()) fetch(places[j + kAhead]);
    const std::size_t from = places[j] * columns_;
    float* lane = &to(first_row, first_sample + j);
    if (precision_ == ReplayPrecision::kHalf) {
      for (std::size_t i = 0; i < columns_; ++i) lane[i * LaneMatrix::kLanes] = from_half(half_[from + i]);
    } else {
      for (std::size_t i = 0; i < columns_; ++i) lane[i * LaneMatrix::kLanes] = single_[from + i];
    }
  }
}

void ReplayBuffer::Rows::save(State& state, const std::string& name) const {
  if (precision_ == ReplayPrecision::kSingle) return state.put(name, single_);
  // two to a word
  std::vector<std::uint32_t> words((half_.size() + 1) / 2);
  for (std::size_t i = 0; i < half_.size(); ++i) words[i / 2] |= std::uint32_t{half_[i]} << (16 * (i % 2));
  state.put(name, words);
}

void ReplayBuffer::Rows::load(const State& state, const std::string& name, std::size_t rows) {
  const std::size_t count = rows * columns_;
  if (precision_ == ReplayPrecision::kSingle) {
    const auto& values = state.get<float>(name, count);
    single_.assign(values.begin(), values.end());
    return;
  }
  const auto& words = state.get<std::uint32_t>(name, (count + 1) / 2);
  half_.resize(count);
  for (std::size_t i = 0; i < count; ++i) half_[i] = static_cast<std::uint16_t>(words[i / 2] >> (16 * (i % 2)));
}

// --- The ring ------------------------------------------------------------------------------------------------------

ReplayBuffer::ReplayBuffer(const ReplayConfig& config) try
    : config_(validated(config)),
      observation_(config.observations, config),
      next_observation_(config.observations, config),
      action_(config.actions, config) {
  reward_.reserve(config.capacity);
  flags_.reserve(config.capacity);
} catch (const std::bad_alloc&) {
  throw InputError(
      fmt::format("replay_size must be small enough for the memory there is, got {} transitions, which take {:.2f} GB "
                  "(replay_precision=half takes half)",
                  config.capacity, static_cast<double>(replay_bytes(config)) / 1e9));
}

std::size_t ReplayBuffer::insert(const Transitions& transitions) {
  const std::size_t count = transitions.size();
  assert(transitions.observation.rows() == count && transitions.observation.columns() == config_.observations);
  assert(transitions.next_observation.rows() == count && transitions.action.rows() == count);
  assert(transitions.next_observation.columns() == config_.observations);
  assert(transitions.action.columns() == config_.actions);
  assert(transitions.done.size() == count && transitions.truncated.size() == count);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto observation = transitions.observation.row(i);
    const auto next = transitions.next_observation.row(i);
    const auto action = transitions.action.row(i);
    if (!all_finite(observation) || !all_finite(next) || !all_finite(action) || !is_finite(transitions.reward[i])) {
      continue;
    }
    if (size() < config_.capacity) {
      reward_.push_back(0);
      flags_.push_back(0);
    }
    observation_.set(next_, observation);
    next_observation_.set(next_, next);
    action_.set(next_, action);
    reward_[next_] = transitions.reward[i];
    flags_[next_] = static_cast<std::uint8_t>((transitions.done[i] != 0 ? kDone : 0) |
                                              (transitions.truncated[i] != 0 ? kTruncated : 0));
    next_ = (next_ + 1) % config_.capacity;
    ++kept;
  }
  return kept;
}

void ReplayBuffer::draw(Key key, std::uint32_t id, std::uint32_t step, std::span<std::uint32_t> places) const {
  assert(size() > 0);
  for (std::size_t j = 0; j < places.size(); j += kDrawsPerBlock) {
    const auto words = key.bits(Purpose::kSelection, id, step, static_cast<std::uint32_t>(j / kDrawsPerBlock));
    for (std::size_t w = 0; w < kDrawsPerBlock && j + w < places.size(); ++w) {
      places[j + w] = static_cast<std::uint32_t>(index_from(words[w], size()));
    }
  }
}

void ReplayBuffer::observations(std::span<const std::uint32_t> places, std::size_t first_sample, LaneMatrix& to) const {
  observation_.to_lanes(places, first_sample, 0, to);
}

void ReplayBuffer::next_observations(std::span<const std::uint32_t> places, std::size_t first_sample,
                                     LaneMatrix& to) const {
  next_observation_.to_lanes(places, first_sample, 0, to);
}

void ReplayBuffer::actions(std::span<const std::uint32_t> places, std::size_t first_sample, std::size_t first_row,
                           LaneMatrix& to) const {
  action_.to_lanes(places, first_sample, first_row, to);
}

State ReplayBuffer::save() const {
  State state;
  state.put("next", static_cast<std::int64_t>(next_));
  state.put("reward", reward_);
  state.put("flags", std::vector<std::uint32_t>(flags_.begin(), flags_.end()));
  observation_.save(state, "observation");
  next_observation_.save(state, "next_observation");
  action_.save(state, "action");
  return state;
}

void ReplayBuffer::load(const State& state) {
  const auto& reward = state.get<float>("reward");
  const std::size_t count = reward.size();
  require(count <= config_.capacity, "the transitions of the saved state", fmt::format("at most {}", config_.capacity),
          count);
  const std::int64_t next = state.get_integer("next");
  const std::size_t expected = count % config_.capacity;
  const bool full = count == config_.capacity;
  require(next >= 0 && (full ? static_cast<std::size_t>(next) < count : static_cast<std::size_t>(next) == expected),
          "'next' of the saved state", "a place in the ring", next);
  const auto& flags = state.get<std::uint32_t>("flags", count);
  require(std::ranges::all_of(flags, [](std::uint32_t f) { return f <= (kDone | kTruncated); }),
          "the flags of the saved state", "0 to 3", flags.size());
  observation_.load(state, "observation", count);
  next_observation_.load(state, "next_observation", count);
  action_.load(state, "action", count);
  reward_.assign(reward.begin(), reward.end());
  flags_.clear();
  for (const std::uint32_t f : flags) flags_.push_back(static_cast<std::uint8_t>(f));
  next_ = static_cast<std::size_t>(next);
}

}  // namespace aria
