#include "aria/policy/replay_buffer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "aria/core/draws.hpp"
#include "aria/policy/half.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/sanitised.hpp"

namespace aria {
namespace {

using aria::testing::message_of;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Lt;

constexpr std::size_t kObservations = 3;
constexpr std::size_t kActions = 2;

ReplayConfig config_of(std::size_t capacity, ReplayPrecision precision = ReplayPrecision::kSingle) {
  return {.observations = kObservations, .actions = kActions, .capacity = capacity, .precision = precision};
}

// Transitions that tell their number: observation n, n + 0.1, n + 0.2, and so on.
struct Numbered {
  Matrix observation, next, action;
  std::vector<float> reward;
  std::vector<std::uint8_t> done, truncated;

  Numbered(int first, int count) {
    for (int n = first; n < first + count; ++n) {
      const auto x = static_cast<float>(n);
      observation.append_row(std::vector{x, x + 0.1f, x + 0.2f});
      next.append_row(std::vector{x + 0.3f, x + 0.4f, x + 0.5f});
      action.append_row(std::vector{x + 0.6f, x + 0.7f});
      reward.push_back(x + 0.8f);
      done.push_back(n % 2 == 0);
      truncated.push_back(n % 3 == 0);
    }
  }
  Transitions view() const { return {observation, next, action, reward, done, truncated}; }
};

std::vector<float> rewards_of(const ReplayBuffer& buffer) {
  std::vector<float> result;
  for (std::size_t i = 0; i < buffer.size(); ++i) result.push_back(buffer.reward(i) - 0.8f);
  return result;
}

std::vector<float> column(const LaneMatrix& matrix, std::size_t sample) {
  std::vector<float> result;
  for (std::size_t r = 0; r < matrix.rows(); ++r) result.push_back(matrix(r, sample));
  return result;
}

TEST(ReplayBuffer, KeepsTransitionsInTheOrderGiven) {
  ReplayBuffer buffer(config_of(10));
  EXPECT_EQ(buffer.insert(Numbered(0, 4).view()), 4u);
  EXPECT_EQ(buffer.size(), 4u);
  EXPECT_EQ(buffer.reward(2), 2.8f);
  EXPECT_TRUE(buffer.done(2));
  EXPECT_FALSE(buffer.done(3));
  EXPECT_FALSE(buffer.truncated(2));
  EXPECT_TRUE(buffer.truncated(3));
}

TEST(ReplayBuffer, ReplacesTheOldestOnceItIsFull) {
  ReplayBuffer buffer(config_of(5));
  buffer.insert(Numbered(0, 3).view());
  buffer.insert(Numbered(3, 4).view());
  EXPECT_EQ(buffer.size(), 5u);
  EXPECT_THAT(rewards_of(buffer), ::testing::Pointwise(::testing::FloatNear(1e-6f), {5, 6, 2, 3, 4}));
  buffer.insert(Numbered(7, 13).view());  // more than it holds: the last five stay
  EXPECT_THAT(rewards_of(buffer), ::testing::Pointwise(::testing::FloatNear(1e-5f), {15, 16, 17, 18, 19}));
  LaneMatrix to(kObservations, 1);
  buffer.observations(std::vector<std::uint32_t>{1}, 0, to);
  EXPECT_THAT(column(to, 0), ElementsAre(16.0f, 16.1f, 16.2f));
}

TEST(ReplayBuffer, GathersRowsIntoLanes) {
  ReplayBuffer buffer(config_of(40));
  buffer.insert(Numbered(0, 40).view());
  LaneMatrix observations(kObservations, 20);
  LaneMatrix next(kObservations, 20);
  LaneMatrix inputs(kObservations + kActions, 20);
  const std::vector<std::uint32_t> places = {7, 0, 39};
  buffer.observations(places, 15, observations);
  buffer.next_observations(places, 15, next);
  buffer.actions(places, 15, kObservations, inputs);
  EXPECT_THAT(column(observations, 14), Each(0.0f));
  EXPECT_THAT(column(observations, 15), ElementsAre(7.0f, 7.1f, 7.2f));
  EXPECT_THAT(column(observations, 16), ElementsAre(0.0f, 0.1f, 0.2f));
  EXPECT_THAT(column(next, 17), ElementsAre(39.3f, 39.4f, 39.5f));
  EXPECT_THAT(column(inputs, 15), ElementsAre(0, 0, 0, 7.6f, 7.7f));
  EXPECT_EQ(observations(kObservations, 15), 1.0f);  // the row of ones stays
}

TEST(ReplayBuffer, RoundsToHalvesIfAskedTo) {
  ReplayBuffer buffer(config_of(4, ReplayPrecision::kHalf));
  buffer.insert(Numbered(7, 2).view());
  LaneMatrix to(kObservations, 1);
  buffer.observations(std::vector<std::uint32_t>{1}, 0, to);
  EXPECT_THAT(column(to, 0), ElementsAre(8.0f, from_half(half_from(8.1f)), from_half(half_from(8.2f))));
  EXPECT_NE(to(1, 0), 8.1f);
  EXPECT_EQ(buffer.reward(1), 8.8f);  // rewards stay as they are
}

TEST(ReplayBuffer, TellsItsMemory) {
  EXPECT_EQ(replay_bytes(config_of(100)), 100u * (8 * 4 + 5));
  EXPECT_EQ(replay_bytes(config_of(100, ReplayPrecision::kHalf)), 100u * (8 * 2 + 5));
}

TEST(ReplayBuffer, LeavesOutWhatIsNotFinite) {
  Numbered numbered(0, 5);
  numbered.observation(1, 2) = std::numeric_limits<float>::quiet_NaN();
  numbered.reward[3] = std::numeric_limits<float>::infinity();
  ReplayBuffer buffer(config_of(10));
  EXPECT_EQ(buffer.insert(numbered.view()), 3u);
  EXPECT_THAT(rewards_of(buffer), ::testing::Pointwise(::testing::FloatNear(1e-6f), {0, 2, 4}));
}

TEST(ReplayBuffer, DrawsUniformlyByName) {
  ReplayBuffer buffer(config_of(10));
  buffer.insert(Numbered(0, 10).view());
  const auto drawn = [&](std::uint64_t seed, std::uint32_t id, std::uint32_t step, std::size_t count) {
    std::vector<std::uint32_t> places(count);
    buffer.draw(Key(seed), id, step, places);
    return places;
  };
  const auto many = drawn(1, 2, 3, 10'001);
  EXPECT_THAT(many, Each(Lt(10u)));
  std::vector<double> counts(10);
  for (const std::uint32_t place : many) ++counts[place];
  for (const double count : counts) EXPECT_NEAR(count, 1000, 4 * std::sqrt(900.0));
  EXPECT_EQ(many, drawn(1, 2, 3, 10'001));
  EXPECT_EQ(drawn(1, 2, 3, 7), std::vector(many.begin(), many.begin() + 7));
  const std::set<std::vector<std::uint32_t>> others = {drawn(1, 2, 3, 50), drawn(2, 2, 3, 50), drawn(1, 3, 3, 50),
                                                       drawn(1, 2, 4, 50)};
  EXPECT_EQ(others.size(), 4u);
  EXPECT_EQ(many[5], index_from(Key(1).bits(Purpose::kSelection, 2, 3, 1)[1], 10));
}

TEST(ReplayBuffer, GoesOnAfterItWasSavedAsIfItHadNotBeen) {
  for (const ReplayPrecision precision : {ReplayPrecision::kSingle, ReplayPrecision::kHalf}) {
    for (const int before : {3, 5, 8}) {
      ReplayBuffer first(config_of(5, precision));
      first.insert(Numbered(0, before).view());
      ReplayBuffer second(config_of(5, precision));
      second.load(first.save());
      EXPECT_EQ(second.save(), first.save());
      first.insert(Numbered(before, 3).view());
      second.insert(Numbered(before, 3).view());
      EXPECT_EQ(second.save(), first.save());
    }
  }
}

TEST(ReplayBuffer, RefusesAStateThatDoesNotFit) {
  ReplayBuffer large(config_of(20));
  large.insert(Numbered(0, 20).view());
  ReplayBuffer small(config_of(5));
  EXPECT_THAT(message_of([&] { small.load(large.save()); }), AllOf(HasSubstr("at most 5"), HasSubstr("got 20")));
  ReplayBuffer half(config_of(20, ReplayPrecision::kHalf));
  EXPECT_THAT(message_of([&] { half.load(large.save()); }), AllOf(HasSubstr("observation"), HasSubstr("type")));
  State state = large.save();
  state.put("next", std::int64_t{20});
  EXPECT_THAT(message_of([&] { large.load(state); }), AllOf(HasSubstr("next"), HasSubstr("got 20")));
  state = large.save();
  state.put("flags", std::vector<std::uint32_t>(20, 4));
  EXPECT_THAT(message_of([&] { large.load(state); }), HasSubstr("flags"));
}

TEST(ReplayBuffer, SaysSoWhereThereIsNotEnoughMemory) {
  if (aria::testing::kSanitised) GTEST_SKIP() << "sanitizers end the program instead";
  // more than any address space
  const ReplayConfig config{.observations = 1 << 20, .actions = 1, .capacity = std::size_t{1} << 31};
  EXPECT_THAT(message_of([&] { ReplayBuffer buffer(config); }),
              AllOf(HasSubstr("replay_size"), HasSubstr("got 2147483648"), HasSubstr("GB"), HasSubstr("half")));
}

TEST(ReplayBuffer, RefusesSizesThatAreNone) {
  EXPECT_THAT(message_of([] { ReplayBuffer(config_of(0)); }), AllOf(HasSubstr("replay_size"), HasSubstr("got 0")));
  EXPECT_THAT(message_of([] { ReplayBuffer(ReplayConfig{.actions = 1}); }), HasSubstr("observations"));
  EXPECT_THAT(message_of([] { ReplayBuffer(ReplayConfig{.observations = 1}); }), HasSubstr("actions"));
}

}  // namespace
}  // namespace aria
