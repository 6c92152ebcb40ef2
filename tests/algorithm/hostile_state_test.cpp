// States that no algorithm ever saved, in files whose checksums are right: refused by an InputError, or harmless.
#include <gtest/gtest.h>

#include <limits>
#include <variant>

#include "aria/algorithm/registry.hpp"
#include "aria/core/require.hpp"
#include "tests/support/every_algorithm.hpp"
#include "tests/support/quadratic_task.hpp"
#include "tests/support/run_algorithm.hpp"
#include "tests/support/small_walker.hpp"

namespace aria {
namespace {

using aria::testing::algorithm_of_test;
using aria::testing::every_algorithm;
using aria::testing::needs_policy;
using aria::testing::noisy_task;
using aria::testing::run_round;
using aria::testing::small_walker;

class HostileState : public ::testing::TestWithParam<std::string> {
 protected:
  AnyAlgorithm make() const {
    AlgorithmPlan plan = plan_algorithm(GetParam(), task_->info(), Preset::kLite);
    for (const auto& [name, value] : std::vector<std::pair<const char*, const char*>>{{"budget", "2000"},
                                                                                      {"batch", "16"},
                                                                                      {"samples", "4"},
                                                                                      {"pairs", "8"},
                                                                                      {"steps", "4"},
                                                                                      {"initial_steps", "4"},
                                                                                      {"initial_budget", "48"},
                                                                                      {"mean_evaluations", "8"},
                                                                                      {"training_share", "0.002"},
                                                                                      {"retarget_samples", "2"},
                                                                                      {"search_samples", "2"},
                                                                                      {"critic_steps", "2"},
                                                                                      {"critic_hidden", "4"},
                                                                                      {"critic_batch", "16"},
                                                                                      {"gradient_steps", "2"},
                                                                                      {"gradient_batch", "16"},
                                                                                      {"replay_size", "500"}}) {
      if (plan.settings.contains(name)) plan.settings.set(name, value);
    }
    ArchiveTable archive;
    archive.solution = Matrix(2, 3, {0.5f, 0.5f, 0, -0.5f, 0.5f, 0});
    return plan.build(task_, Key(1), GetParam() == "aria" ? &archive : nullptr);
  }

  // Loads the state and goes on for a while; true where it was taken.
  bool goes_on_from(const State& state) const {
    AnyAlgorithm algorithm = make();
    try {
      algorithm.load(state);
    } catch (const InputError&) {
      return false;
    }
    LocalEvaluator evaluator(task_);
    try {
      algorithm.status();
      algorithm.archive();
      for (int round = 0; round < 3 && !algorithm.done(); ++round) run_round(algorithm, evaluator);
    } catch (const InputError&) {
      // late, but told
    }
    return true;
  }

  std::shared_ptr<const Task> task_ = needs_policy(GetParam()) ? small_walker(5) : noisy_task(0.05f, 0.05f);
};

INSTANTIATE_TEST_SUITE_P(Algorithms, HostileState, ::testing::ValuesIn(every_algorithm()), algorithm_of_test);

// What can be done to the numbers of an array, each in its own way.
template <class T>
std::vector<std::vector<T>> spoiled(const std::vector<T>& values) {
  std::vector<std::vector<T>> result;
  const auto all = [&](T value) { result.emplace_back(values.size(), value); };
  const auto last = [&](T value) {
    if (values.empty()) return;
    result.push_back(values);
    result.back().back() = value;
  };
  for (const T value : {T{0}, T{1}, static_cast<T>(-1), std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest(),
                        std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()}) {
    all(value);
    last(value);
  }
  result.emplace_back();
  result.push_back(values);
  result.back().push_back(T{1});
  return result;
}

TEST_P(HostileState, IsRefusedOrHarmless) {
  LocalEvaluator evaluator(task_);
  AnyAlgorithm algorithm = make();
  std::size_t refused = 0;
  std::size_t taken = 0;
  // at several stages: what is saved differs
  for (int round = 0; round < 12 && !algorithm.done(); ++round) {
    run_round(algorithm, evaluator);
    if (round % 4 != 3) continue;
    const State saved = algorithm.save();
    EXPECT_TRUE(goes_on_from(saved));
    for (const auto& entry : saved.arrays()) {
      SCOPED_TRACE(entry.first);
      const auto spoil = [&]<class T>(const std::vector<T>& values) {
        for (const std::vector<T>& other : spoiled(values)) {
          State state = saved;
          state.arrays()[entry.first] = StateArray{{other.size()}, other};
          ++(goes_on_from(state) ? taken : refused);
        }
      };
      std::visit(spoil, entry.second.values);
      State without = saved;
      without.arrays().erase(entry.first);
      ++(goes_on_from(without) ? taken : refused);
    }
  }
  EXPECT_GT(refused, taken / 4);
}

}  // namespace
}  // namespace aria
