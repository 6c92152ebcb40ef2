#include "aria/algorithm/aria_gn.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "aria/core/parallel.hpp"
#include "aria/core/require.hpp"
#include "aria/core/validated.hpp"

namespace aria {

namespace {

// What is missed by at least this much of what it was before has come no closer.
constexpr double kProgress = 0.95;
// Fewer steps are not worth a climb.
constexpr std::size_t kFewestSteps = 4;

MapElitesConfig initial_config(const AriaGnConfig& config) {
  MapElitesConfig initial;
  initial.budget =
      std::max<std::size_t>(1, static_cast<std::size_t>(config.initial_share * static_cast<double>(config.budget)));
  initial.batch = config.batch;
  return initial;
}

}  // namespace

void AriaGnConfig::validate() const {
  require(budget >= 1, "budget", ">= 1", budget);
  require(initial_share > 0 && initial_share <= 1, "initial_share", "above 0, at most 1", initial_share);
  require(mean_evaluations >= 1 && mean_evaluations <= (std::size_t{1} << 24), "mean_evaluations", "from 1 to 2^24",
          mean_evaluations);
  climb.validate();
  require(steps >= kFewestSteps && steps <= 100'000'000, "steps", fmt::format("from {} to 1e8", kFewestSteps), steps);
  require(settle_steps >= 1 && settle_steps <= 100'000'000, "settle_steps", "from 1 to 1e8", settle_steps);
  require(parallel_cells >= 1 && parallel_cells <= 65'536, "parallel_cells", "from 1 to 65536", parallel_cells);
}

void bind_settings(SettingTable& table, AriaGnConfig& config) {
  table.add("budget", config.budget, "evaluations in all, at most");
  table.add("initial_share", config.initial_share, "of it, for MAP-Elites, which makes the first archive");
  table.add("batch", config.batch, "offspring per generation of that");
  table.add("mean_evaluations", config.mean_evaluations, "evaluations of each initial genotype, to place it");
  bind_settings(table, config.climb);
  table.add("steps", config.steps, "steps per cell by mirrored samples, at most");
  table.add("settle_steps", config.settle_steps, "steps after that by samples of the solution itself");
  table.add("parallel_cells", config.parallel_cells,
            "cells optimised side by side; part of what the result depends on");
  bind_symmetry_setting(table, config.use_symmetry);
}

AriaGn::AriaGn(const AriaGnConfig& config, std::shared_ptr<const Task> task, Key key)
    : config_(validated(config)),
      task_(std::move(task)),
      grid_(task_->info().grid),
      symmetry_(*task_, config_.use_symmetry),
      key_(key),
      source_(initial_config(config_), task_, phase_key(Phase::kInitialise)),
      placement_(grid_, symmetry_, config_.mean_evaluations, phase_key(Phase::kPlace)),
      result_(grid_.cells()),
      tried_(grid_.cells()) {}

const SampleRequest& AriaGn::ask() {
  assert(!done());
  if (phase_ == Phase::kInitialise) return source_.ask();
  if (phase_ == Phase::kPlace) return placement_.ask();
  ask_climbing();
  return request_;
}

void AriaGn::ask_climbing() {
  asked_.clear();
  for (std::size_t i = 0; i < climbs_.size(); ++i) {
    if (!exploring() || !climbs_[i].resting) asked_.push_back(i);
  }
  request_.samples = 2 * config_.climb.pairs;
  request_.mirrored = exploring();
  request_.sigma = exploring() ? static_cast<float>(config_.climb.sigma) : 0.0f;
  request_.key = phase_key(Phase::kImprove).child(step_);
  request_.centres.resize(asked_.size(), task_->info().parameters);
  request_.ids.resize(asked_.size());
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    std::ranges::copy(climbs_[asked_[i]].genotype, request_.centres.row(i).begin());
    request_.ids[i] = static_cast<std::uint32_t>(climbs_[asked_[i]].target);
  }
}

void AriaGn::tell(const Evaluations& evaluations) {
  assert(!done());
  evaluations_ += evaluations.fitness.size();
  if (phase_ == Phase::kInitialise) {
    source_.tell(evaluations);
    if (source_.done()) begin_placing();
  } else if (phase_ == Phase::kPlace) {
    placement_.tell(evaluations);
    if (placement_.done()) start_wave();
  } else {
    climb(evaluations);
  }
}

void AriaGn::begin_placing() {
  Matrix initial = source_.archive().solution;
  // no more of them than there is budget for
  const std::size_t left = config_.budget - source_.status().planned_evaluations;
  initial.resize(std::min(initial.rows(), left / config_.mean_evaluations), task_->info().parameters);
  placement_.start(std::move(initial));
  phase_ = placement_.size() > 0 ? Phase::kPlace : Phase::kDone;
}

void AriaGn::climb(const Evaluations& evaluations) {
  parallel_for(asked_.size(), 1, [&](std::size_t i) {
    Climb& climb = climbs_[asked_[i]];
    const CentreEvaluations of = of_centre(evaluations, request_, i);
    const ClimbSamples part{request_.key, request_.ids[i], of.fitness, of.descriptors};
    if (exploring()) {
      explore(climb, part, wave_step_ + 1, wave_steps_, config_.climb, grid_);
    } else {
      // samples around the solution are not quite where the solution is: what counts in the end is measured anew
      if (wave_step_ == wave_steps_) climb.evaluations = 0;
      settle(climb, part, config_.climb, grid_);
    }
  });
  ++step_;
  ++wave_step_;
  if (exploring() && std::ranges::all_of(climbs_, &Climb::resting)) wave_step_ = wave_steps_;
  if (wave_step_ < wave_steps_ + wave_settle_steps_) return;
  for (Climb& climb : climbs_) keep(std::move(climb));
  start_wave();
}

// A cell's centre comes first, then its fitness.
void AriaGn::keep(Climb climb) {
  std::optional<Climb>& before = result_[climb.target];
  if (before && before->known()) {
    if (!climb.known()) return;
    const double old_miss = miss(*before, grid_);
    const double new_miss = miss(climb, grid_);
    const bool both_near = old_miss <= kNearMiss && new_miss <= kNearMiss;
    if (both_near ? climb.fitness <= before->fitness : new_miss >= old_miss) return;
    // what came closer may go on from here
    if (new_miss < kProgress * old_miss) std::erase(tried_[climb.target], climb.target);
  }
  before = std::move(climb);
}

bool AriaGn::reached(std::size_t cell) const { return known(cell) && miss(*result_[cell], grid_) < 1; }

bool AriaGn::tried(std::size_t cell, std::size_t source) const {
  return std::ranges::find(tried_[cell], source) != tried_[cell].end();
}

void AriaGn::start_wave() {
  climbs_.clear();
  wave_step_ = 0;
  std::vector<Start> starts;
  for (std::size_t cell = 0; cell < grid_.cells(); ++cell) {
    if (!symmetry_.fundamental(cell)) continue;
    if (const auto start = next_start(cell)) starts.push_back(*start);
  }
  std::ranges::sort(starts);

  // As many steps as leave something for every cell that is still empty
  const std::size_t per_step = 2 * config_.climb.pairs;
  const auto tried = std::ranges::count_if(result_, [](const std::optional<Climb>& result) { return !!result; });
  const std::size_t empty = symmetry_.fundamental_cells() - static_cast<std::size_t>(tried);
  const std::size_t budget_left = config_.budget - std::min(config_.budget, evaluations_);
  const std::size_t affordable = budget_left / (std::max<std::size_t>(1, empty) * per_step);
  wave_settle_steps_ = std::clamp(affordable / 4, std::size_t{1}, config_.settle_steps);
  wave_steps_ = std::clamp(affordable - std::min(affordable, wave_settle_steps_), kFewestSteps, config_.steps);
  const std::size_t per_climb = per_step * (wave_steps_ + wave_settle_steps_);
  starts.resize(std::min({starts.size(), config_.parallel_cells, budget_left / per_climb}));

  phase_ = starts.empty() ? Phase::kDone : starts.front().phase;
  for (const Start& start : starts) {
    if (start.source) {
      Climb climb = *result_[*start.source];
      climb.turn_to(start.target);
      climbs_.push_back(std::move(climb));
      tried_[start.target].push_back(*start.source);
    } else {
      climbs_.push_back(new_climb(placement_.genotype(start.target), grid_.dimensions(), start.target));
    }
  }
}

std::optional<AriaGn::Start> AriaGn::next_start(std::size_t cell) const {
  if (result_[cell]) return refining_start(cell);
  if (placement_.has(cell)) return Start{Phase::kImprove, 0, 0, cell, std::nullopt};
  return completing_start(cell);
}

// From the nearest neighbour that was reached, the fittest of them. A cell without one is not worth trying.
std::optional<AriaGn::Start> AriaGn::completing_start(std::size_t cell) const {
  const std::uint32_t draw =
      phase_key(Phase::kComplete).bits(Purpose::kSelection, static_cast<std::uint32_t>(cell), 0, 0)[0];
  std::optional<Start> best;
  for (const std::size_t other : grid_.neighbours(cell)) {
    if (!reached(other)) continue;
    const double distance = grid_.squared_distance(cell, other);
    if (best && distance > best->rank) continue;
    if (best && distance == best->rank && result_[other]->fitness <= result_[*best->source]->fitness) continue;
    best = Start{Phase::kComplete, distance, draw, cell, other};
  }
  return best;
}

// From the fittest neighbour that was not tried: first where the cell was not reached, then where its centre was not,
// then where the neighbour is fitter, the more so the sooner.
std::optional<AriaGn::Start> AriaGn::refining_start(std::size_t cell) const {
  const Climb& own = *result_[cell];
  const bool near = own.known() && miss(own, grid_) <= kNearMiss;
  std::optional<std::size_t> fittest;
  for (const std::size_t other : grid_.neighbours(cell)) {
    if (!reached(other) || tried(cell, other)) continue;
    if (near && result_[other]->fitness <= own.fitness) continue;
    if (!fittest || result_[other]->fitness > result_[*fittest]->fitness) fittest = other;
  }
  constexpr double kFirst = -1e300;
  if (!fittest) {
    // last of all, what missed its cell goes on from where it is, as long as that brings it closer
    if (!own.known() || reached(cell) || tried(cell, cell)) return std::nullopt;
    return Start{Phase::kRefine, miss(own, grid_), 0, cell, cell};
  }
  const double rank = near ? own.fitness - result_[*fittest]->fitness : reached(cell) ? 0.5 * kFirst : kFirst;
  return Start{Phase::kRefine, rank, 0, cell, fittest};
}

bool AriaGn::has_results() const {
  // in the end, what could not be evaluated is nothing, unless it was never tried
  if (done() && step_ > 0) return true;
  return std::ranges::any_of(result_, [](const std::optional<Climb>& result) { return result && result->known(); });
}

ArchiveTable AriaGn::archive() const {
  // until there is something better
  if (!has_results()) return source_.archive();
  ArchiveTable table;
  table.grid = grid_;
  const auto add = [&](std::size_t cell, const std::vector<float>& genotype, float fitness,
                       const std::vector<float>& descriptor) {
    table.solution.append_row(genotype);
    table.objective.push_back(fitness);
    table.measures.append_row(descriptor);
    table.index.push_back(static_cast<std::int32_t>(cell));
  };
  for (std::size_t cell = 0; cell < result_.size(); ++cell) {
    if (known(cell)) {
      const Climb& climb = *result_[cell];
      add(cell, climb.genotype, static_cast<float>(climb.fitness), {climb.descriptor.begin(), climb.descriptor.end()});
    } else if (placement_.has(cell)) {
      // not come to yet, or never where the budget is small
      add(cell, placement_.genotype(cell), placement_.fitness(cell), placement_.descriptor(cell));
    }
  }
  table.target_index = table.index;
  return symmetry_.spread(table);
}

AlgorithmStatus AriaGn::status() const {
  AlgorithmStatus status = source_.status();
  status.planned_evaluations = config_.budget;
  if (phase_ == Phase::kInitialise) return status;
  status.phase = phase_ == Phase::kPlace      ? "placing"
                 : phase_ == Phase::kImprove  ? "improving"
                 : phase_ == Phase::kComplete ? "completing"
                 : phase_ == Phase::kRefine   ? "refining"
                                              : "done";
  if (!has_results()) return status;
  status.cells = 0;
  status.best_fitness = 0;
  for (std::size_t cell = 0; cell < result_.size(); ++cell) {
    if (!known(cell) && !placement_.has(cell)) continue;
    const double fitness = known(cell) ? result_[cell]->fitness : double{placement_.fitness(cell)};
    status.best_fitness = status.cells == 0 ? fitness : std::max(status.best_fitness, fitness);
    status.cells += symmetry_.orbit_size(cell);
  }
  return status;
}

State AriaGn::save() const {
  State state;
  state.put("phase", static_cast<std::int64_t>(phase_));
  state.put("evaluations", static_cast<std::int64_t>(evaluations_));
  state.put_part("source/", source_.save());
  state.put_part("", placement_.save());
  state.put("step", static_cast<std::int64_t>(step_));
  state.put("wave_step", static_cast<std::int64_t>(wave_step_));
  state.put("wave_steps", static_cast<std::int64_t>(wave_steps_));
  state.put("wave_settle_steps", static_cast<std::int64_t>(wave_settle_steps_));
  state.put_part("climbs/", save_climbs(climbs_));
  std::vector<Climb> results;
  std::vector<std::int64_t> tried;  // target and source of every try
  for (std::size_t cell = 0; cell < grid_.cells(); ++cell) {
    if (result_[cell]) results.push_back(*result_[cell]);
    for (const std::size_t source : tried_[cell]) {
      tried.push_back(static_cast<std::int64_t>(cell));
      tried.push_back(static_cast<std::int64_t>(source));
    }
  }
  state.put_part("results/", save_climbs(results));
  state.put("tried", tried);
  return state;
}

void AriaGn::load(const State& state) {
  const auto count = [&](const char* name, std::size_t most) {
    const std::int64_t value = state.get_integer(name);
    require(value >= 0 && static_cast<std::uint64_t>(value) <= most, fmt::format("'{}' of the saved state", name),
            fmt::format("0 .. {}", most), value);
    return static_cast<std::size_t>(value);
  };
  const auto phase = static_cast<Phase>(count("phase", static_cast<std::size_t>(Phase::kDone)));
  evaluations_ = count("evaluations", std::size_t{1} << 62);
  source_.load(state.part("source/"));
  if (phase != Phase::kInitialise) begin_placing();
  phase_ = phase;
  placement_.load(state);
  step_ = count("step", std::size_t{1} << 62);
  wave_steps_ = count("wave_steps", config_.steps);
  wave_settle_steps_ = count("wave_settle_steps", config_.settle_steps);
  wave_step_ = count("wave_step", wave_steps_ + wave_settle_steps_);
  climbs_ = load_climbs(state.part("climbs/"), grid_, task_->info().parameters);
  load_results(state);
  const bool climbing = phase_ == Phase::kImprove || phase_ == Phase::kComplete || phase_ == Phase::kRefine;
  require(climbing != climbs_.empty(), "the climbs of the saved state", climbing ? "some" : "none", climbs_.size());
}

void AriaGn::load_results(const State& state) {
  result_.assign(grid_.cells(), std::nullopt);
  tried_.assign(grid_.cells(), {});
  for (Climb& climb : load_climbs(state.part("results/"), grid_, task_->info().parameters)) {
    require(!result_[climb.target] && symmetry_.fundamental(climb.target), "a result of the saved state",
            "for a cell of its own", climb.target);
    result_[climb.target] = std::move(climb);
  }
  const auto& tried = state.get<std::int64_t>("tried");
  require(tried.size() % 2 == 0, "'tried' of the saved state", "pairs of cells", tried.size());
  for (const std::int64_t cell : tried) {
    require(cell >= 0 && cell < static_cast<std::int64_t>(grid_.cells()), "a cell of the saved state",
            "a cell of the grid", cell);
  }
  for (std::size_t i = 0; i < tried.size(); i += 2) {
    tried_[static_cast<std::size_t>(tried[i])].push_back(static_cast<std::size_t>(tried[i + 1]));
  }
}

}  // namespace aria
