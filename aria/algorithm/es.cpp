#include "aria/algorithm/es.hpp"

#include <utility>

#include "aria/core/require.hpp"

namespace aria {

void EsConfig::validate() const {
  search.validate();
  require(initial_steps >= 1 && initial_steps <= 100'000'000, "initial_steps", "from 1 to 1e8", initial_steps);
}

void bind_settings(SettingTable& table, SearchConfig& config) {
  table.add("pairs", config.pairs, "mirrored noise vectors per step; a step takes twice as many evaluations");
  table.add("sigma", config.sigma, "standard deviation of a perturbation");
  table.add("learning_rate", config.adam.learning_rate, "step size of Adam");
}

void bind_settings(SettingTable& table, EsConfig& config) {
  bind_settings(table, config.search);
  table.add("initial_steps", config.initial_steps, "steps of the search for fitness");
}

Es::Es(EsConfig config, std::shared_ptr<const Task> task, Key key)
    : config_(std::move(config)), task_(std::move(task)), key_(key), search_(config_.search, Grid(task_->info().grid)) {
  config_.validate();
  const std::size_t parameters = task_->info().parameters;
  Search search{.id = 0,
                .target = std::nullopt,
                .genotype = std::vector<float>(parameters),
                .adam = AdamState(parameters),
                .fitness_mean = 0,
                .descriptor_mean = {}};
  task_->initial_genotype(key_, 0, search.genotype);
  search_.start({std::move(search)}, config_.initial_steps, key_);
}

ArchiveTable Es::archive() const {
  ArchiveTable table;
  table.grid = Grid(task_->info().grid);
  if (best().descriptor_mean.empty()) return table;
  table.solution.append_row(best().genotype);
  table.objective.push_back(best().fitness_mean);
  table.measures.append_row(best().descriptor_mean);
  table.index.push_back(static_cast<std::int32_t>(table.grid->cell_of(best().descriptor_mean)));
  return table;
}

AlgorithmStatus Es::status() const {
  const bool known = !best().descriptor_mean.empty();
  return {"ES", config_.initial_steps * 2 * config_.search.pairs, known ? std::size_t{1} : 0, best().fitness_mean};
}

void Es::load(const State& state) {
  require(state.get<std::int64_t>("ids").size() == 1, "the saved search", "one", state.get<std::int64_t>("ids").size());
  search_.load(state, key_, task_->info().parameters);
}

}  // namespace aria
