#include "aria/algorithm/mome.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <vector>

#include "aria/evaluation/cloud_mean.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "aria/task/arm.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/quadratic_task.hpp"
#include "tests/support/run_algorithm.hpp"

namespace aria {
namespace {

using aria::testing::message_of;
using aria::testing::QuadraticConfig;
using aria::testing::QuadraticTask;
using aria::testing::run_round;
using aria::testing::run_to_the_end;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

MomeConfig config_of(std::size_t budget, std::size_t batch, std::size_t samples) {
  MomeConfig config;
  config.budget = budget;
  config.batch = batch;
  config.samples = samples;
  return config;
}

// --- Construction --------------------------------------------------------------------------------------------------

TEST(Mome, HasThePublishedSettings) {
  const MomeConfig config;
  EXPECT_EQ(config.batch, 128u);
  EXPECT_EQ(config.samples, 32u);
  EXPECT_EQ(config.front_size, 50u);
  EXPECT_EQ(config.fitness_weight, 0.5);
  EXPECT_EQ(config.iso_sigma, 0.01);
  EXPECT_EQ(config.line_sigma, 0.1);
}

TEST(Mome, RefusesSettingsOutsideTheirRange) {
  const auto said = [](const std::function<void(MomeConfig&)>& change) {
    MomeConfig config;
    change(config);
    return message_of([&] { const Mome algorithm(config, std::make_shared<Arm>(), Key(1)); });
  };
  EXPECT_THAT(said([](MomeConfig& c) { c.samples = 1; }),
              AllOf(HasSubstr("samples"), HasSubstr(">= 2"), HasSubstr("got 1")));
  EXPECT_THAT(said([](MomeConfig& c) { c.front_size = 0; }), AllOf(HasSubstr("front_size"), HasSubstr("got 0")));
  EXPECT_THAT(said([](MomeConfig& c) { c.front_size = 65'537; }), HasSubstr("65536"));
  EXPECT_THAT(said([](MomeConfig& c) { c.fitness_weight = 2; }),
              AllOf(HasSubstr("fitness_weight"), HasSubstr("got 2")));
  EXPECT_THAT(said([](MomeConfig& c) { c.batch = 0; }), HasSubstr("batch"));
}

TEST(Mome, NamesItsSettings) {
  MomeConfig config;
  SettingTable table;
  bind_settings(table, config);
  EXPECT_THAT(table.names(),
              ElementsAre("budget", "batch", "iso_sigma", "line_sigma", "samples", "front_size", "fitness_weight"));
  table.set("front_size", "7");
  EXPECT_EQ(config.front_size, 7u);
}

// --- Evolution -----------------------------------------------------------------------------------------------------

TEST(Mome, KeepsFrontsOfMeanFitnessAndMinusTheVariance) {
  const auto task = std::make_shared<Arm>();
  LocalEvaluator evaluator(task);
  Mome algorithm(config_of(50 * 8, 50, 8), task, Key(3));
  const SampleRequest request = algorithm.ask();
  EXPECT_EQ(request.samples, 8u);
  EXPECT_EQ(request.sigma, 0.0f);
  Evaluations evaluations;
  evaluator.evaluate(request, evaluations);
  algorithm.tell(evaluations);

  ParetoArchive expected(Grid(task->info().grid), 8, 50);
  Matrix descriptors;
  std::vector<float> fitness;
  std::vector<float> reproducibility;
  for (std::size_t i = 0; i < 50; ++i) {
    const auto part = std::span(evaluations.fitness).subspan(8 * i, 8);
    const auto rows = evaluations.descriptors.view().rows(8 * i, 8);
    fitness.push_back(cloud_mean(part, rows).fitness);
    descriptors.append_row(cloud_mean(part, rows).descriptor);
    reproducibility.push_back(static_cast<float>(-cloud_spread(part, rows).variance));
  }
  expected.insert(request.centres, fitness, reproducibility, descriptors);
  const ParetoArchive& found = algorithm.fronts();
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t slot = 0; slot < found.size(); ++slot) {
    EXPECT_EQ(found.cell(slot), expected.cell(slot));
    ASSERT_EQ(found.members(slot), expected.members(slot));
    for (std::size_t i = 0; i < found.members(slot); ++i) {
      EXPECT_FLOAT_EQ(found.fitness(slot, i), expected.fitness(slot, i));
      EXPECT_FLOAT_EQ(found.reproducibility(slot, i), expected.reproducibility(slot, i));
      EXPECT_THAT(found.genotype(slot, i), ::testing::ElementsAreArray(expected.genotype(slot, i)));
    }
  }
}

TEST(Mome, ReducesAFrontToTheBestInTheSenseOfMeSaR) {
  QuadraticConfig noisy;
  noisy.descriptor_noise = 0.3f;
  const auto task = std::make_shared<QuadraticTask>(noisy);
  LocalEvaluator evaluator(task);
  for (const double weight : {0.0, 0.3, 1.0}) {
    MomeConfig config = config_of(4000, 50, 4);
    config.fitness_weight = weight;
    Mome algorithm(config, task, Key(1));
    run_to_the_end(algorithm, evaluator);
    const RobustFitness score(weight, task->info());
    const ParetoArchive& fronts = algorithm.fronts();
    const ArchiveTable table = algorithm.archive();
    ASSERT_EQ(table.size(), fronts.size());
    std::size_t longest = 0;
    for (std::size_t slot = 0; slot < fronts.size(); ++slot) {
      longest = std::max(longest, fronts.members(slot));
      const auto row =
          std::ranges::find(table.index, static_cast<std::int32_t>(fronts.cell(slot))) - table.index.begin();
      const auto chosen = table.solution.row(static_cast<std::size_t>(row));
      double best = -1e9;
      std::size_t member = 0;
      for (std::size_t i = 0; i < fronts.members(slot); ++i) {
        const double s =
            score(static_cast<double>(fronts.fitness(slot, i)), -static_cast<double>(fronts.reproducibility(slot, i)));
        if (s > best) best = s, member = i;
      }
      EXPECT_THAT(chosen, ::testing::ElementsAreArray(fronts.genotype(slot, member)));
      // the objective is the mean fitness, not the score
      EXPECT_EQ(table.objective[static_cast<std::size_t>(row)], fronts.fitness(slot, member));
      if (weight == 1.0) {
        EXPECT_EQ(member, 0u);
      }
      if (weight == 0.0) {
        EXPECT_EQ(member, fronts.members(slot) - 1);
      }
    }
    EXPECT_GE(longest, 3u);
  }
}

TEST(Mome, BoundsItsFronts) {
  QuadraticConfig noisy;
  noisy.descriptor_noise = 0.3f;
  const auto task = std::make_shared<QuadraticTask>(noisy);
  LocalEvaluator evaluator(task);
  MomeConfig config = config_of(4000, 50, 4);
  config.front_size = 2;
  Mome algorithm(config, task, Key(1));
  run_to_the_end(algorithm, evaluator);
  for (std::size_t slot = 0; slot < algorithm.fronts().size(); ++slot) {
    EXPECT_LE(algorithm.fronts().members(slot), 2u);
  }
}

TEST(Mome, NeverExceedsItsBudget) {
  const auto task = std::make_shared<Arm>();
  LocalEvaluator evaluator(task);
  Mome algorithm(config_of(103, 5, 10), task, Key(1));
  std::vector<std::size_t> spent;
  while (!algorithm.done()) spent.push_back(run_round(algorithm, evaluator));
  EXPECT_THAT(spent, ElementsAre(50, 50));
  EXPECT_EQ(algorithm.status().planned_evaluations, 100u);
}

TEST(Mome, KeepsNothingWithoutAVariance) {
  // one evaluation of each offspring is left: it would look perfectly steady
  QuadraticConfig failing;
  failing.before = [](std::uint32_t, std::size_t sample) {
    if (sample > 0) throw std::runtime_error("fails");
  };
  const auto task = std::make_shared<QuadraticTask>(failing);
  LocalEvaluator evaluator(task);
  Mome algorithm(config_of(400, 10, 4), task, Key(1));
  run_to_the_end(algorithm, evaluator);
  EXPECT_EQ(algorithm.archive().size(), 0u);
  EXPECT_EQ(algorithm.status().best_fitness, 0);
}

// --- Status and saving ---------------------------------------------------------------------------------------------

TEST(Mome, TellsAboutItself) {
  const auto task = std::make_shared<Arm>();
  LocalEvaluator evaluator(task);
  Mome algorithm(config_of(3200, 50, 8), task, Key(1));
  EXPECT_EQ(algorithm.status().cells, 0u);
  EXPECT_EQ(algorithm.status().planned_evaluations, 3200u);
  EXPECT_EQ(algorithm.initial_archive(), std::nullopt);
  run_round(algorithm, evaluator);
  EXPECT_EQ(algorithm.status().phase, "MOME-R");
  EXPECT_EQ(algorithm.status().cells, algorithm.archive().size());
  EXPECT_EQ(algorithm.status().best_fitness, algorithm.fronts().best_fitness());
}

TEST(Mome, RefusesAStateThatIsNotItsOwnAndStaysAsItWas) {
  const auto task = std::make_shared<Arm>();
  LocalEvaluator evaluator(task);
  Mome algorithm(config_of(3200, 50, 8), task, Key(1));
  run_round(algorithm, evaluator);
  const State good = algorithm.save();
  State state = good;
  state.put("evaluations", std::int64_t{3201});
  EXPECT_THAT(message_of([&] { algorithm.load(state); }), AllOf(HasSubstr("at most 3200"), HasSubstr("got 3201")));
  state = good;
  state.put("generation", std::int64_t{7});
  state.put("archive/cells", std::vector<std::int64_t>{1 << 20});
  EXPECT_THAT(message_of([&] { algorithm.load(state); }), HasSubstr("'sizes'"));
  EXPECT_EQ(algorithm.save(), good);
}

}  // namespace
}  // namespace aria
