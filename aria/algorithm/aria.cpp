#include "aria/algorithm/aria.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <utility>

#include "aria/core/require.hpp"

namespace aria {

void AriaConfig::validate() const {
  search.validate();
  require(steps >= 1 && steps <= 100'000'000, "steps", "from 1 to 1e8", steps);
  require(initial_steps >= 1 && initial_steps <= 100'000'000, "initial_steps", "from 1 to 1e8", initial_steps);
  require(mean_evaluations >= 1 && mean_evaluations <= (std::size_t{1} << 24), "mean_evaluations", "from 1 to 2^24",
          mean_evaluations);
  require(parallel_cells >= 1 && parallel_cells <= 65'536, "parallel_cells", "from 1 to 65536", parallel_cells);
}

void bind_settings(SettingTable& table, AriaConfig& config) {
  bind_settings(table, config.search);
  if (config.search.linear) {
    table.add("fitness_weight", config.search.linear->fitness_weight,
              "from 0 to 1: what fitness counts for against the distance to the centroid");
  } else {
    table.add("fitness_resolution", config.search.fitness_resolution,
              "inside a cell, compare fitness in multiples of this; 0 compares exactly, 0.0625 is the published table");
  }
  table.add("steps", config.steps, "search-gradient steps per cell");
  table.add("mean_evaluations", config.mean_evaluations, "evaluations of each initial genotype, to place it");
  table.add("parallel_cells", config.parallel_cells,
            "cells optimised side by side; part of what the result depends on");
  bind_symmetry_setting(table, config.use_symmetry);
}

namespace {

Key initial_key(Key key) { return key.child(0); }  // of whatever makes the initial genotypes

}  // namespace

Aria::Aria(AriaConfig config, const MapElitesConfig& initial, const std::shared_ptr<const Task>& task, Key key)
    : Aria(std::move(config), Source(AnyAlgorithm(MapElites(initial, task, initial_key(key)))), task, key) {}

Aria::Aria(AriaConfig config, const PgaConfig& initial, const std::shared_ptr<const Task>& task, Key key)
    : Aria(std::move(config), Source(AnyAlgorithm(PgaMapElites(initial, task, initial_key(key)))), task, key) {}

Aria::Aria(const AriaConfig& config, const std::shared_ptr<const Task>& task, Key key)
    : Aria(config, Source(Es({config.search, config.initial_steps}, task, initial_key(key))), task, key) {}

Aria::Aria(AriaConfig config, ArchiveTable initial, std::shared_ptr<const Task> task, Key key)
    : Aria(std::move(config), Source(std::move(initial)), std::move(task), key) {
  const ArchiveTable& given = std::get<ArchiveTable>(source_);
  require(given.size() >= 1, "the archive", "at least one solution", given.size());
  require_genotype_length(task_->info(), given.solution.columns(), "a genotype of the archive");
  begin_placing();
}

Aria::Aria(AriaConfig config, Source source, std::shared_ptr<const Task> task, Key key)
    : config_(std::move(config)),
      task_(std::move(task)),
      grid_(task_->info().grid),
      symmetry_(*task_, config_.use_symmetry),
      key_(key),
      source_(std::move(source)),
      placement_(grid_, symmetry_, config_.mean_evaluations, phase_key(Phase::kPlace)),
      search_(config_.search, grid_),
      frontier_(new_frontier(std::nullopt)),
      result_(grid_.cells()) {
  config_.validate();
}

ExplorationFrontier Aria::new_frontier(std::optional<std::size_t> home) const {
  ExplorationFrontier frontier(grid_, phase_key(Phase::kComplete), home);
  for (std::size_t cell = 0; cell < grid_.cells(); ++cell) {
    if (!symmetry_.fundamental(cell)) frontier.leave_out(cell);
  }
  return frontier;
}

template <class F>
void Aria::with_initialiser(const F& f) {
  if (auto* algorithm = std::get_if<AnyAlgorithm>(&source_)) f(*algorithm);
  if (auto* es = std::get_if<Es>(&source_)) f(*es);
}

const SampleRequest& Aria::ask() {
  assert(!done());
  if (phase_ == Phase::kInitialise) {
    const SampleRequest* request = nullptr;
    with_initialiser([&](auto& algorithm) { request = &algorithm.ask(); });
    return *request;
  }
  return phase_ == Phase::kPlace ? placement_.ask() : search_.ask();
}

void Aria::tell(const Evaluations& evaluations) {
  switch (phase_) {
    case Phase::kInitialise:
      with_initialiser([&](auto& algorithm) {
        algorithm.tell(evaluations);
        if (algorithm.done()) begin_placing();
      });
      break;
    case Phase::kPlace:
      placement_.tell(evaluations);
      if (placement_.done()) start_improvement();
      break;
    case Phase::kImprove:
    case Phase::kComplete:
      search_.tell(evaluations);
      end_step();
      break;
    case Phase::kDone:
      break;
  }
}

void Aria::told_all() {
  search_.told_all();
  end_step();
}

void Aria::end_step() {
  if (!search_.done()) return;
  keep_results();
  if (phase_ == Phase::kImprove) {
    start_improvement();
  } else {
    start_completion();
  }
}

void Aria::begin_placing() {
  if (const auto* algorithm = std::get_if<AnyAlgorithm>(&source_)) {
    placement_.start(algorithm->archive().solution);
  } else if (const auto* es = std::get_if<Es>(&source_)) {
    placement_.start(Matrix(1, es->best().genotype.size(), es->best().genotype));
  } else {
    placement_.start(std::get<ArchiveTable>(source_).solution);
  }
  phase_ = placement_.size() > 0 ? Phase::kPlace : Phase::kDone;
}

void Aria::start_improvement() {
  phase_ = Phase::kImprove;
  const std::size_t parameters = task_->info().parameters;
  std::vector<Search> searches;
  for (std::size_t cell = 0; cell < grid_.cells() && searches.size() < config_.parallel_cells; ++cell) {
    if (!placement_.has(cell) || result_[cell]) continue;
    searches.push_back({.id = static_cast<std::uint32_t>(cell),
                        .target = cell,
                        .genotype = placement_.genotype(cell),
                        .adam = AdamState(parameters),
                        .fitness_mean = 0,
                        .descriptor_mean = {}});
  }
  if (searches.empty()) {
    // every initial solution is improved, or none could be placed
    if (explored_ == 0) {
      phase_ = Phase::kDone;
    } else {
      start_completion();
    }
    return;
  }
  std::size_t steps = config_.steps;
  if (const auto* es = std::get_if<Es>(&source_)) {
    // the one solution goes on as it came: with its Adam state, for as many steps again; completion spreads from it
    // (unless a symmetry maps it, which its Adam state does not follow)
    if (!placement_.is_mapped(*searches.front().target)) searches.front().adam = es->best().adam;
    steps = config_.initial_steps;
    frontier_ = new_frontier(searches.front().target);
  }
  search_.start(std::move(searches), steps, phase_key(Phase::kImprove));
}

void Aria::start_completion() {
  phase_ = Phase::kComplete;
  std::vector<Search> searches;
  for (const ExplorationFrontier::Step& step : frontier_.next(config_.parallel_cells)) {
    Search search = *result_[step.source];
    search.id = static_cast<std::uint32_t>(step.target);
    search.target = step.target;
    searches.push_back(std::move(search));
  }
  if (searches.empty()) {
    phase_ = Phase::kDone;
    return;
  }
  search_.start(std::move(searches), config_.steps, phase_key(Phase::kComplete));
}

void Aria::keep_results() {
  for (const Search& search : search_.searches()) {
    result_[*search.target] = search;
    frontier_.explore(*search.target);
    ++explored_;
  }
}

ArchiveTable Aria::archive() const {
  // until there is something better; in the end, what could not be evaluated is nothing
  if (explored_ == 0 && !done()) return initial_archive().value_or(ArchiveTable{});
  ArchiveTable table;
  table.grid = grid_;
  for (std::size_t cell = 0; cell < result_.size(); ++cell) {
    if (!result_[cell] || result_[cell]->descriptor_mean.empty()) continue;
    table.solution.append_row(result_[cell]->genotype);
    table.objective.push_back(result_[cell]->fitness_mean);
    table.measures.append_row(result_[cell]->descriptor_mean);
    table.index.push_back(static_cast<std::int32_t>(cell));
  }
  table.target_index = table.index;
  return symmetry_.spread(table);
}

std::optional<ArchiveTable> Aria::initial_archive() const {
  if (const auto* algorithm = std::get_if<AnyAlgorithm>(&source_)) return algorithm->archive();
  if (const auto* es = std::get_if<Es>(&source_)) return es->archive();
  return std::get<ArchiveTable>(source_);
}

AlgorithmStatus Aria::status() const {
  AlgorithmStatus status;
  // every cell is optimised once; how many solutions have to be placed is known once there are any
  const std::size_t per_step = 2 * config_.search.pairs;
  std::size_t to_place = placement_.size();
  std::size_t searched = symmetry_.fundamental_cells() * config_.steps;
  if (const auto* algorithm = std::get_if<AnyAlgorithm>(&source_)) {
    status = algorithm->status();
    status.phase_evaluations = status.planned_evaluations;
    if (phase_ == Phase::kInitialise) to_place = status.cells;
  } else if (const auto* es = std::get_if<Es>(&source_)) {
    status = es->status();
    to_place = 1;
    searched += config_.initial_steps - config_.steps;
  }
  status.planned_evaluations += to_place * config_.mean_evaluations + searched * per_step;
  if (phase_ == Phase::kInitialise) return status;
  status.phase_evaluations = 0;
  status.figures.clear();
  status.phase = phase_ == Phase::kPlace      ? "placing"
                 : phase_ == Phase::kImprove  ? "improving"
                 : phase_ == Phase::kComplete ? "completing"
                                              : "done";
  status.cells = 0;
  status.best_fitness = 0;
  for (const auto& result : result_) {
    if (!result || result->descriptor_mean.empty()) continue;
    const double fitness = result->fitness_mean;
    status.best_fitness = status.cells == 0 ? fitness : std::max(status.best_fitness, fitness);
    status.cells += symmetry_.orbit_size(*result->target);
  }
  return status;
}

// The frontier is not saved: it follows from the explored cells. Nor is a solution that is no longer needed.
State Aria::save() const {
  State state;
  state.put("phase", static_cast<std::int64_t>(phase_));
  if (const auto* algorithm = std::get_if<AnyAlgorithm>(&source_)) state.put_part("source/", algorithm->save());
  if (const auto* es = std::get_if<Es>(&source_)) state.put_part("source/", es->save());
  state.put_part("", placement_.save());
  if (phase_ == Phase::kImprove || phase_ == Phase::kComplete) state.put_part("search/", search_.save());

  EvolutionSearch results(config_.search, grid_);
  std::vector<Search> searches;
  for (const auto& result : result_) {
    if (result) searches.push_back(*result);
  }
  results.start(std::move(searches), config_.steps, Key());
  state.put_part("results/", results.save());
  return state;
}

void Aria::load(State state) {
  const std::int64_t phase = state.get_integer("phase");
  require(phase >= 0 && phase <= static_cast<std::int64_t>(Phase::kDone), "the phase of the saved state", "0 .. 4",
          phase);
  const bool initialises = !std::holds_alternative<ArchiveTable>(source_);
  require(initialises || static_cast<Phase>(phase) != Phase::kInitialise, "the phase of the saved state",
          "1 .. 4 where the archive was brought", phase);
  with_initialiser([&](auto& algorithm) {
    algorithm.load(state.take_part("source/"));
    require(algorithm.done() == (static_cast<Phase>(phase) != Phase::kInitialise), "the source of the saved state",
            "done where its phase is over, and only there", phase);
  });
  if (static_cast<Phase>(phase) != Phase::kInitialise) begin_placing();
  phase_ = static_cast<Phase>(phase);

  placement_.load(state);
  std::optional<std::size_t> home;
  for (std::size_t cell = 0; cell < grid_.cells() && from_es(); ++cell) {
    if (placement_.has(cell)) home = cell;
  }
  frontier_ = new_frontier(home);
  if (phase_ == Phase::kImprove || phase_ == Phase::kComplete) {
    search_.load(state.part("search/"), phase_key(phase_), task_->info().parameters);
  }
  load_results(state);
  if (phase_ == Phase::kImprove || phase_ == Phase::kComplete) check_search();
}

void Aria::load_results(const State& state) {
  EvolutionSearch results(config_.search, grid_);
  results.load(state.part("results/"), Key(), task_->info().parameters);
  result_.assign(grid_.cells(), std::nullopt);
  explored_ = 0;
  for (const Search& search : results.searches()) {
    require(search.target.has_value() && !result_[*search.target] && symmetry_.fundamental(*search.target),
            "a result of the saved state", "for a cell of its own", search.id);
    result_[*search.target] = search;
    frontier_.explore(*search.target);
    ++explored_;
  }
}

void Aria::check_search() const {
  require(!search_.done(), "the search of the saved state", "unfinished", "a finished one");
  std::vector<std::uint8_t> taken(grid_.cells(), 0);
  for (const Search& search : search_.searches()) {
    require(search.target.has_value() && !result_[*search.target] && taken[*search.target] == 0,
            "a search of the saved state", "for a cell of its own that is not explored", search.id);
    taken[*search.target] = 1;
  }
}

}  // namespace aria
