#include "aria/algorithm/goal_polish.hpp"

#include <algorithm>
#include <cassert>
#include <tuple>
#include <utility>

#include "aria/core/finite.hpp"
#include "aria/core/require.hpp"

namespace aria {

void GoalPolishConfig::validate() const {
  require(budget <= (std::size_t{1} << 53), "polish_budget", "at most 2^53", budget);
  require(probability >= 0 && probability <= 1, "polish_probability", "from 0 to 1", probability);
  require(steps >= 1 && steps <= 1'000'000, "polish_steps", "from 1 to 1e6", steps);
  require(samples >= 1 && samples <= (std::size_t{1} << 20), "polish_samples", "from 1 to 2^20", samples);
  require(parallel_cells >= 1 && parallel_cells <= 65'536, "polish_cells", "from 1 to 65536", parallel_cells);
  require(search.pairs >= 1 && search.pairs <= (std::size_t{1} << 24), "polish_pairs", "from 1 to 2^24", search.pairs);
  require(search.sigma > 0 && search.sigma <= 1e6, "polish_sigma", "above 0, at most 1e6", search.sigma);
  const double rate = search.adam.learning_rate;
  require(rate > 0 && rate <= 1e6, "polish_rate", "above 0, at most 1e6", rate);
}

void bind_settings(SettingTable& table, GoalPolishConfig& config) {
  table.add("polish_budget", config.budget, "evaluations, at most, of ARIA's search on poor cells; 0: none");
  table.add("polish_probability", config.probability, "of landing in its cell, below which a cell is poor");
  table.add("polish_steps", config.steps, "search-gradient steps of an attempt");
  table.add("polish_pairs", config.search.pairs, "mirrored noise vectors per step");
  table.add("polish_sigma", config.search.sigma, "standard deviation of a perturbation");
  table.add("polish_rate", config.search.adam.learning_rate, "step size of Adam");
  table.add("polish_samples", config.samples, "evaluations of what was and of what came out, which decide");
  table.add("polish_cells", config.parallel_cells, "cells side by side; part of what the result depends on");
}

GoalPolish::GoalPolish(const GoalPolishConfig& config, double fitness_weight, std::vector<std::size_t> cells,
                       std::shared_ptr<const Task> task, Key key)
    : config_(config),
      fitness_weight_(fitness_weight),
      cells_(std::move(cells)),
      task_(std::move(task)),
      grid_(task_->info().grid),
      key_(key),
      neighbours_(neighbour_places(grid_, cells_)),
      attempts_(cells_.size(), 0),
      search_(config.search, grid_) {}

void GoalPolish::begin(std::vector<Solution> solutions) {
  assert(solutions.empty() || solutions.size() == cells_.size());
  solutions_ = std::move(solutions);
  active_.clear();
  if (!begun()) return;
  choose();
  start_round();
}

// What there is to win, by what this cell and those around it manage: nothing where all of them are missed.
double GoalPolish::gain_of(std::size_t i) const {
  const double own = solutions_[i].record.assured();
  double best = own;
  for (const std::size_t j : neighbours_[i]) best = std::max(best, solutions_[j].record.assured());
  return best * (1 - own);
}

// From its own genotype and from the best neighbour's by turns; from the neighbour's first where its own never lands.
std::size_t GoalPolish::start_of(std::size_t i) const {
  const bool own_first = solutions_[i].record.inside > 0;
  if ((attempts_[i] % 2 == 0) == own_first) return i;
  std::size_t from = i;
  for (const std::size_t j : neighbours_[i]) {
    if (from == i || solutions_[j].record.assured() > solutions_[from].record.assured()) from = j;
  }
  return solutions_[from].record.inside > 0 ? from : i;
}

// Poor cells: those with the fewest attempts so far, then those with the most to win.
void GoalPolish::choose() {
  std::vector<std::tuple<std::int64_t, double, std::size_t>> poor;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (solutions_[i].record.assured() >= config_.probability || gain_of(i) <= 0) continue;
    poor.emplace_back(attempts_[i], -gain_of(i), i);
  }
  std::ranges::sort(poor);
  const std::size_t affordable = (config_.budget - std::min(spent_, config_.budget)) / cost_of_attempt();
  poor.resize(std::min({poor.size(), config_.parallel_cells, affordable}));
  active_.clear();
  for (const auto& entry : poor) active_.push_back(std::get<2>(entry));
}

void GoalPolish::start_round() {
  std::vector<Search> searches;
  for (const std::size_t i : active_) {
    const Solution& from = solutions_[start_of(i)];
    searches.push_back({.id = static_cast<std::uint32_t>(cells_[i]),
                        .target = cells_[i],
                        .genotype = from.genotype,
                        .adam = from.adam.value_or(AdamState(from.genotype.size())),
                        .fitness_mean = 0,
                        .descriptor_mean = {}});
  }
  search_.start(std::move(searches), config_.steps, round_key().child(0));
}

const SampleRequest& GoalPolish::ask() {
  assert(begun() && !done());
  if (!search_.done()) return search_.ask();
  request_.key = round_key().child(1);
  request_.samples = config_.samples;
  request_.centres.resize(0, task_->info().parameters);
  request_.ids.clear();
  for (std::size_t k = 0; k < active_.size(); ++k) {
    request_.centres.append_row(solutions_[active_[k]].genotype);
    request_.centres.append_row(search_.searches()[k].genotype);
  }
  for (std::size_t row = 0; row < request_.centres.rows(); ++row) {
    request_.ids.push_back(static_cast<std::uint32_t>(row));
  }
  return request_;
}

void GoalPolish::tell(const Evaluations& evaluations) {
  if (!search_.done()) {
    search_.tell(evaluations);
    return;
  }
  decide(evaluations);
  spent_ += active_.size() * cost_of_attempt();
  ++round_;
  choose();
  start_round();
}

void GoalPolish::decide(const Evaluations& evaluations) {
  const auto record_of = [&](std::size_t row, std::size_t cell) {
    const CentreEvaluations of = of_centre(evaluations, request_, row);
    return cell_record(grid_, cell, of.fitness, of.descriptors);
  };
  const Range& range = task_->info().fitness_range;
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const std::size_t i = active_[k];
    const Search& search = search_.searches()[k];
    CellRecord before = record_of(2 * k, cells_[i]);
    CellRecord after = record_of(2 * k + 1, cells_[i]);
    ++attempts_[i];
    if (after.score(range, fitness_weight_) > before.score(range, fitness_weight_)) {
      solutions_[i] = {search.genotype, std::move(after), search.adam};
    } else if (before.mean.finite > 0) {
      solutions_[i].record = std::move(before);
    }
  }
}

// Which cells are next follows from the records; genotypes that were not replaced are those that it began with.
State GoalPolish::save() const {
  State state;
  state.put("round", static_cast<std::int64_t>(round_));
  state.put("spent", static_cast<std::int64_t>(spent_));
  state.put("attempts", attempts_);
  if (!begun()) return state;
  std::vector<std::int64_t> counts;  // per cell: samples, finite, inside
  std::vector<float> means;          // per cell: fitness, descriptor
  std::vector<Search> replaced;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const CellRecord& record = solutions_[i].record;
    for (const std::size_t count : {record.samples, record.mean.finite, record.inside}) {
      counts.push_back(static_cast<std::int64_t>(count));
    }
    means.push_back(record.mean.fitness);
    means.insert(means.end(), record.mean.descriptor.begin(), record.mean.descriptor.end());
    if (!solutions_[i].adam) continue;
    replaced.push_back({.id = static_cast<std::uint32_t>(i),
                        .target = cells_[i],
                        .genotype = solutions_[i].genotype,
                        .adam = *solutions_[i].adam,
                        .fitness_mean = 0,
                        .descriptor_mean = {}});
  }
  state.put("counts", counts);
  state.put("means", means);
  EvolutionSearch results(config_.search, grid_);
  results.start(std::move(replaced), 1, Key());
  state.put_part("replaced/", results.save());
  state.put_part("search/", search_.save());
  return state;
}

void GoalPolish::load(const State& state) {
  const std::int64_t round = state.get_integer("round");
  const std::int64_t spent = state.get_integer("spent");
  require(round >= 0 && spent >= 0 && static_cast<std::size_t>(spent) <= config_.budget,
          "what the saved state has polished", fmt::format("0 .. {} evaluations", config_.budget), spent);
  const auto& attempts = state.get<std::int64_t>("attempts", cells_.size());
  require(std::ranges::all_of(attempts, [&](std::int64_t n) { return n >= 0 && n <= round; }),
          "the attempts of the saved state", fmt::format("0 .. {}", round), "others");
  attempts_ = attempts;
  round_ = static_cast<std::size_t>(round);
  spent_ = static_cast<std::size_t>(spent);
  if (!begun()) return;
  load_solutions(state);
  choose();
  search_.load(state.part("search/"), round_key().child(0), task_->info().parameters);
  const auto& searches = search_.searches();
  const bool same = std::ranges::equal(searches, active_,
                                       [&](const Search& search, std::size_t i) { return search.target == cells_[i]; });
  require(same, "the searches of the saved state", "those of the cells that are next", "others");
}

void GoalPolish::load_solutions(const State& state) {
  const std::size_t dimensions = grid_.dimensions();
  const auto& counts = state.get<std::int64_t>("counts", 3 * cells_.size());
  const auto& means = state.get<float>("means", (1 + dimensions) * cells_.size());
  require(all_finite(means), "the means of the saved state", "finite", "others");
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const std::int64_t* n = counts.data() + 3 * i;
    const float* mean = means.data() + (1 + dimensions) * i;
    require(0 <= n[2] && n[2] <= n[1] && n[1] <= n[0], "the counts of the saved state",
            "0 <= inside <= finite <= samples", fmt::format("{}, {}, {}", n[2], n[1], n[0]));
    solutions_[i].record = {static_cast<std::size_t>(n[0]),
                            static_cast<std::size_t>(n[2]),
                            {static_cast<std::size_t>(n[1]), mean[0], {mean + 1, mean + 1 + dimensions}}};
  }
  EvolutionSearch results(config_.search, grid_);
  results.load(state.part("replaced/"), Key(), task_->info().parameters);
  for (const Search& search : results.searches()) {
    require(search.id < cells_.size() && search.target == cells_[search.id], "a genotype of the saved state",
            "for a cell of its own", search.id);
    solutions_[search.id].genotype = search.genotype;
    solutions_[search.id].adam = search.adam;
  }
}

}  // namespace aria
