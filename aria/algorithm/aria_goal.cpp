#include "aria/algorithm/aria_goal.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "aria/core/draws.hpp"
#include "aria/core/finite.hpp"
#include "aria/core/require.hpp"

namespace aria {

namespace {

constexpr std::size_t kPatientRounds = 2;  // that move most of the way; later ones are more careful
constexpr float kBoldShare = 0.8f;
constexpr float kCarefulShare = 0.5f;
constexpr float kLongestMove = 0.1f;  // of the grid's width, per coordinate
constexpr float kJitter = 0.7f;       // of half a cell's width: how far a search looks around

// All of them take more learning than the fundamental ones, which the stages were made for.
constexpr double kWithoutSymmetry = 1.8;

std::vector<std::size_t> fundamental_cells(const Grid& grid, const SymmetricCells& symmetry) {
  std::vector<std::size_t> cells;
  for (std::size_t cell = 0; cell < grid.cells(); ++cell) {
    if (symmetry.fundamental(cell)) cells.push_back(cell);
  }
  return cells;
}

std::vector<GoalStage> stages_for(const GoalConfig& config, const TaskInfo& info, const SymmetricCells& symmetry) {
  std::vector<GoalStage> stages = goal_schedule(info, config.training);
  if (config.training > 0 || symmetry.in_use()) return stages;
  return goal_schedule(info, static_cast<std::size_t>(kWithoutSymmetry * static_cast<double>(rollouts_of(stages))));
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
  require(search_rounds <= 100'000, "search_rounds", "at most 1e5", search_rounds);
  require(search_samples >= 1 && search_samples <= (std::size_t{1} << 20), "search_samples", "from 1 to 2^20",
          search_samples);
  require(safe_probability >= 0 && safe_probability <= 1, "safe_probability", "from 0 to 1", safe_probability);
}

void bind_settings(SettingTable& table, GoalConfig& config) {
  table.add("training", config.training, "rollouts of training, about; 0: as many as the schedule was made for");
  table.add("retarget_rounds", config.retarget_rounds, "times that every cell's target is moved by what it missed");
  table.add("retarget_samples", config.retarget_samples, "evaluations of every cell's genotype each time");
  table.add("search_rounds", config.search_rounds, "times that another target is tried for each cell not safe yet");
  table.add("search_samples", config.search_samples, "evaluations of the target tried and of the one to beat");
  table.add("safe_probability", config.safe_probability, "of landing in its cell, from which on a cell is left alone");
  bind_symmetry_setting(table, config.use_symmetry);
  bind_settings(table, config.ppo);
}

AriaGoal::AriaGoal(const GoalConfig& config, const std::shared_ptr<const Task>& task, Key key)
    : config_(checked(config, task->info())),
      task_(task),
      grid_(task->info().grid),
      key_(key),
      symmetry_(*task, config.use_symmetry),
      cells_(fundamental_cells(grid_, symmetry_)),
      trainer_(config.ppo, stages_for(config, task->info(), symmetry_), cells_, task, key.child(0)),
      targets_(cells_.size(), grid_.dimensions()),
      records_(cells_.size()),
      tried_(cells_.size(), grid_.dimensions()) {
  for (std::size_t i = 0; i < cells_.size(); ++i) grid_.centroid(cells_[i], targets_.row(i));
  tried_ = targets_;
}

const SampleRequest& AriaGoal::ask() {
  assert(!done());
  if (!trainer_.done()) return trainer_.ask();
  request_.key = round_key();
  request_.centres.resize(0, task_->info().parameters);
  request_.ids.clear();
  std::vector<float> genotype(task_->info().parameters);
  const auto add = [&](std::span<const float> target, std::size_t id) {
    trainer_.fold(target, genotype);
    request_.centres.append_row(genotype);
    request_.ids.push_back(static_cast<std::uint32_t>(id));
  };
  if (searching()) {
    propose();
    request_.samples = config_.search_samples;
    for (const std::size_t i : active_) {
      add(targets_.row(i), 2 * i);
      add(tried_.row(i), 2 * i + 1);
    }
  } else {
    request_.samples = config_.retarget_samples;
    for (std::size_t i = 0; i < cells_.size(); ++i) add(tried_.row(i), i);
  }
  return request_;
}

void AriaGoal::tell(const Evaluations& evaluations) {
  if (!trainer_.done()) {
    trainer_.tell(evaluations);
    return;
  }
  if (searching()) {
    tell_search(evaluations);
  } else {
    tell_retargeting(evaluations);
  }
  ++round_;
  find_active();
}

AriaGoal::Record AriaGoal::record_of(std::size_t i, std::size_t row, const Evaluations& evaluations) const {
  Record record;
  record.samples = request_.samples;
  record.descriptor.assign(grid_.dimensions(), 0.0);
  for (std::size_t e = row * record.samples; e < (row + 1) * record.samples; ++e) {
    if (!is_finite(evaluations.fitness[e])) continue;
    const auto descriptor = evaluations.descriptors.row(e);
    ++record.finite;
    record.inside += grid_.cell_of(descriptor) == cells_[i] ? 1 : 0;
    record.fitness += double{evaluations.fitness[e]};
    for (std::size_t k = 0; k < descriptor.size(); ++k) record.descriptor[k] += double{descriptor[k]};
  }
  return record;
}

std::vector<float> AriaGoal::Record::mean_descriptor() const {
  std::vector<float> mean;
  for (const double sum : descriptor) mean.push_back(static_cast<float>(sum / static_cast<double>(finite)));
  return mean;
}

double AriaGoal::Record::probability() const {
  return samples == 0 ? 0 : static_cast<double>(inside) / static_cast<double>(samples);
}

// Wilson's interval at one standard deviation.
double AriaGoal::Record::assured() const {
  if (samples == 0) return 0;
  const auto n = static_cast<double>(samples);
  const double p = probability();
  return (p + 0.5 / n - std::sqrt(p * (1 - p) / n + 0.25 / (n * n))) / (1 + 1 / n);
}

// Where the policy lands is biased a little; its target is moved against that.
std::vector<float> AriaGoal::moved(std::span<const float> target, const Record& record, std::size_t cell,
                                   float share) const {
  const std::vector<float> centre = grid_.centroid(cell);
  const std::vector<float> mean = record.mean_descriptor();
  std::vector<float> result(target.begin(), target.end());
  for (std::size_t k = 0; k < result.size(); ++k) {
    const auto longest = kLongestMove * static_cast<float>(grid_.shape().upper[k] - grid_.shape().lower[k]);
    result[k] += share * std::clamp(centre[k] - mean[k], -longest, longest);
  }
  return result;
}

void AriaGoal::tell_retargeting(const Evaluations& evaluations) {
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    Record record = record_of(i, i, evaluations);
    if (record.finite == 0) continue;
    const float share = round_ < kPatientRounds ? kBoldShare : kCarefulShare;
    const std::vector<float> next = moved(tried_.row(i), record, cells_[i], share);
    if (records_[i].finite == 0 || record.inside > records_[i].inside) {
      records_[i] = std::move(record);
      std::ranges::copy(tried_.row(i), targets_.row(i).begin());
    }
    std::ranges::copy(next, tried_.row(i).begin());
  }
}

// Another target for each active cell: moved by what the best one misses, and a little aside.
void AriaGoal::propose() {
  for (const std::size_t i : active_) {
    std::vector<float> target(targets_.row(i).begin(), targets_.row(i).end());
    if (records_[i].finite > 0) target = moved(target, records_[i], cells_[i], kBoldShare);
    for (std::size_t k = 0; k < target.size(); ++k) {
      const float noise =
          normal(round_key(), Purpose::kVariation, static_cast<std::uint32_t>(i), 0, static_cast<std::uint32_t>(k));
      target[k] += kJitter * grid_.half_widths()[k] * noise;
    }
    std::ranges::copy(target, tried_.row(i).begin());
  }
}

// The one to beat is looked at again every time, so that luck does not stay.
void AriaGoal::tell_search(const Evaluations& evaluations) {
  searched_ += evaluations.fitness.size();
  for (std::size_t row = 0; row < active_.size(); ++row) {
    const std::size_t i = active_[row];
    Record& best = records_[i];
    const Record again = record_of(i, 2 * row, evaluations);
    Record tried = record_of(i, 2 * row + 1, evaluations);
    best.samples += again.samples;
    best.finite += again.finite;
    best.inside += again.inside;
    best.fitness += again.fitness;
    best.descriptor.resize(grid_.dimensions());
    for (std::size_t k = 0; k < best.descriptor.size(); ++k) best.descriptor[k] += again.descriptor[k];
    if (tried.assured() <= best.assured()) continue;
    best = std::move(tried);
    std::ranges::copy(tried_.row(i), targets_.row(i).begin());
  }
}

void AriaGoal::find_active() {
  active_.clear();
  if (!searching()) return;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (records_[i].assured() < config_.safe_probability) active_.push_back(i);
  }
}

ArchiveTable AriaGoal::archive() const {
  ArchiveTable table;
  table.grid = grid_;
  std::vector<float> genotype(task_->info().parameters);
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const Record& record = records_[i];
    if (record.finite == 0) continue;
    trainer_.fold(targets_.row(i), genotype);
    table.solution.append_row(genotype);
    table.objective.push_back(static_cast<float>(record.fitness / static_cast<double>(record.finite)));
    table.measures.append_row(record.mean_descriptor());
    table.index.push_back(static_cast<std::int32_t>(cells_[i]));
  }
  table = symmetry_.spread(table);
  table.target_index = table.index;
  return table;
}

AlgorithmStatus AriaGoal::status() const {
  AlgorithmStatus status;
  status.phase = !trainer_.done() ? "learning" : done() ? "done" : searching() ? "searching" : "retargeting";
  // how many cells will not be safe after retargeting is known then
  const std::size_t rounds_left = searching() && !done() ? rounds() - round_ : 0;
  status.planned_evaluations = trainer_.planned_evaluations() +
                               (config_.retarget_rounds + 1) * cells_.size() * config_.retarget_samples + searched_ +
                               rounds_left * active_.size() * 2 * config_.search_samples;
  double assured = 0;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const Record& record = records_[i];
    if (record.finite == 0) continue;
    const double fitness = record.fitness / static_cast<double>(record.finite);
    status.best_fitness = status.cells == 0 ? fitness : std::max(status.best_fitness, fitness);
    const std::size_t orbit = symmetry_.orbit_size(cells_[i]);
    assured += record.assured() * static_cast<double>(orbit);
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
  state.put("round", static_cast<std::int64_t>(round_));
  state.put("searched", static_cast<std::int64_t>(searched_));
  state.put("targets", targets_.values());
  state.put("tried", tried_.values());
  std::vector<std::int64_t> counts;  // per cell: samples, finite, inside
  std::vector<double> sums;          // per cell: fitness, then descriptor
  for (const Record& record : records_) {
    for (const std::size_t count : {record.samples, record.finite, record.inside}) {
      counts.push_back(static_cast<std::int64_t>(count));
    }
    sums.push_back(record.fitness);
    for (std::size_t k = 0; k < grid_.dimensions(); ++k) {
      sums.push_back(record.descriptor.empty() ? 0.0 : record.descriptor[k]);
    }
  }
  state.put("counts", counts);
  state.put("sums", sums);
  return state;
}

void AriaGoal::load(const State& state) {
  const std::int64_t round = state.get_integer("round");
  const std::int64_t searched = state.get_integer("searched");
  require(round >= 0 && round <= static_cast<std::int64_t>(rounds()) && searched >= 0, "the round of the saved state",
          fmt::format("0 .. {}", rounds()), round);
  const std::size_t cells = cells_.size();
  const std::size_t dimensions = grid_.dimensions();
  const auto& counts = state.get<std::int64_t>("counts", 3 * cells);
  const auto& sums = state.get<double>("sums", cells * (dimensions + 1));
  for (std::size_t i = 0; i < cells; ++i) {
    const std::int64_t* count = counts.data() + 3 * i;
    require(0 <= count[2] && count[2] <= count[1] && count[1] <= count[0], "the counts of the saved state",
            "0 <= inside <= finite <= samples", fmt::format("{}, {}, {}", count[2], count[1], count[0]));
  }
  trainer_.load(state.part("trainer/"));
  targets_ = Matrix(cells, dimensions, state.get<float>("targets", cells * dimensions));
  tried_ = Matrix(cells, dimensions, state.get<float>("tried", cells * dimensions));
  for (std::size_t i = 0; i < cells; ++i) {
    const double* row = sums.data() + i * (dimensions + 1);
    records_[i] = {static_cast<std::size_t>(counts[3 * i]),
                   static_cast<std::size_t>(counts[3 * i + 1]),
                   static_cast<std::size_t>(counts[3 * i + 2]),
                   row[0],
                   {row + 1, row + 1 + dimensions}};
  }
  round_ = static_cast<std::size_t>(round);
  searched_ = static_cast<std::size_t>(searched);
  find_active();
}

}  // namespace aria
