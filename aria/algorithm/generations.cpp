#include "aria/algorithm/generations.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "aria/core/require.hpp"

namespace aria {

void GenerationsConfig::validate() const {
  constexpr std::size_t kMost = std::size_t{1} << 24;
  require(budget >= 1, "budget", ">= 1", budget);
  require(batch >= 1 && batch <= kMost, "batch", "from 1 to 2^24", batch);
  require(iso_sigma >= 0 && iso_sigma <= 1e6, "iso_sigma", "from 0 to 1e6", iso_sigma);
  require(line_sigma >= 0 && line_sigma <= 1e6, "line_sigma", "from 0 to 1e6", line_sigma);
  require(samples >= 1 && samples <= kMost, "samples", "from 1 to 2^24", samples);
  require(budget >= samples, "budget", fmt::format(">= samples ({})", samples), budget);
  // the evaluations of a generation are in memory together
  require(batch * samples <= (std::size_t{1} << 28), "batch times samples", "at most 2^28", batch * samples);
}

void bind_settings(SettingTable& table, GenerationsConfig& config) {
  table.add("budget", config.budget, "evaluations in all");
  table.add("batch", config.batch, "offspring per generation");
  table.add("iso_sigma", config.iso_sigma, "standard deviation of the noise on every parameter");
  table.add("line_sigma", config.line_sigma, "standard deviation of the step along the line to the second parent");
}

Generations::Generations(const GenerationsConfig& config, std::shared_ptr<const Task> task, Key key)
    : config_(config), task_(std::move(task)), key_(key) {
  config_.validate();
}

void Generations::begin() {
  const std::size_t count = std::min(config_.batch, (config_.budget - evaluations_) / config_.samples);
  request_.key = key_of(generation_);
  request_.transitions = config_.transitions;
  request_.samples = config_.samples;
  request_.centres.resize(count, task_->info().parameters);
  request_.ids.resize(count);
  std::iota(request_.ids.begin(), request_.ids.end(), 0u);
}

void Generations::draw_random() {
  for (std::size_t i = 0; i < request_.ids.size(); ++i) {
    task_->initial_genotype(request_.key, request_.ids[i], request_.centres.row(i));
  }
}

void Generations::end() {
  evaluations_ += request_.evaluations();
  ++generation_;
}

State Generations::save() const {
  State state;
  state.put("generation", static_cast<std::int64_t>(generation_));
  state.put("evaluations", static_cast<std::int64_t>(evaluations_));
  return state;
}

void Generations::load(const State& state) {
  const std::int64_t generation = state.get_integer("generation");
  const std::int64_t evaluations = state.get_integer("evaluations");
  require(generation >= 0 && evaluations >= 0, "the counters of the saved state", ">= 0",
          std::min(generation, evaluations));
  require(static_cast<std::size_t>(evaluations) <= config_.budget, "the evaluations of the saved state",
          fmt::format("at most {}, the budget", config_.budget), evaluations);
  generation_ = static_cast<std::size_t>(generation);
  evaluations_ = static_cast<std::size_t>(evaluations);
}

}  // namespace aria
