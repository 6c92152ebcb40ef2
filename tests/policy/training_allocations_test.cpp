// Training allocates nothing, once its memory is there.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "aria/policy/initial_policy.hpp"
#include "aria/policy/policy_gradient_variation.hpp"
#include "aria/policy/td3.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/bandit_replay.hpp"
#include "tests/support/threads.hpp"

namespace aria {
namespace {

using aria::testing::allocations;
using aria::testing::Bandit;
using aria::testing::for_each_thread_count;

const MlpShape kActor{{2, 8, 1}};

std::vector<float> genotype() {
  std::vector<float> result(kActor.parameters());
  initial_policy(kActor, Key(11), 0, result);
  return result;
}

template <class Work>
std::size_t allocated_by(const Work& work) {
  const std::size_t before = allocations();
  work();
  return allocations() - before;
}

// The fewest of several trials: the thread pool allocates now and then, as its threads come and go.
template <class Work>
std::size_t fewest_allocated_by(const Work& work) {
  std::size_t fewest = allocated_by(work);
  for (int trial = 0; trial < 5; ++trial) fewest = std::min(fewest, allocated_by(work));
  return fewest;
}

TEST(TrainingAllocations, AreCounted) {
  std::vector<float> values;
  EXPECT_EQ(allocated_by([&] { values.reserve(100); }), 1u);
}

TEST(TrainingAllocations, AreNoneInAStepOfTd3) {
  Td3Config config;
  config.critic_hidden = {16, 12};
  config.batch = 200;
  const ReplayBuffer replay = Bandit(300).replay();
  for_each_thread_count([&](std::size_t) {
    Td3 learner(config, kActor, genotype(), Key(1));
    learner.train(replay, Key(2), 4);
    const auto train = [&](std::size_t steps) {
      return fewest_allocated_by([&] { learner.train(replay, Key(3), steps); });
    };
    EXPECT_EQ(train(41), train(1));
  });
}

TEST(TrainingAllocations, AreNoneInAStepOfAParent) {
  PolicyGradientConfig config;
  config.batch = 64;
  const ReplayBuffer replay = Bandit(300).replay();
  const MlpShape critic{{3, 16, 1}};
  std::vector<float> weights(critic.parameters(), 0.01f);
  Matrix parents(6, kActor.parameters());
  for (std::size_t i = 0; i < parents.rows(); ++i) std::ranges::copy(genotype(), parents.row(i).begin());
  Matrix offspring(parents.rows(), parents.columns());
  for_each_thread_count([&](std::size_t) {
    const auto vary = [&](std::size_t steps) {
      config.steps = steps;
      PolicyGradientVariation variation(config, kActor, critic);
      const auto work = [&] { variation.vary(parents, weights, replay, Key(1), offspring.view()); };
      work();
      return fewest_allocated_by(work);
    };
    EXPECT_EQ(vary(21), vary(1));
  });
}

}  // namespace
}  // namespace aria
