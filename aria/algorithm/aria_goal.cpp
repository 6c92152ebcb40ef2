#include "aria/algorithm/aria_goal.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "aria/core/finite.hpp"
#include "aria/core/require.hpp"
#include "aria/evaluation/cloud_mean.hpp"

namespace aria {

namespace {

constexpr std::size_t kPatientRounds = 2;  // that move most of the way; later ones are more careful
constexpr float kBoldShare = 0.8f;
constexpr float kCarefulShare = 0.5f;
constexpr float kLongestMove = 0.1f;  // of the grid's width, per coordinate

std::vector<std::size_t> all_cells(const Grid& grid) {
  std::vector<std::size_t> cells(grid.cells());
  std::iota(cells.begin(), cells.end(), std::size_t{0});
  return cells;
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
  require(training <= 1'000'000'000'000, "training", "at most 1e12", training);
  require(retarget_rounds <= 1000, "retarget_rounds", "at most 1000", retarget_rounds);
  require(retarget_samples >= 1 && retarget_samples <= (std::size_t{1} << 20), "retarget_samples", "from 1 to 2^20",
          retarget_samples);
}

void bind_settings(SettingTable& table, GoalConfig& config) {
  table.add("training", config.training, "rollouts of training, about; 0: as many as the schedule was made for");
  table.add("retarget_rounds", config.retarget_rounds, "times that every cell's target is moved by what it missed");
  table.add("retarget_samples", config.retarget_samples, "evaluations of every cell's genotype each time");
  bind_settings(table, config.ppo);
}

AriaGoal::AriaGoal(const GoalConfig& config, const std::shared_ptr<const Task>& task, Key key)
    : config_(checked(config, task->info())),
      task_(task),
      grid_(task->info().grid),
      key_(key),
      cells_(all_cells(grid_)),
      trainer_(config.ppo, goal_schedule(task->info(), config.training), cells_, task, key.child(0)),
      targets_(cells_.size(), grid_.dimensions()),
      best_targets_(cells_.size(), grid_.dimensions()),
      best_(cells_.size()) {
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    grid_.centroid(cells_[i], targets_.row(i));
    grid_.centroid(cells_[i], best_targets_.row(i));
  }
}

const SampleRequest& AriaGoal::ask() {
  assert(!done());
  if (!trainer_.done()) return trainer_.ask();
  request_.key = round_key();
  request_.samples = config_.retarget_samples;
  request_.centres.resize(cells_.size(), task_->info().parameters);
  request_.ids.resize(cells_.size());
  std::iota(request_.ids.begin(), request_.ids.end(), 0u);
  for (std::size_t i = 0; i < cells_.size(); ++i) trainer_.fold(targets_.row(i), request_.centres.row(i));
  return request_;
}

void AriaGoal::tell(const Evaluations& evaluations) {
  if (!trainer_.done()) {
    trainer_.tell(evaluations);
    return;
  }
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const Outcome outcome = outcome_of(i, evaluations);
    if (outcome.in_cell > best_[i].in_cell) {
      best_[i] = outcome;
      std::ranges::copy(targets_.row(i), best_targets_.row(i).begin());
    }
    if (!outcome.descriptor.empty()) move_target(i, outcome);
  }
  ++round_;
}

AriaGoal::Outcome AriaGoal::outcome_of(std::size_t i, const Evaluations& evaluations) const {
  const std::size_t samples = config_.retarget_samples;
  const auto fitness = std::span(evaluations.fitness).subspan(i * samples, samples);
  const MatrixView descriptors = evaluations.descriptors.view().rows(i * samples, samples);
  const CloudMean mean = cloud_mean(fitness, descriptors);
  Outcome outcome;
  outcome.in_cell = 0;
  if (mean.finite == 0) return outcome;
  std::size_t inside = 0;
  for (std::size_t s = 0; s < samples; ++s) {
    if (is_finite(fitness[s]) && grid_.cell_of(descriptors.row(s)) == cells_[i]) ++inside;
  }
  outcome.fitness = mean.fitness;
  outcome.descriptor = mean.descriptor;
  outcome.in_cell = static_cast<double>(inside) / static_cast<double>(samples);
  return outcome;
}

// Where the policy lands is biased a little; its target is moved against that.
void AriaGoal::move_target(std::size_t i, const Outcome& outcome) {
  const std::vector<float> centre = grid_.centroid(cells_[i]);
  const float share = round_ < kPatientRounds ? kBoldShare : kCarefulShare;
  for (std::size_t k = 0; k < centre.size(); ++k) {
    const auto longest = kLongestMove * static_cast<float>(grid_.shape().upper[k] - grid_.shape().lower[k]);
    targets_(i, k) += share * std::clamp(centre[k] - outcome.descriptor[k], -longest, longest);
  }
}

ArchiveTable AriaGoal::archive() const {
  ArchiveTable table;
  table.grid = grid_;
  std::vector<float> genotype(task_->info().parameters);
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (best_[i].descriptor.empty()) continue;
    trainer_.fold(best_targets_.row(i), genotype);
    table.solution.append_row(genotype);
    table.objective.push_back(best_[i].fitness);
    table.measures.append_row(best_[i].descriptor);
    table.index.push_back(static_cast<std::int32_t>(cells_[i]));
  }
  table.target_index = table.index;
  return table;
}

AlgorithmStatus AriaGoal::status() const {
  AlgorithmStatus status;
  status.phase = !trainer_.done() ? "learning" : done() ? "done" : "retargeting";
  status.planned_evaluations =
      trainer_.planned_evaluations() + (config_.retarget_rounds + 1) * cells_.size() * config_.retarget_samples;
  for (const Outcome& outcome : best_) {
    if (outcome.descriptor.empty()) continue;
    const double fitness = double{outcome.fitness};
    status.best_fitness = status.cells == 0 ? fitness : std::max(status.best_fitness, fitness);
    ++status.cells;
  }
  if (trainer_.done()) return status;
  const GoalTrainer::Figures& figures = trainer_.figures();
  status.figures = {{"distance", figures.distance}, {"reached", figures.reached}, {"reward", figures.reward}};
  return status;
}

State AriaGoal::save() const {
  State state;
  state.put_part("trainer/", trainer_.save());
  state.put("round", static_cast<std::int64_t>(round_));
  state.put("targets", targets_.values());
  state.put("best_targets", best_targets_.values());
  std::vector<float> outcomes;  // per cell: fitness, then descriptor; NaN where there is none
  std::vector<double> in_cell;
  for (const Outcome& outcome : best_) {
    const bool known = !outcome.descriptor.empty();
    outcomes.push_back(outcome.fitness);
    for (std::size_t k = 0; k < grid_.dimensions(); ++k) outcomes.push_back(known ? outcome.descriptor[k] : 0.0f);
    in_cell.push_back(known || outcome.in_cell < 0 ? outcome.in_cell : -2);
  }
  state.put("outcomes", outcomes);
  state.put("in_cell", in_cell);
  return state;
}

void AriaGoal::load(const State& state) {
  const std::int64_t round = state.get_integer("round");
  require(round >= 0 && round <= static_cast<std::int64_t>(config_.retarget_rounds) + 1, "the round of the saved state",
          fmt::format("0 .. {}", config_.retarget_rounds + 1), round);
  const std::size_t cells = cells_.size();
  const std::size_t dimensions = grid_.dimensions();
  const auto& outcomes = state.get<float>("outcomes", cells * (dimensions + 1));
  const auto& in_cell = state.get<double>("in_cell", cells);
  trainer_.load(state.part("trainer/"));
  targets_ = Matrix(cells, dimensions, state.get<float>("targets", cells * dimensions));
  best_targets_ = Matrix(cells, dimensions, state.get<float>("best_targets", cells * dimensions));
  for (std::size_t i = 0; i < cells; ++i) {
    const float* row = outcomes.data() + i * (dimensions + 1);
    best_[i] = {row[0], {}, in_cell[i] == -2 ? 0 : in_cell[i]};
    if (in_cell[i] >= 0) best_[i].descriptor.assign(row + 1, row + 1 + dimensions);
  }
  round_ = static_cast<std::size_t>(round);
}

}  // namespace aria
