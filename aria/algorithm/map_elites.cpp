#include "aria/algorithm/map_elites.hpp"

#include <utility>

#include "aria/core/require.hpp"

namespace aria {

void MapElitesConfig::validate() const {
  GenerationsConfig::validate();
  if (!fitness_weight) return;
  require(samples >= 2, "samples", ">= 2, for there is no variance of one evaluation", samples);
  require(*fitness_weight >= 0 && *fitness_weight <= 1, "fitness_weight", "from 0 to 1", *fitness_weight);
}

MapElitesConfig sampled_map_elites() {
  MapElitesConfig config;
  config.batch = 128;
  config.samples = 32;
  return config;
}

MapElites::MapElites(const MapElitesConfig& config, const std::shared_ptr<const Task>& task, Key key)
    : name_(config.fitness_weight ? "ME-Sa-R"
            : config.samples > 1  ? "ME-Sa"
                                  : "MAP-Elites"),
      generations_(validated(config), task, key),
      archive_(Grid(task->info().grid), task->info().parameters,
               config.fitness_weight ? Archive::Rivalry::kScore : Archive::Rivalry::kFitness) {
  if (config.fitness_weight) robust_fitness_.emplace(*config.fitness_weight, task->info());
}

void MapElites::tell(const Evaluations& evaluations) {
  const SampleRequest& request = generations_.request();
  if (request.samples == 1) {
    archive_.insert(request.centres, evaluations.fitness, evaluations.descriptors);
  } else {
    // Offspring are judged by the evaluations that did not fail. Those of which all failed are not kept; nor, where the
    // variance counts, are those with a single one left: it would look steadier than any other.
    summarise_clouds(evaluations.fitness, evaluations.descriptors, request.samples, robust_fitness_.has_value(),
                     clouds_);
    scores_.resize(clouds_.variance.size());
    for (std::size_t i = 0; i < scores_.size(); ++i) {
      scores_[i] = static_cast<float>((*robust_fitness_)(double{clouds_.fitness[i]}, clouds_.variance[i]));
    }
    archive_.insert(request.centres, clouds_.fitness, clouds_.descriptors, scores_);
  }
  generations_.end();
}

AlgorithmStatus MapElites::status() const {
  return {name_, generations_.planned_evaluations(), archive_.size(),
          archive_.size() > 0 ? archive_.best_fitness() : 0};
}

State MapElites::save() const {
  State state = generations_.save();
  state.put_part("archive/", archive_.save());
  return state;
}

void MapElites::load(const State& state) {
  Generations generations = generations_;
  generations.load(state);
  archive_.load(state.part("archive/"));
  generations_ = std::move(generations);
}

}  // namespace aria
