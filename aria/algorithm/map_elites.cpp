#include "aria/algorithm/map_elites.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "aria/algorithm/variation.hpp"
#include "aria/core/require.hpp"

namespace aria {

void MapElitesConfig::validate() const {
  require(budget >= 1, "budget", ">= 1", budget);
  require(batch >= 1 && batch <= (std::size_t{1} << 24), "batch", "from 1 to 2^24", batch);
  require(iso_sigma >= 0 && iso_sigma <= 1e6, "iso_sigma", "from 0 to 1e6", iso_sigma);
  require(line_sigma >= 0 && line_sigma <= 1e6, "line_sigma", "from 0 to 1e6", line_sigma);
}

void bind_settings(SettingTable& table, MapElitesConfig& config) {
  table.add("budget", config.budget, "evaluations in all");
  table.add("batch", config.batch, "offspring per generation");
  table.add("iso_sigma", config.iso_sigma, "standard deviation of the noise on every parameter");
  table.add("line_sigma", config.line_sigma, "standard deviation of the step along the line to the second parent");
}

MapElites::MapElites(MapElitesConfig config, std::shared_ptr<const Task> task, Key key)
    : config_(config), task_(std::move(task)), key_(key), archive_(Grid(task_->info().grid), task_->info().parameters) {
  config_.validate();
}

const SampleRequest& MapElites::ask() {
  assert(!done());
  const std::size_t count = std::min(config_.batch, config_.budget - evaluations_);
  request_.key = key_.child(generation_);
  request_.centres.resize(count, task_->info().parameters);
  request_.ids.resize(count);
  std::iota(request_.ids.begin(), request_.ids.end(), 0u);
  // random solutions to begin with, and again as long as none could be evaluated
  if (archive_.size() == 0) {
    for (std::size_t i = 0; i < count; ++i) {
      task_->initial_genotype(request_.key, request_.ids[i], request_.centres.row(i));
    }
  } else {
    iso_line_variation(archive_, config_.iso_sigma, config_.line_sigma, request_.key, request_.centres.view());
  }
  return request_;
}

void MapElites::tell(const Evaluations& evaluations) {
  archive_.insert(request_.centres, evaluations.fitness, evaluations.descriptors);
  evaluations_ += evaluations.fitness.size();
  ++generation_;
}

AlgorithmStatus MapElites::status() const {
  return {"MAP-Elites", config_.budget, archive_.size(), archive_.size() > 0 ? archive_.best_fitness() : 0};
}

State MapElites::save() const {
  State state;
  state.put("generation", static_cast<std::int64_t>(generation_));
  state.put("evaluations", static_cast<std::int64_t>(evaluations_));
  state.put_part("archive/", archive_.save());
  return state;
}

void MapElites::load(const State& state) {
  const std::int64_t generation = state.get_integer("generation");
  const std::int64_t evaluations = state.get_integer("evaluations");
  require(generation >= 0 && evaluations >= 0, "the counters of the saved state", ">= 0",
          std::min(generation, evaluations));
  archive_.load(state.part("archive/"));
  generation_ = static_cast<std::size_t>(generation);
  evaluations_ = static_cast<std::size_t>(evaluations);
}

}  // namespace aria
