#include "aria/algorithm/mome.hpp"

#include <algorithm>
#include <utility>

#include "aria/core/require.hpp"

namespace aria {

void MomeConfig::validate() const {
  GenerationsConfig::validate();
  require(samples >= 2, "samples", ">= 2, for there is no variance of one evaluation", samples);
  require(front_size >= 1 && front_size <= 65'536, "front_size", "from 1 to 65536", front_size);
  require(fitness_weight >= 0 && fitness_weight <= 1, "fitness_weight", "from 0 to 1", fitness_weight);
}

void bind_settings(SettingTable& table, MomeConfig& config) {
  bind_settings(table, static_cast<GenerationsConfig&>(config));
  table.add("samples", config.samples, "evaluations per solution");
  table.add("front_size", config.front_size, "solutions per cell at most");
  table.add("fitness_weight", config.fitness_weight,
            "from 0 to 1: what fitness counts for against variance when a front is reduced to one solution");
}

Mome::Mome(const MomeConfig& config, const std::shared_ptr<const Task>& task, Key key)
    : generations_(validated(config), task, key),
      archive_(Grid(task->info().grid), task->info().parameters, config.front_size),
      robust_fitness_(config.fitness_weight, task->info()) {}

// Offspring of which fewer than two evaluations did not fail have no variance, and are not kept; the others are judged
// by those that did not fail.
void Mome::tell(const Evaluations& evaluations) {
  const SampleRequest& request = generations_.request();
  summarise_clouds(evaluations.fitness, evaluations.descriptors, request.samples, true, clouds_);
  reproducibility_.resize(clouds_.variance.size());
  std::ranges::transform(clouds_.variance, reproducibility_.begin(), [](double v) { return static_cast<float>(-v); });
  archive_.insert(request.centres, clouds_.fitness, reproducibility_, clouds_.descriptors);
  generations_.end();
}

ArchiveTable Mome::archive() const {
  return archive_.table([this](float fitness, float reproducibility) {
    return robust_fitness_(double{fitness}, -double{reproducibility});
  });
}

AlgorithmStatus Mome::status() const {
  return {"MOME-R", generations_.planned_evaluations(), archive_.size(),
          archive_.size() > 0 ? archive_.best_fitness() : 0};
}

State Mome::save() const {
  State state = generations_.save();
  state.put_part("archive/", archive_.save());
  return state;
}

void Mome::load(const State& state) {
  Generations generations = generations_;
  generations.load(state);
  archive_.load(state.part("archive/"));
  generations_ = std::move(generations);
}

}  // namespace aria
