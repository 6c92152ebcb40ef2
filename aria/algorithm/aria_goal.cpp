#include "aria/algorithm/aria_goal.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "aria/core/require.hpp"

namespace aria {

namespace {

std::vector<std::size_t> fundamental_cells(const Grid& grid, const SymmetricCells& symmetry) {
  std::vector<std::size_t> cells;
  for (std::size_t cell = 0; cell < grid.cells(); ++cell) {
    if (symmetry.fundamental(cell)) cells.push_back(cell);
  }
  return cells;
}

std::vector<GoalStage> stages_for(const GoalConfig& config, const TaskInfo& info, const SymmetricCells& symmetry) {
  return goal_schedule(info, symmetry.in_use(), config.training_share);
}

const GoalConfig& checked(const GoalConfig& config, const TaskInfo& info) {
  config.validate();
  require(info.policy.has_value() && info.path.has_value(), "the task of a goal-conditioned policy",
          "one whose genotypes are policies and whose descriptor is built up step by step, such as ant or walker",
          fmt::format("'{}'", info.name));
  return config;
}

}  // namespace

void GoalConfig::validate() const {
  ppo.validate();
  search.validate();
  polish.validate();
  require(training_share > 0 && training_share <= 1e6, "training_share", "above 0, at most 1e6", training_share);
}

void bind_settings(SettingTable& table, GoalConfig& config) {
  table.add("training_share", config.training_share,
            "of the rollouts of training that the task's schedule was made for");
  bind_settings(table, config.search);
  bind_settings(table, config.polish);
  bind_symmetry_setting(table, config.use_symmetry);
  bind_settings(table, config.ppo);
}

AriaGoal::AriaGoal(const GoalConfig& config, const std::shared_ptr<const Task>& task, Key key)
    : config_(checked(config, task->info())),
      task_(task),
      grid_(task->info().grid),
      symmetry_(*task, config.use_symmetry),
      cells_(fundamental_cells(grid_, symmetry_)),
      trainer_(config.ppo, stages_for(config, task->info(), symmetry_), cells_, task, key.child(0)),
      search_(config.search, cells_, task, key.child(1)),
      polish_(config.polish, config.search.fitness_weight, cells_, task, key.child(2)) {}

const SampleRequest& AriaGoal::ask() {
  assert(!done());
  if (!trainer_.done()) return trainer_.ask();
  return search_.done() ? polish_.ask() : search_.ask();
}

void AriaGoal::tell(const Evaluations& evaluations) {
  if (!trainer_.done()) {
    trainer_.tell(evaluations);
    if (trainer_.done()) search_.begin(trainer_.nets());
  } else if (!search_.done()) {
    search_.tell(evaluations);
    if (search_.done()) begin_polish();
  } else {
    polish_.tell(evaluations);
  }
}

void AriaGoal::begin_polish() {
  if (!polish_.wanted()) return;
  std::vector<GoalPolish::Solution> solutions(cells_.size());
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    solutions[i].genotype.resize(task_->info().parameters);
    search_.genotype(i, solutions[i].genotype);
    solutions[i].record = search_.record(i);
  }
  polish_.begin(std::move(solutions));
}

ArchiveTable AriaGoal::archive() const {
  ArchiveTable table;
  table.grid = grid_;
  std::vector<float> genotype(task_->info().parameters);
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (record(i).mean.finite == 0) continue;
    if (!polish_.begun()) search_.genotype(i, genotype);
    table.solution.append_row(polish_.begun() ? polish_.solution(i).genotype : genotype);
    table.objective.push_back(record(i).mean.fitness);
    table.measures.append_row(record(i).mean.descriptor);
    table.index.push_back(static_cast<std::int32_t>(cells_[i]));
  }
  table = symmetry_.spread(table);
  table.target_index = table.index;
  return table;
}

AlgorithmStatus AriaGoal::status() const {
  AlgorithmStatus status;
  status.phase = !trainer_.done()      ? "learning"
                 : done()              ? "done"
                 : search_.done()      ? "improving"
                 : search_.searching() ? "searching"
                                       : "retargeting";
  status.planned_evaluations =
      trainer_.planned_evaluations() + search_.planned_evaluations() + polish_.planned_evaluations();
  double assured = 0;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (record(i).mean.finite == 0) continue;
    const double fitness = record(i).mean.fitness;
    status.best_fitness = status.cells == 0 ? fitness : std::max(status.best_fitness, fitness);
    const std::size_t orbit = symmetry_.orbit_size(cells_[i]);
    assured += record(i).assured() * static_cast<double>(orbit);
    status.cells += orbit;
  }
  if (trainer_.done()) {
    status.figures = {{"expected_to_stay", assured}};
    return status;
  }
  const GoalTrainer::Figures& figures = trainer_.figures();
  status.figures = {{"distance", figures.distance}, {"reached", figures.reached}, {"reward", figures.reward}};
  return status;
}

State AriaGoal::save() const {
  State state;
  state.put_part("trainer/", trainer_.save());
  state.put_part("search/", search_.save());
  state.put_part("polish/", polish_.save());
  return state;
}

void AriaGoal::load(const State& state) {
  trainer_.load(state.part("trainer/"));
  search_.begin(trainer_.done() ? trainer_.nets() : std::vector<GoalNet>());
  search_.load(state.part("search/"));
  polish_.begin({});
  if (search_.done()) begin_polish();
  polish_.load(state.part("polish/"));
}

}  // namespace aria
