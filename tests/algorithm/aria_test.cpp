#include "aria/algorithm/aria.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "aria/evaluation/evaluator.hpp"
#include "aria/metrics/corrected_archive.hpp"
#include "aria/metrics/reevaluation.hpp"
#include "aria/task/arm.hpp"
#include "tests/support/messages.hpp"
#include "tests/support/quadratic_task.hpp"
#include "tests/support/run_algorithm.hpp"

namespace aria {
namespace {

using aria::testing::failing_task;
using aria::testing::message_of;
using aria::testing::noisy_task;
using aria::testing::QuadraticConfig;
using aria::testing::QuadraticTask;
using aria::testing::run_round;
using aria::testing::run_to_the_end;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::size_t kCells = 36;

std::shared_ptr<const Task> small_arm() {
  ArmConfig config;
  config.grid = {6, 6};
  return std::make_shared<Arm>(config);
}

AriaConfig small_config(std::size_t parallel_cells = 4) {
  AriaConfig config;
  config.search.pairs = 32;
  config.search.sigma = 0.01;
  config.steps = 10;
  config.initial_steps = 6;
  config.mean_evaluations = 64;
  config.parallel_cells = parallel_cells;
  return config;
}

MapElitesConfig small_start() {
  MapElitesConfig config;
  config.budget = 200;
  config.batch = 64;
  return config;
}

ArchiveTable random_archive(const Task& task, std::size_t count) {
  ArchiveTable table;
  table.solution = Matrix(count, task.info().parameters);
  for (std::size_t i = 0; i < count; ++i) {
    task.initial_genotype(Key(50), static_cast<std::uint32_t>(i), table.solution.row(i));
  }
  return table;
}

// Runs until the phase is another, or it is done.
void run_phase(Aria& aria, Evaluator& evaluator) {
  const std::string phase = aria.status().phase;
  while (!aria.done() && aria.status().phase == phase) run_round(aria, evaluator);
}

void expect_every_cell_filled(const ArchiveTable& archive) {
  ASSERT_EQ(archive.size(), kCells);
  std::vector<std::int32_t> cells(kCells);
  std::iota(cells.begin(), cells.end(), 0);
  EXPECT_EQ(archive.index, cells);
  EXPECT_EQ(archive.target_index, cells);
  EXPECT_EQ(archive.objective.size(), kCells);
  EXPECT_EQ(archive.measures.rows(), kCells);
  EXPECT_TRUE(archive.grid.has_value());
}

// --- Construction --------------------------------------------------------------------------------------------------

TEST(Aria, RefusesSettingsOutsideTheirRange) {
  const auto said = [](const std::function<void(AriaConfig&)>& change) {
    AriaConfig config = small_config();
    change(config);
    return message_of([&] { const Aria aria(config, small_start(), small_arm(), Key(1)); });
  };
  EXPECT_THAT(said([](AriaConfig& c) { c.steps = 0; }),
              AllOf(HasSubstr("steps"), HasSubstr("from 1 to 1e8"), HasSubstr("got 0")));
  EXPECT_THAT(said([](AriaConfig& c) { c.initial_steps = 0; }), HasSubstr("initial_steps"));
  EXPECT_THAT(said([](AriaConfig& c) { c.mean_evaluations = 0; }),
              AllOf(HasSubstr("mean_evaluations"), HasSubstr("2^24")));
  EXPECT_THAT(said([](AriaConfig& c) { c.parallel_cells = 0; }),
              AllOf(HasSubstr("parallel_cells"), HasSubstr("got 0")));
  EXPECT_THAT(said([](AriaConfig& c) { c.parallel_cells = 65'537; }),
              AllOf(HasSubstr("parallel_cells"), HasSubstr("65537")));
  EXPECT_THAT(said([](AriaConfig& c) { c.search.sigma = 0; }), HasSubstr("sigma"));
}

TEST(Aria, RefusesTheSettingsOfItsStart) {
  MapElitesConfig start = small_start();
  start.batch = 0;
  EXPECT_THAT(message_of([&] { const Aria aria(small_config(), start, small_arm(), Key(1)); }), HasSubstr("batch"));
}

TEST(Aria, RefusesGenotypesOfAnotherLength) {
  ArchiveTable archive;
  archive.solution = Matrix(3, 5);
  EXPECT_THAT(
      message_of([&] { const Aria aria(small_config(), archive, small_arm(), Key(1)); }),
      AllOf(HasSubstr("a genotype of the archive"), HasSubstr("8 parameters long for task 'arm'"), HasSubstr("got 5")));
}

TEST(Aria, RefusesAnArchiveOfNothing) {
  EXPECT_THAT(message_of([&] { const Aria aria(small_config(), ArchiveTable(), small_arm(), Key(1)); }),
              AllOf(HasSubstr("archive"), HasSubstr("at least one solution"), HasSubstr("got 0")));
}

TEST(Aria, NamesItsSettings) {
  AriaConfig config;
  SettingTable table;
  bind_settings(table, config);
  EXPECT_THAT(table.names(), ElementsAre("pairs", "sigma", "learning_rate", "fitness_resolution", "steps",
                                         "mean_evaluations", "parallel_cells", "use_symmetry"));
  table.set("fitness_resolution", "0.0625");
  table.set("parallel_cells", "3");
  EXPECT_EQ(config.search.fitness_resolution, 0.0625);
  EXPECT_EQ(config.parallel_cells, 3u);
}

// --- Evolution -----------------------------------------------------------------------------------------------------

TEST(Aria, FillsEveryCellFromMapElites) {
  const auto task = small_arm();
  LocalEvaluator evaluator(task);
  Aria aria(small_config(), small_start(), task, Key(1));
  run_to_the_end(aria, evaluator);
  expect_every_cell_filled(aria.archive());
}

TEST(Aria, FillsEveryCellFromOneSolutionOfAnEvolutionStrategy) {
  const auto task = small_arm();
  LocalEvaluator evaluator(task);
  Aria aria(small_config(), task, Key(1));
  run_to_the_end(aria, evaluator);
  expect_every_cell_filled(aria.archive());
}

TEST(Aria, FillsEveryCellFromAnArchive) {
  const auto task = small_arm();
  LocalEvaluator evaluator(task);
  for (const std::size_t count : {1u, 20u, 200u}) {
    Aria aria(small_config(), random_archive(*task, count), task, Key(1));
    run_to_the_end(aria, evaluator);
    expect_every_cell_filled(aria.archive());
  }
}

TEST(Aria, WorksInOneAndInThreeDimensions) {
  for (const GridShape& shape : {GridShape{{7}, {-1}, {1}}, GridShape{{2, 3, 2}, {-1, -1, -1}, {1, 1, 1}}}) {
    QuadraticConfig config;
    config.grid = shape;
    const auto task = std::make_shared<QuadraticTask>(config);
    LocalEvaluator evaluator(task);
    Aria aria(small_config(), small_start(), task, Key(1));
    run_to_the_end(aria, evaluator);
    EXPECT_EQ(aria.archive().size(), Grid(shape).cells());
  }
}

// What it is for: the corrected archive, which shows what is really there, fills up.
TEST(Aria, MakesAnArchiveReproducible) {
  const auto task = noisy_task(0.05f, 0.2f);
  const Grid grid(task->info().grid);
  LocalEvaluator evaluator(task);
  AriaConfig settings = small_config();
  settings.search.pairs = 64;
  settings.search.sigma = 0.1;  // the noise on the descriptor must not drown a perturbation
  settings.search.adam.learning_rate = 0.05;
  settings.steps = 40;
  MapElitesConfig start = small_start();
  start.budget = 2000;
  Aria aria(settings, start, task, Key(1));
  run_to_the_end(aria, evaluator);
  const auto corrected = [&](const ArchiveTable& archive) {
    ReevaluationConfig reevaluations;
    reevaluations.reevaluations = 256;
    const Reevaluation result = reevaluate(evaluator, grid, archive.solution, reevaluations, Key(9));
    return corrected_archive(archive, grid, result);
  };
  const auto p_score = [](const ArchiveTable& archive) {
    return std::accumulate(archive.cell_probability.begin(), archive.cell_probability.end(), 0.0);
  };
  const ArchiveTable before = corrected(*aria.initial_archive());
  const ArchiveTable after = corrected(aria.archive());
  EXPECT_EQ(aria.initial_archive()->size(), 16u);  // an illusion
  EXPECT_LT(before.size(), 16u);
  EXPECT_EQ(after.size(), 16u);
  EXPECT_GT(p_score(after), 1.25 * p_score(before));
}

TEST(Aria, PlacesByMeanDescriptorAndKeepsTheBestMeanFitnessOfACell) {
  // all in one cell, number 2 the fittest; the archive's own beliefs say otherwise
  const auto task = std::make_shared<QuadraticTask>();
  ArchiveTable archive;
  archive.solution = Matrix(4, 3, {0.1f, 0.1f, 0, 0.2f, 0.2f, 0, 0.25f, 0.25f, 0.25f, 0.3f, 0.3f, 0.9f});
  archive.objective = {100, 0, -100, 100};
  archive.index = {0, 1, 2, 3};
  LocalEvaluator evaluator(task);
  Aria aria(small_config(), archive, task, Key(1));
  run_phase(aria, evaluator);
  ASSERT_EQ(aria.status().phase, "improving");
  const SampleRequest& request = aria.ask();
  EXPECT_EQ(request.centres, Matrix(1, 3, {0.25f, 0.25f, 0.25f}));
  EXPECT_THAT(request.ids, ElementsAre(Grid(task->info().grid).cell_of(std::vector{0.25f, 0.25f})));
}

TEST(Aria, DoesNotDependOnHowInitialSolutionsAreSplitOverRequests) {
  // 2^16 evaluations each: two solutions per request
  const auto task = small_arm();
  LocalEvaluator evaluator(task);
  AriaConfig config = small_config();
  config.mean_evaluations = 1 << 16;
  Aria aria(config, random_archive(*task, 5), task, Key(1));
  std::vector<std::size_t> spent;
  while (aria.status().phase == "placing") spent.push_back(run_round(aria, evaluator));
  EXPECT_THAT(spent, ElementsAre(2u << 16, 2u << 16, 1u << 16));

  // by hand, all at once
  SampleRequest request;
  request.centres = random_archive(*task, 5).solution;
  request.ids = {0, 1, 2, 3, 4};
  request.samples = 1 << 16;
  request.key = Key(1).child(1);
  Evaluations evaluations;
  evaluator.evaluate(request, evaluations);
  std::size_t placed = 0;
  const auto rows = aria.save().get<std::int64_t>("best_row");
  for (std::size_t i = 0; i < 5; ++i) {
    double x = 0;
    double y = 0;
    for (std::size_t s = 0; s < request.samples; ++s) {
      x += evaluations.descriptors(i * request.samples + s, 0);
      y += evaluations.descriptors(i * request.samples + s, 1);
    }
    const auto samples = static_cast<double>(request.samples);
    const std::size_t cell =
        Grid(task->info().grid).cell_of(std::vector{static_cast<float>(x / samples), static_cast<float>(y / samples)});
    placed += rows[cell] == static_cast<std::int64_t>(i) ? 1 : 0;
  }
  EXPECT_EQ(placed, static_cast<std::size_t>(std::ranges::count_if(rows, [](std::int64_t row) { return row >= 0; })));
  EXPECT_GE(placed, 2u);
}

TEST(Aria, ImprovesTheSameHoweverManyCellsRunSideBySide) {
  const auto task = small_arm();
  LocalEvaluator evaluator(task);
  std::vector<ArchiveTable> improved;
  for (const std::size_t parallel_cells : {1u, 3u, 16u, 1000u}) {
    Aria aria(small_config(parallel_cells), random_archive(*task, 40), task, Key(1));
    run_phase(aria, evaluator);
    run_phase(aria, evaluator);
    ASSERT_EQ(aria.status().phase, "completing");
    improved.push_back(aria.archive());
    EXPECT_GE(improved.front().size(), 10u);
    EXPECT_TRUE(improved.back() == improved.front()) << parallel_cells << " cells side by side";
  }
}

TEST(Aria, CompletesOutwardsFromTheNearestExploredCell) {
  const auto task = small_arm();
  const Grid grid(task->info().grid);
  LocalEvaluator evaluator(task);
  Aria aria(small_config(1), random_archive(*task, 3), task, Key(1));
  run_phase(aria, evaluator);
  run_phase(aria, evaluator);
  ArchiveTable before = aria.archive();
  while (!aria.done()) {
    // one search at a time: it starts from the genotype of an explored cell at the smallest distance there is
    const SampleRequest request = aria.ask();
    ASSERT_EQ(request.ids.size(), 1u);
    double smallest = std::numeric_limits<double>::infinity();
    double taken = std::numeric_limits<double>::infinity();
    for (std::size_t cell = 0; cell < kCells; ++cell) {
      const bool explored = std::ranges::find(before.index, static_cast<std::int32_t>(cell)) != before.index.end();
      for (std::size_t row = 0; row < before.size() && !explored; ++row) {
        smallest = std::min(smallest, grid.squared_distance(cell, static_cast<std::size_t>(before.index[row])));
      }
    }
    for (std::size_t row = 0; row < before.size(); ++row) {
      if (!std::ranges::equal(before.solution.row(row), request.centres.row(0))) continue;
      taken = std::min(taken, grid.squared_distance(request.ids[0], static_cast<std::size_t>(before.index[row])));
    }
    ASSERT_EQ(taken, smallest);
    while (!aria.done() && aria.archive().size() == before.size()) run_round(aria, evaluator);
    before = aria.archive();
  }
  expect_every_cell_filled(before);
}

// The Adam state goes from cell to cell with the genotype: its steps tell how long the way was.
TEST(Aria, HandsTheAdamStateOverFromCellToCell) {
  const auto task = small_arm();
  LocalEvaluator evaluator(task);
  Aria aria(small_config(1), random_archive(*task, 1), task, Key(1));
  run_phase(aria, evaluator);
  run_phase(aria, evaluator);
  EXPECT_THAT(aria.save().get<std::int64_t>("results/adam_steps"), ElementsAre(10));
  run_to_the_end(aria, evaluator);
  std::vector<std::int64_t> steps = aria.save().get<std::int64_t>("results/adam_steps");
  ASSERT_EQ(steps.size(), kCells);
  std::ranges::sort(steps);
  EXPECT_EQ(steps.front(), 10);
  EXPECT_EQ(steps[1], 20);
  for (const std::int64_t s : steps) EXPECT_EQ(s % 10, 0);
  EXPECT_GE(steps.back(), 40);  // several cells away
}

// A search by hand, from the genotype and the Adam state of the first cell, must end where ARIA did.
TEST(Aria, StartsTheNextCellWithTheGenotypeAndTheAdamStateOfItsSource) {
  const auto task = small_arm();
  LocalEvaluator evaluator(task);
  const AriaConfig config = small_config(1);
  Aria aria(config, random_archive(*task, 1), task, Key(1));
  run_phase(aria, evaluator);
  run_phase(aria, evaluator);
  const State first = aria.save().part("results/");
  EvolutionSearch source(config.search, Grid(task->info().grid));
  source.load(first, Key(), 8);
  ASSERT_EQ(source.searches().size(), 1u);

  const SampleRequest request = aria.ask();
  const auto by_hand = [&](const AdamState& adam) {
    Search search = source.searches().front();
    search.id = request.ids[0];
    search.target = request.ids[0];
    search.adam = adam;
    EvolutionSearch next(config.search, Grid(task->info().grid));
    next.start({search}, config.steps, Key(1).child(3));
    EXPECT_EQ(next.ask().key, request.key);
    run_to_the_end(next, evaluator);
    return next.searches().front().genotype;
  };
  for (std::size_t i = 0; i < config.steps; ++i) run_round(aria, evaluator);
  const ArchiveTable archive = aria.archive();
  ASSERT_EQ(archive.size(), 2u);
  const auto row = static_cast<std::size_t>(
      std::ranges::find(archive.index, static_cast<std::int32_t>(request.ids[0])) - archive.index.begin());
  ASSERT_LT(row, 2u);
  const std::vector<float> reached(archive.solution.row(row).begin(), archive.solution.row(row).end());
  EXPECT_EQ(reached, by_hand(source.searches().front().adam));
  EXPECT_NE(reached, by_hand(AdamState(8)));
}

TEST(Aria, GoesOnWithTheAdamStateOfItsEvolutionStrategy) {
  const auto task = small_arm();
  LocalEvaluator evaluator(task);
  Aria aria(small_config(1), task, Key(1));
  run_phase(aria, evaluator);
  EXPECT_EQ(aria.status().phase, "placing");
  run_phase(aria, evaluator);
  EXPECT_EQ(aria.status().phase, "improving");
  // six steps for fitness, then six towards the first cell
  std::size_t rounds = 0;
  while (aria.status().phase == "improving") {
    run_round(aria, evaluator);
    ++rounds;
  }
  EXPECT_EQ(rounds, 6u);
  EXPECT_THAT(aria.save().get<std::int64_t>("results/adam_steps"), ElementsAre(12));
}

TEST(Aria, CompletesByTheDistanceFromTheFirstCellOfItsEvolutionStrategy) {
  const auto task = small_arm();
  const Grid grid(task->info().grid);
  LocalEvaluator evaluator(task);
  Aria aria(small_config(1), task, Key(1));
  while (aria.status().phase != "completing") run_round(aria, evaluator);
  const auto home = static_cast<std::size_t>(aria.archive().index.front());
  double last = 0;
  while (!aria.done()) {
    const double distance = grid.squared_distance(home, aria.ask().ids.front());
    EXPECT_GE(distance, last);
    last = distance;
    for (int i = 0; i < 10; ++i) run_round(aria, evaluator);
  }
}

// --- Failures ------------------------------------------------------------------------------------------------------

TEST(Aria, EndsWithNothingWhereEverythingFails) {
  const auto task = failing_task(1);
  LocalEvaluator evaluator(task);
  Aria from_map_elites(small_config(), small_start(), task, Key(1));
  run_to_the_end(from_map_elites, evaluator);
  EXPECT_TRUE(from_map_elites.done());
  EXPECT_EQ(from_map_elites.archive().size(), 0u);
  EXPECT_EQ(from_map_elites.status().cells, 0u);

  Aria from_es(small_config(), task, Key(1));
  run_to_the_end(from_es, evaluator);
  EXPECT_EQ(from_es.archive().size(), 0u);
}

TEST(Aria, EndsWhereNoSolutionOfAnArchiveCanBeEvaluated) {
  const auto task = failing_task(1);
  LocalEvaluator evaluator(task);
  Aria aria(small_config(), random_archive(*task, 5), task, Key(1));
  EXPECT_EQ(run_to_the_end(aria, evaluator), 5u * 64);
  EXPECT_EQ(aria.archive().size(), 0u) << "what it was given is not a result";
  EXPECT_EQ(aria.status().cells, 0u);
  EXPECT_EQ(aria.status().phase, "done");
}

TEST(Aria, FillsEveryCellThoughManyEvaluationsFail) {
  const auto task = failing_task(0.4);
  LocalEvaluator evaluator(task);
  Aria aria(small_config(), small_start(), task, Key(1));
  run_to_the_end(aria, evaluator);
  EXPECT_EQ(aria.archive().size(), 16u);
  for (const float f : aria.archive().objective) EXPECT_TRUE(std::isfinite(f));
}

// A cell whose last samples all failed is explored, but there is nothing to show for it.
TEST(Aria, LeavesACellWhoseSamplesAllFailedOutOfItsArchiveAndOutOfItsStatus) {
  const auto task = std::make_shared<QuadraticTask>();  // fitness is never above 0
  LocalEvaluator evaluator(task);
  ArchiveTable archive;
  archive.solution = Matrix(2, 3, {-0.9f, -0.9f, -0.9f, 0.9f, 0.9f, 0.9f});
  Aria aria(small_config(), archive, task, Key(1));
  run_phase(aria, evaluator);
  Evaluations evaluations;
  while (aria.status().phase == "improving") {
    evaluator.evaluate(aria.ask(), evaluations);
    std::fill_n(evaluations.fitness.begin(), 64, std::numeric_limits<float>::quiet_NaN());
    aria.tell(evaluations);
  }
  ASSERT_EQ(aria.archive().size(), 1u);
  EXPECT_LT(aria.archive().objective[0], -0.1f);
  EXPECT_EQ(aria.status().cells, aria.archive().size());
  EXPECT_EQ(aria.status().best_fitness, aria.archive().objective[0]);
}

// --- Status --------------------------------------------------------------------------------------------------------

TEST(Aria, GoesThroughItsPhases) {
  const auto task = small_arm();
  LocalEvaluator evaluator(task);
  Aria aria(small_config(), small_start(), task, Key(1));
  std::vector<std::string> phases = {aria.status().phase};
  while (!aria.done()) {
    run_round(aria, evaluator);
    if (aria.status().phase != phases.back()) phases.push_back(aria.status().phase);
  }
  EXPECT_THAT(phases, ElementsAre("MAP-Elites", "placing", "improving", "completing", "done"));
  EXPECT_EQ(aria.status().cells, kCells);
  const ArchiveTable archive = aria.archive();
  EXPECT_EQ(aria.status().best_fitness, *std::ranges::max_element(archive.objective));
}

TEST(Aria, PlansAsManyEvaluationsAsItTakes) {
  const auto task = small_arm();
  LocalEvaluator evaluator(task);
  Aria from_map_elites(small_config(), small_start(), task, Key(1));
  std::size_t spent = run_to_the_end(from_map_elites, evaluator);
  EXPECT_EQ(spent, from_map_elites.status().planned_evaluations);
  // the other two know from the start
  Aria from_es(small_config(), task, Key(1));
  std::size_t planned = from_es.status().planned_evaluations;
  spent = run_to_the_end(from_es, evaluator);
  EXPECT_EQ(spent, planned);
  EXPECT_EQ(from_es.status().planned_evaluations, planned);
  Aria from_archive(small_config(), random_archive(*task, 9), task, Key(1));
  planned = from_archive.status().planned_evaluations;
  EXPECT_EQ(planned, 9u * 64 + kCells * 10 * 64);
  spent = run_to_the_end(from_archive, evaluator);
  EXPECT_EQ(spent, planned);
  EXPECT_EQ(from_archive.status().planned_evaluations, planned);
}

TEST(Aria, ShowsWhatItStartsFromUntilThereIsSomethingBetter) {
  const auto task = small_arm();
  LocalEvaluator evaluator(task);
  const ArchiveTable given = random_archive(*task, 9);
  Aria aria(small_config(), given, task, Key(1));
  EXPECT_EQ(aria.archive(), given);
  EXPECT_EQ(aria.initial_archive(), given);
  run_to_the_end(aria, evaluator);
  EXPECT_EQ(aria.initial_archive(), given);
  EXPECT_NE(aria.archive(), given);

  Aria from_map_elites(small_config(), small_start(), task, Key(1));
  run_round(from_map_elites, evaluator);
  EXPECT_EQ(from_map_elites.archive(), *from_map_elites.initial_archive());
  EXPECT_GE(from_map_elites.archive().size(), 5u);
}

// --- Saving --------------------------------------------------------------------------------------------------------

TEST(Aria, GoesOnFromTheMiddleOfPlacing) {
  const auto task = small_arm();
  LocalEvaluator evaluator(task);
  AriaConfig config = small_config();
  config.mean_evaluations = 1 << 15;  // four solutions per request
  const ArchiveTable given = random_archive(*task, 10);
  Aria aria(config, given, task, Key(1));
  run_round(aria, evaluator);
  ASSERT_EQ(aria.status().phase, "placing");
  Aria other(config, given, task, Key(1));
  other.load(aria.save());
  run_to_the_end(aria, evaluator);
  run_to_the_end(other, evaluator);
  EXPECT_EQ(other.archive(), aria.archive());
  EXPECT_EQ(other.save(), aria.save());
}

TEST(Aria, ForgetsWhatItHeldWhenItIsLoaded) {
  const auto task = small_arm();
  LocalEvaluator evaluator(task);
  Aria fresh(small_config(), small_start(), task, Key(1));
  Aria used = fresh;
  const State start = fresh.save();
  run_to_the_end(used, evaluator);
  const ArchiveTable expected = used.archive();
  used.load(start);
  EXPECT_EQ(used.save(), start);
  EXPECT_EQ(used.status().cells, 0u);
  run_to_the_end(used, evaluator);
  EXPECT_EQ(used.archive(), expected);
}

// An ARIA in the middle of its completion, and its state.
struct Interrupted {
  std::shared_ptr<const Task> task = small_arm();
  Aria aria{small_config(), small_start(), task, Key(1)};
  State state;

  Interrupted() {
    LocalEvaluator evaluator(task);
    while (aria.status().phase != "completing") run_round(aria, evaluator);
    run_round(aria, evaluator);
    state = aria.save();
  }
  std::string said(const std::function<void(State&)>& change) const {
    State changed = state;
    change(changed);
    Aria other(small_config(), small_start(), task, Key(1));
    return message_of([&] { other.load(changed); });
  }
};

TEST(Aria, RefusesAStateThatDoesNotFit) {
  const Interrupted interrupted;
  const auto said = [&](const std::function<void(State&)>& change) { return interrupted.said(change); };
  EXPECT_THAT(said([](State& s) { s = State(); }), AllOf(HasSubstr("'phase'"), HasSubstr("missing")));
  EXPECT_THAT(said([](State& s) { s.put("phase", std::int64_t{5}); }),
              AllOf(HasSubstr("phase"), HasSubstr("0 .. 4"), HasSubstr("got 5")));
  EXPECT_THAT(said([](State& s) { s.put("phase", std::int64_t{-1}); }), HasSubstr("phase"));
  EXPECT_THAT(said([](State& s) { s.put("placed", std::int64_t{10'000}); }),
              AllOf(HasSubstr("'placed'"), HasSubstr("10000")));
  EXPECT_THAT(said([](State& s) { s.put("best_row", std::vector<std::int64_t>(kCells, 10'000)); }),
              AllOf(HasSubstr("row"), HasSubstr("10000")));
  EXPECT_THAT(said([](State& s) { s.put("best_row", std::vector<std::int64_t>(kCells, -2)); }), HasSubstr("got -2"));
  EXPECT_THAT(said([](State& s) { s.put("best_row", std::vector<std::int64_t>(3)); }), HasSubstr("'best_row'"));
  EXPECT_THAT(said([](State& s) { s.put("best_fitness", std::vector<float>(3)); }), HasSubstr("'best_fitness'"));
  EXPECT_THAT(said([](State& s) { s.arrays().erase("search/genotypes"); }), HasSubstr("'genotypes'"));
  EXPECT_THAT(said([](State& s) { s.arrays().erase("source/archive/cells"); }), HasSubstr("'cells'"));
  EXPECT_THAT(said([](State& s) { s.put("results/known", std::vector<std::int64_t>(1)); }), HasSubstr("'known'"));
  EXPECT_THAT(said([](State& s) {
                auto targets = s.get<std::int64_t>("results/targets");
                targets[1] = targets[0];
                s.put("results/targets", targets);
              }),
              HasSubstr("for a cell of its own"));
  EXPECT_THAT(said([](State& s) {
                auto targets = s.get<std::int64_t>("results/targets");
                targets[0] = -1;
                s.put("results/targets", targets);
              }),
              HasSubstr("for a cell of its own"));
  EXPECT_THAT(said([](State& s) {
                auto targets = s.get<std::int64_t>("results/targets");
                targets[0] = kCells;
                s.put("results/targets", targets);
              }),
              AllOf(HasSubstr("target"), HasSubstr("got 36")));
}

// A state that it could never have saved, and from which it could not go on.
TEST(Aria, RefusesAStateThatItCannotBeIn) {
  const Interrupted interrupted;
  const auto refuses = [&](const std::function<void(State&)>& change) {
    State state = interrupted.state;
    change(state);
    Aria other(small_config(), small_start(), interrupted.task, Key(1));
    try {
      other.load(state);
    } catch (const InputError&) {
      return true;
    }
    return false;
  };
  EXPECT_FALSE(refuses([](State&) {}));
  // a search that is done would have made place for the next
  EXPECT_TRUE(refuses([](State& s) { s.put("search/step", s.get_integer("search/steps")); }));
  // a search without a target, or for a cell that is explored
  EXPECT_TRUE(refuses([](State& s) {
    auto targets = s.get<std::int64_t>("search/targets");
    targets[0] = -1;
    s.put("search/targets", targets);
  }));
  EXPECT_TRUE(refuses([](State& s) {
    auto targets = s.get<std::int64_t>("search/targets");
    targets[0] = s.get<std::int64_t>("results/targets")[0];
    s.put("search/targets", targets);
  }));
}

}  // namespace
}  // namespace aria
