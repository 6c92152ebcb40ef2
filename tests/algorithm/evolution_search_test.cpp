#include "aria/algorithm/evolution_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "aria/algorithm/cell_objective.hpp"
#include "aria/evaluation/cloud_mean.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "aria/optim/ranks.hpp"
#include "aria/optim/search_gradient.hpp"
#include "aria/task/arm.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/quadratic_task.hpp"
#include "tests/support/run_algorithm.hpp"
#include "tests/support/simd_targets.hpp"
#include "tests/support/threads.hpp"

namespace aria {
namespace {

using aria::testing::bits_of;
using aria::testing::for_each_simd_target;
using aria::testing::for_each_thread_count;
using aria::testing::message_of;
using aria::testing::QuadraticConfig;
using aria::testing::QuadraticTask;
using aria::testing::run_round;
using aria::testing::run_to_the_end;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

SearchConfig config_of(std::size_t pairs, double sigma, double learning_rate) {
  SearchConfig config;
  config.pairs = pairs;
  config.sigma = sigma;
  config.adam.learning_rate = learning_rate;
  return config;
}

Search search_of(std::optional<std::size_t> target, const std::vector<float>& genotype) {
  return {.id = static_cast<std::uint32_t>(target.value_or(0)),
          .target = target,
          .genotype = genotype,
          .adam = AdamState(genotype.size()),
          .fitness_mean = 0,
          .descriptor_mean = {}};
}

const Grid kGrid(QuadraticConfig().grid);  // 4 x 4 on [-1, 1]^2

EvolutionSearch started(const SearchConfig& config, const Grid& grid, std::vector<Search> searches, std::size_t steps,
                        Key key) {
  EvolutionSearch search(config, grid);
  search.start(std::move(searches), steps, key);
  return search;
}

// --- Construction --------------------------------------------------------------------------------------------------

TEST(SearchConfig, RefusesValuesOutsideTheirRange) {
  const auto said = [](const std::function<void(SearchConfig&)>& change) {
    SearchConfig config;
    change(config);
    return message_of([&] { const EvolutionSearch search(config, kGrid); });
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(said([](SearchConfig& c) { c.pairs = 0; }),
              AllOf(HasSubstr("pairs"), HasSubstr("from 1 to 2^24"), HasSubstr("got 0")));
  EXPECT_THAT(said([](SearchConfig& c) { c.pairs = (1u << 24) + 1; }), HasSubstr("pairs"));
  EXPECT_THAT(said([](SearchConfig& c) { c.sigma = 0; }),
              AllOf(HasSubstr("sigma"), HasSubstr("above 0"), HasSubstr("got 0")));
  EXPECT_THAT(said([](SearchConfig& c) { c.sigma = 2e6; }), HasSubstr("sigma"));
  EXPECT_THAT(said([&](SearchConfig& c) { c.sigma = nan; }), HasSubstr("sigma"));
  EXPECT_THAT(said([](SearchConfig& c) { c.fitness_resolution = -0.1; }),
              AllOf(HasSubstr("fitness_resolution"), HasSubstr("0 (exact) or above"), HasSubstr("-0.1")));
  EXPECT_THAT(said([&](SearchConfig& c) { c.fitness_resolution = nan; }), HasSubstr("fitness_resolution"));
  EXPECT_THAT(said([](SearchConfig& c) { c.adam.learning_rate = 0; }), HasSubstr("learning_rate"));
}

// Fitness is multiplied by its inverse, as a float.
TEST(SearchConfig, RefusesAResolutionWhoseInverseIsNoFloat) {
  for (const double resolution : {std::numeric_limits<double>::infinity(), 1e300, 1e-45, 1e-300}) {
    SearchConfig config;
    config.fitness_resolution = resolution;
    EXPECT_THAT(message_of([&] { config.validate(); }), HasSubstr("fitness_resolution")) << resolution;
  }
}

// --- Steps ---------------------------------------------------------------------------------------------------------

TEST(EvolutionSearch, AsksForMirroredSamplesAroundEverySearch) {
  EvolutionSearch search = started(config_of(32, 0.05, 0.01), kGrid,
                                   {search_of(3, {0.1f, 0.2f, 0.3f}), search_of(9, {-0.1f, 0, 0.5f})}, 5, Key(4));
  const SampleRequest& request = search.ask();
  EXPECT_EQ(request.samples, 64u);
  EXPECT_TRUE(request.mirrored);
  EXPECT_EQ(request.sigma, 0.05f);
  EXPECT_EQ(request.centres, Matrix(2, 3, {0.1f, 0.2f, 0.3f, -0.1f, 0, 0.5f}));
  EXPECT_THAT(request.ids, ::testing::ElementsAre(3, 9));
  EXPECT_EQ(request.key, Key(4).child(0));
}

TEST(EvolutionSearch, NamesTheDrawsOfEachStep) {
  LocalEvaluator evaluator(std::make_shared<QuadraticTask>());
  EvolutionSearch search = started(config_of(32, 0.05, 0.01), kGrid, {search_of(3, {0, 0, 0})}, 3, Key(4));
  for (std::uint64_t step = 0; step < 3; ++step) {
    EXPECT_EQ(search.ask().key, Key(4).child(step));
    run_round(search, evaluator);
  }
  EXPECT_TRUE(search.done());
}

TEST(EvolutionSearch, IsDoneAfterItsStepsAndAtOnceWithoutSearches) {
  LocalEvaluator evaluator(std::make_shared<QuadraticTask>());
  EvolutionSearch search = started(config_of(16, 0.05, 0.01), kGrid, {search_of(3, {0, 0, 0})}, 7, Key(4));
  EXPECT_EQ(run_to_the_end(search, evaluator), 7u * 32);
  search.start({}, 7, Key(4));
  EXPECT_TRUE(search.done());
}

// One step by its parts: order, ranks, gradient, Adam.
TEST(EvolutionSearch, TakesTheStepThatItsPartsGive) {
  const auto task = std::make_shared<Arm>();
  const Grid grid(task->info().grid);
  LocalEvaluator evaluator(task);
  struct Goal {
    std::optional<std::size_t> target;
    std::optional<LinearConfig> linear;
  };
  const LinearConfig linear{0.3, {-1, 0}, {0, 1}};
  for (const auto& [target, weights] : {Goal{}, Goal{500, {}}, Goal{500, linear}, Goal{{}, linear}}) {
    const Search start = search_of(target, {0.1f, 0.9f, 0.4f, 0.5f, 0.2f, 0.6f, 0.7f, 0.3f});
    SearchConfig config = config_of(48, 0.02, 0.01);
    config.linear = weights;
    EvolutionSearch search = started(config, grid, {start}, 1, Key(4));
    Evaluations evaluations;
    evaluator.evaluate(search.ask(), evaluations);
    search.tell(evaluations);

    TieredScores scores;
    if (target && weights) {
      LinearObjective(grid, *target, linear).score(evaluations.fitness, evaluations.descriptors, scores);
    } else if (target) {
      CellObjective(grid, *target, 0).score(evaluations.fitness, evaluations.descriptors, scores);
    } else {
      score_by_fitness(evaluations.fitness, scores);
    }
    std::vector<float> utility(scores.size());
    RankScratch scratch;
    centered_ranks(scores, utility, scratch);
    std::vector<float> gradient(8);
    search_gradient(Key(4).child(0), start.id, utility, gradient);
    Search expected = start;
    adam_ascend(config_of(48, 0.02, 0.01).adam, expected.adam, gradient, expected.genotype);

    const Search& result = search.searches().front();
    EXPECT_EQ(bits_of(result.genotype), bits_of(expected.genotype));
    EXPECT_EQ(result.adam, expected.adam);
    const CloudMean mean = cloud_mean(evaluations.fitness, evaluations.descriptors);
    EXPECT_EQ(result.fitness_mean, mean.fitness);
    EXPECT_EQ(result.descriptor_mean, mean.descriptor);
  }
}

TEST(EvolutionSearch, ClimbsInFitnessWhereThereIsNoTarget) {
  QuadraticConfig config;
  config.fitness_noise = 0.01f;
  LocalEvaluator evaluator(std::make_shared<QuadraticTask>(config));
  EvolutionSearch search =
      started(config_of(64, 0.02, 0.05), kGrid, {search_of(std::nullopt, {-0.9f, 0.9f, 0})}, 60, Key(1));
  run_to_the_end(search, evaluator);
  for (const float x : search.searches().front().genotype) EXPECT_NEAR(x, 0.25f, 0.05f);
  EXPECT_GT(search.searches().front().fitness_mean, -0.02f);
}

TEST(EvolutionSearch, GoesToItsCellAndClimbsThere) {
  QuadraticConfig config;
  config.fitness_noise = 0.01f;
  config.descriptor_noise = 0.01f;
  LocalEvaluator evaluator(std::make_shared<QuadraticTask>(config));
  // from one corner to the one opposite, x 0.5 .. 1, y 0.5 .. 1; the optimum is outside, at 0.25
  const std::size_t target = kGrid.cell_at(std::vector<std::size_t>{3, 3});
  EvolutionSearch search =
      started(config_of(64, 0.02, 0.05), kGrid, {search_of(target, {-0.9f, -0.9f, -0.9f})}, 120, Key(1));
  run_to_the_end(search, evaluator);
  const Search& result = search.searches().front();
  EXPECT_TRUE(kGrid.strictly_inside(target, result.descriptor_mean));
  // as near to the optimum as noise allows
  EXPECT_LT(result.genotype[0], 0.65f);
  EXPECT_LT(result.genotype[1], 0.65f);
  EXPECT_NEAR(result.genotype[2], 0.25f, 0.1f);
}

TEST(EvolutionSearch, StaysWhereEveryEvaluationFails) {
  QuadraticConfig config;
  config.failure_rate = 1;
  LocalEvaluator evaluator(std::make_shared<QuadraticTask>(config));
  EvolutionSearch search = started(config_of(16, 0.02, 0.05), kGrid, {search_of(5, {0.1f, 0.2f, 0.3f})}, 4, Key(1));
  run_to_the_end(search, evaluator);
  const Search& result = search.searches().front();
  EXPECT_THAT(result.genotype, ::testing::ElementsAre(0.1f, 0.2f, 0.3f));
  EXPECT_THAT(result.descriptor_mean, IsEmpty());
  EXPECT_EQ(result.fitness_mean, 0.0f);
}

TEST(EvolutionSearch, LeavesFailuresOutOfItsMeans) {
  QuadraticConfig config;
  config.failure_rate = 0.3;
  LocalEvaluator evaluator(std::make_shared<QuadraticTask>(config));
  EvolutionSearch search = started(config_of(64, 0.02, 0.05), kGrid, {search_of(10, {0, 0, 0})}, 20, Key(1));
  run_to_the_end(search, evaluator);
  EXPECT_TRUE(std::isfinite(search.searches().front().fitness_mean));
  EXPECT_TRUE(kGrid.strictly_inside(10, search.searches().front().descriptor_mean));
}

TEST(EvolutionSearch, ComparesFitnessInMultiplesOfTheResolution) {
  LocalEvaluator evaluator(std::make_shared<QuadraticTask>());
  // everything inside and alike: no direction is better
  SearchConfig config = config_of(32, 0.001, 0.05);
  config.fitness_resolution = 100;
  const std::vector<float> genotype = {0.25f, 0.25f, 0.25f};
  EvolutionSearch rounded = started(config, kGrid, {search_of(10, genotype)}, 3, Key(1));
  run_to_the_end(rounded, evaluator);
  EXPECT_EQ(rounded.searches().front().genotype, genotype);
  config.fitness_resolution = 0;
  EvolutionSearch exact = started(config, kGrid, {search_of(10, genotype)}, 3, Key(1));
  run_to_the_end(exact, evaluator);
  EXPECT_NE(exact.searches().front().genotype, genotype);
}

// --- What results do not depend on ---------------------------------------------------------------------------------

std::vector<Search> several_arm_searches() {
  std::vector<Search> searches;
  for (std::size_t i = 0; i < 5; ++i) {
    std::vector<float> genotype(8);
    Arm().initial_genotype(Key(2), static_cast<std::uint32_t>(i), genotype);
    searches.push_back(search_of(100 * i, genotype));
  }
  return searches;
}

TEST(EvolutionSearch, GivesASearchTheSameBytesWhateverRunsBesideIt) {
  const auto task = std::make_shared<Arm>();
  const Grid grid(task->info().grid);
  LocalEvaluator evaluator(task);
  const std::vector<Search> searches = several_arm_searches();
  EvolutionSearch together = started(config_of(32, 0.01, 0.01), grid, searches, 6, Key(3));
  run_to_the_end(together, evaluator);
  for (std::size_t i = 0; i < searches.size(); ++i) {
    EvolutionSearch alone = started(config_of(32, 0.01, 0.01), grid, {searches[i]}, 6, Key(3));
    run_to_the_end(alone, evaluator);
    EXPECT_EQ(bits_of(alone.searches()[0].genotype), bits_of(together.searches()[i].genotype));
    EXPECT_EQ(alone.searches()[0].adam, together.searches()[i].adam);
    EXPECT_EQ(alone.searches()[0].descriptor_mean, together.searches()[i].descriptor_mean);
  }
}

TEST(EvolutionSearch, GivesTheSameBytesForEveryNumberOfThreadsAndOthersForAnotherSeed) {
  const auto task = std::make_shared<Arm>();
  const auto outcome = [&](Key key) {
    LocalEvaluator evaluator(task);
    EvolutionSearch search =
        started(config_of(48, 0.01, 0.01), Grid(task->info().grid), several_arm_searches(), 5, key);
    run_to_the_end(search, evaluator);
    return search.save();
  };
  const State expected = outcome(Key(3));
  for_each_thread_count([&](std::size_t) { EXPECT_EQ(outcome(Key(3)), expected); });
  EXPECT_NE(outcome(Key(4)), expected);
}

// As the loop of a run does: every search's samples apart, and the lot only then.
TEST(EvolutionSearch, LearnsTheSameFromEachSearchApart) {
  const auto task = std::make_shared<Arm>();
  EvolutionSearch whole =
      started(config_of(64, 0.01, 0.01), Grid(task->info().grid), several_arm_searches(), 4, Key(3));
  EvolutionSearch parted = whole;
  for_each_thread_count([&](std::size_t) {
    LocalEvaluator evaluator(task);
    const auto use = [&](std::size_t i, const CentreEvaluations& of) { parted.tell_centre(i, of); };
    run_round(whole, evaluator);
    // what is not told to the end can be asked again
    const State before = parted.save();
    evaluator.evaluate_each(parted.ask(), use);
    EXPECT_EQ(parted.save(), before);
    evaluator.evaluate_each(parted.ask(), use);
    parted.told_all();
    EXPECT_EQ(parted.save(), whole.save());
  });
  EXPECT_TRUE(whole.done());
  EXPECT_TRUE(parted.done());
}

// Forgets the noise that a task handed back, so that it is drawn again.
class ForgetfulEvaluator : public LocalEvaluator {
 public:
  using LocalEvaluator::LocalEvaluator;
  void evaluate(const SampleRequest& request, Evaluations& out) override {
    LocalEvaluator::evaluate(request, out);
    out.perturbations.clear();
  }
};

void expect_same_with_and_without_kept_noise(std::size_t pairs) {
  const auto task = std::make_shared<Arm>();
  const Grid grid(task->info().grid);
  LocalEvaluator keeping(task);
  ForgetfulEvaluator forgetful(task);
  EvolutionSearch kept = started(config_of(pairs, 0.01, 0.01), grid, several_arm_searches(), 3, Key(3));
  EvolutionSearch drawn = kept;
  ASSERT_TRUE(kept.ask().keep_perturbations);
  run_to_the_end(kept, keeping);
  run_to_the_end(drawn, forgetful);
  EXPECT_TRUE(kept.save() == drawn.save()) << pairs << " pairs";
}

TEST(EvolutionSearch, StepsTheSameFromKeptNoiseAndFromNoiseDrawnAgain) {
  for_each_simd_target([](bool) {
    for (const std::size_t pairs : {16u, 64u, 256u}) expect_same_with_and_without_kept_noise(pairs);
  });
}

TEST(EvolutionSearch, StepsTheSameFromKeptNoiseWhereThePairsAreNoMultipleOfSixteen) {
  for_each_simd_target([](bool) {
    for (const std::size_t pairs : {1u, 7u, 50u, 100u, 300u}) expect_same_with_and_without_kept_noise(pairs);
  });
}

TEST(EvolutionSearch, DoesNotKeepMoreNoiseThanFitsInACache) {
  EvolutionSearch search = started(config_of(1 << 20, 0.01, 0.01), kGrid, {search_of(1, {0, 0, 0})}, 3, Key(3));
  EXPECT_FALSE(search.ask().keep_perturbations);
}

// --- Saving --------------------------------------------------------------------------------------------------------

TEST(EvolutionSearch, GoesOnFromItsStateWithTheSameBytes) {
  const auto task = std::make_shared<Arm>();
  const Grid grid(task->info().grid);
  LocalEvaluator evaluator(task);
  const SearchConfig config = config_of(32, 0.01, 0.01);
  EvolutionSearch whole = started(config, grid, several_arm_searches(), 6, Key(3));
  run_to_the_end(whole, evaluator);
  for (int rounds = 0; rounds < 6; ++rounds) {
    EvolutionSearch first = started(config, grid, several_arm_searches(), 6, Key(3));
    for (int i = 0; i < rounds; ++i) run_round(first, evaluator);
    EvolutionSearch second(config, grid);
    second.load(first.save(), Key(3), 8);
    EXPECT_EQ(second.save(), first.save());
    run_to_the_end(second, evaluator);
    EXPECT_EQ(second.save(), whole.save()) << "interrupted after " << rounds;
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(second.searches()[i].fitness_mean, whole.searches()[i].fitness_mean);
      EXPECT_EQ(second.searches()[i].descriptor_mean, whole.searches()[i].descriptor_mean);
    }
  }
}

TEST(EvolutionSearch, KeepsASearchWithoutATargetThroughItsState) {
  EvolutionSearch search = started(config_of(16, 0.01, 0.01), kGrid, {search_of(std::nullopt, {1, 2, 3})}, 6, Key(3));
  EvolutionSearch other(config_of(16, 0.01, 0.01), kGrid);
  other.load(search.save(), Key(3), 3);
  EXPECT_EQ(other.searches().front().target, std::nullopt);
}

TEST(EvolutionSearch, RefusesAStateThatDoesNotFit) {
  EvolutionSearch search = started(config_of(16, 0.01, 0.01), kGrid, {search_of(3, {1, 2, 3})}, 6, Key(3));
  const State good = search.save();
  const auto said = [&](const char* name, auto values) {
    State state = good;
    state.put(name, values);
    EvolutionSearch other(config_of(16, 0.01, 0.01), kGrid);
    return message_of([&] { other.load(state, Key(3), 3); });
  };
  EXPECT_THAT(said("targets", std::vector<std::int64_t>{16}), AllOf(HasSubstr("target"), HasSubstr("got 16")));
  EXPECT_THAT(said("targets", std::vector<std::int64_t>{1, 2}), HasSubstr("'targets'"));
  EXPECT_THAT(said("genotypes", std::vector<float>(4)), AllOf(HasSubstr("'genotypes'"), HasSubstr("3 values long")));
  EXPECT_THAT(said("adam_means", std::vector<float>(2)), HasSubstr("'adam_means'"));
  EXPECT_THAT(said("adam_squares", std::vector<double>(3)), HasSubstr("'adam_squares'"));
  EXPECT_THAT(said("step", std::int64_t{7}), AllOf(HasSubstr("step"), HasSubstr("0 .. 6"), HasSubstr("got 7")));
  EXPECT_THAT(said("step", std::int64_t{-1}), HasSubstr("got -1"));
  for (const auto& [name, array] : good.arrays()) {
    State state = good;
    state.arrays().erase(name);
    EvolutionSearch other(config_of(16, 0.01, 0.01), kGrid);
    EXPECT_THAT(message_of([&] { other.load(state, Key(3), 3); }), AllOf(HasSubstr(name), HasSubstr("missing")));
  }
}

// Numbers that no search can have reached.
TEST(EvolutionSearch, RefusesAStateThatNoSearchCanBeIn) {
  EvolutionSearch search = started(config_of(16, 0.01, 0.01), kGrid, {search_of(3, {1, 2, 3})}, 6, Key(3));
  const auto refuses = [&](const std::function<void(State&)>& change) {
    State state = search.save();
    change(state);
    EvolutionSearch other(config_of(16, 0.01, 0.01), kGrid);
    try {
      other.load(state, Key(3), 3);
    } catch (const InputError&) {
      return true;
    }
    return false;
  };
  EXPECT_TRUE(refuses([](State& s) { s.put("adam_steps", std::vector<std::int64_t>{-1}); }));
  EXPECT_TRUE(refuses([](State& s) { s.put("ids", std::vector<std::int64_t>{-1}); }));
  EXPECT_TRUE(refuses([](State& s) { s.put("ids", std::vector<std::int64_t>{std::int64_t{1} << 32}); }));
  EXPECT_TRUE(refuses([](State& s) { s.put("targets", std::vector<std::int64_t>{-2}); }));
  // steps taken by no search: it would never be done
  EXPECT_TRUE(refuses([](State& s) {
    for (const char* name : {"ids", "targets", "adam_steps"}) s.put(name, std::vector<std::int64_t>{});
    for (const char* name : {"genotypes", "adam_means", "adam_squares"}) s.put(name, std::vector<float>{});
    s.put("step", std::int64_t{3});
  }));
}

}  // namespace
}  // namespace aria
