#include "aria/algorithm/registry.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "aria/algorithm/aria.hpp"
#include "aria/algorithm/aria_gn.hpp"
#include "aria/algorithm/aria_goal.hpp"
#include "aria/algorithm/es.hpp"
#include "aria/algorithm/map_elites.hpp"
#include "aria/algorithm/mome.hpp"
#include "aria/algorithm/pga_map_elites.hpp"
#include "aria/algorithm/scaled_defaults.hpp"
#include "aria/core/nearest_name.hpp"
#include "aria/core/require.hpp"

namespace aria {

namespace {

constexpr double kLiteShare = 1.0 / 16;  // of the published budget

TaskDefaults scaled(const TaskDefaults& defaults, Preset preset) {
  return preset == Preset::kPaper ? defaults : scaled_defaults(defaults, kLiteShare);
}

SearchConfig search_config(const TaskDefaults& defaults) {
  SearchConfig config;
  config.pairs = defaults.pairs;
  config.sigma = defaults.sigma;
  config.adam.learning_rate = defaults.learning_rate;
  return config;
}

AriaConfig aria_config(const TaskDefaults& defaults) {
  AriaConfig config;
  config.search = search_config(defaults);
  config.steps = defaults.steps;
  config.initial_steps = defaults.initial_steps;
  config.mean_evaluations = defaults.mean_evaluations;
  return config;
}

// The configuration lives as long as either part of the plan.
AlgorithmPlan plan_map_elites(const TaskDefaults& defaults, MapElitesConfig published) {
  auto config = std::make_shared<MapElitesConfig>(published);
  config->budget = defaults.baseline_budget;
  AlgorithmPlan plan;
  bind_settings(plan.settings, *config);
  if (config->samples > 1) plan.settings.add("samples", config->samples, "evaluations per solution");
  if (config->fitness_weight) {
    plan.settings.add("fitness_weight", *config->fitness_weight,
                      "from 0 to 1: what the mean fitness counts for against the variance of the descriptor");
  }
  plan.build = [config](const std::shared_ptr<const Task>& task, Key key, const ArchiveTable*) -> AnyAlgorithm {
    return MapElites(*config, task, key);
  };
  return plan;
}

AlgorithmPlan plan_map_elites(const TaskDefaults& defaults) { return plan_map_elites(defaults, MapElitesConfig{}); }

AlgorithmPlan plan_me_sa(const TaskDefaults& defaults) { return plan_map_elites(defaults, sampled_map_elites()); }

AlgorithmPlan plan_me_sa_r(const TaskDefaults& defaults) {
  MapElitesConfig config = sampled_map_elites();
  config.fitness_weight = 0.5;
  return plan_map_elites(defaults, config);
}

AlgorithmPlan plan_mome_r(const TaskDefaults& defaults) {
  auto config = std::make_shared<MomeConfig>();
  config->budget = defaults.baseline_budget;
  AlgorithmPlan plan;
  bind_settings(plan.settings, *config);
  plan.build = [config](const std::shared_ptr<const Task>& task, Key key, const ArchiveTable*) -> AnyAlgorithm {
    return Mome(*config, task, key);
  };
  return plan;
}

constexpr std::size_t kCriticSteps = 300;             // per generation, as published of PGA-MAP-Elites alone
constexpr std::size_t kCriticStepsBeforeAria = 1000;  // and where it initialises ARIA

// A shorter run than the published one trains more in each generation, or its critics would learn too little to be of
// use: as much in all, but no more per generation than where it initialises ARIA.
std::size_t critic_steps_for(std::size_t budget) {
  const std::size_t published = TaskDefaults().gradient_budget;
  return std::clamp(kCriticSteps * published / std::max<std::size_t>(1, budget), kCriticSteps, kCriticStepsBeforeAria);
}

AlgorithmPlan plan_pga_me(const TaskDefaults& defaults) {
  auto config = std::make_shared<PgaConfig>();
  config->budget = defaults.gradient_budget;
  config->learner.critic_steps = critic_steps_for(config->budget);
  AlgorithmPlan plan;
  bind_settings(plan.settings, *config);
  plan.build = [config](const std::shared_ptr<const Task>& task, Key key, const ArchiveTable*) -> AnyAlgorithm {
    return PgaMapElites(*config, task, key);
  };
  return plan;
}

AlgorithmPlan plan_es(const TaskDefaults& defaults) {
  auto config = std::make_shared<EsConfig>();
  config->search = search_config(defaults);
  config->initial_steps = defaults.initial_steps;
  AlgorithmPlan plan;
  bind_settings(plan.settings, *config);
  plan.build = [config](std::shared_ptr<const Task> task, Key key, const ArchiveTable*) -> AnyAlgorithm {
    return Es(*config, std::move(task), key);
  };
  return plan;
}

// Of the generations that make ARIA's first archive.
void bind_initial_settings(SettingTable& table, GenerationsConfig& config, std::string_view algorithm) {
  table.add("initial_budget", config.budget,
            fmt::format("evaluations of {}, which makes the first archive", algorithm));
  table.add("batch", config.batch, "offspring per generation of that");
  table.add("iso_sigma", config.iso_sigma, "its noise on every parameter, standard deviation");
  table.add("line_sigma", config.line_sigma, "its step along the line to the second parent");
}

AlgorithmPlan plan_aria_from_map_elites(const TaskDefaults& defaults, std::optional<LinearConfig> linear) {
  struct Config {
    AriaConfig aria;
    MapElitesConfig initial;
  };
  auto config = std::make_shared<Config>(Config{aria_config(defaults), MapElitesConfig{}});
  config->aria.search.linear = linear;
  config->initial.budget = defaults.initial_budget;
  AlgorithmPlan plan;
  bind_settings(plan.settings, config->aria);
  bind_initial_settings(plan.settings, config->initial, "MAP-Elites");
  plan.build = [config](const std::shared_ptr<const Task>& task, Key key, const ArchiveTable*) -> AnyAlgorithm {
    AriaConfig aria = config->aria;
    if (aria.search.linear) {
      aria.search.linear->fitness = task->info().fitness_range;
      aria.search.linear->distance = task->info().distance_range;
    }
    return Aria(aria, config->initial, task, key);
  };
  return plan;
}

AlgorithmPlan plan_aria_me(const TaskDefaults& defaults) { return plan_aria_from_map_elites(defaults, std::nullopt); }

AlgorithmPlan plan_aria_linear(const TaskDefaults& defaults) {
  return plan_aria_from_map_elites(defaults, LinearConfig{});
}

AlgorithmPlan plan_aria_pga(const TaskDefaults& defaults) {
  struct Config {
    AriaConfig aria;
    PgaConfig initial;
  };
  auto config = std::make_shared<Config>(Config{aria_config(defaults), PgaConfig{}});
  config->initial.budget = defaults.gradient_budget;
  config->initial.learner.critic_steps = kCriticStepsBeforeAria;
  AlgorithmPlan plan;
  bind_settings(plan.settings, config->aria);
  bind_initial_settings(plan.settings, config->initial, "PGA-MAP-Elites");
  bind_settings(plan.settings, config->initial.learner);
  plan.build = [config](const std::shared_ptr<const Task>& task, Key key, const ArchiveTable*) -> AnyAlgorithm {
    return Aria(config->aria, config->initial, task, key);
  };
  return plan;
}

AlgorithmPlan plan_aria_goal(const TaskDefaults& defaults) {
  auto config = std::make_shared<GoalConfig>();
  config->training_share = defaults.goal_share;
  config->search.fitness_weight = defaults.goal_fitness_weight;
  config->search.safe_probability = defaults.goal_safe_probability;
  config->search.search_rounds = defaults.goal_search_rounds;
  config->polish.search.sigma = defaults.sigma;
  config->polish.search.adam.learning_rate = defaults.learning_rate;
  AlgorithmPlan plan;
  bind_settings(plan.settings, *config);
  plan.build = [config](const std::shared_ptr<const Task>& task, Key key, const ArchiveTable*) -> AnyAlgorithm {
    return AriaGoal(*config, task, key);
  };
  return plan;
}

AlgorithmPlan plan_aria_es(const TaskDefaults& defaults) {
  auto config = std::make_shared<AriaConfig>(aria_config(defaults));
  AlgorithmPlan plan;
  bind_settings(plan.settings, *config);
  plan.settings.add("initial_steps", config->initial_steps, "steps for fitness, then as many towards the first cell");
  plan.build = [config](const std::shared_ptr<const Task>& task, Key key, const ArchiveTable*) -> AnyAlgorithm {
    return Aria(*config, task, key);
  };
  return plan;
}

AlgorithmPlan plan_aria(const TaskDefaults& defaults) {
  auto config = std::make_shared<AriaConfig>(aria_config(defaults));
  AlgorithmPlan plan;
  bind_settings(plan.settings, *config);
  plan.build = [config](std::shared_ptr<const Task> task, Key key, const ArchiveTable* archive) -> AnyAlgorithm {
    if (archive == nullptr) throw InputError("algorithm 'aria' must be given an archive to start from: aria improve");
    return Aria(*config, *archive, std::move(task), key);
  };
  return plan;
}

AlgorithmPlan plan_aria_gn(const TaskDefaults& defaults) {
  auto config = std::make_shared<AriaGnConfig>();
  // what a task leaves at 0 stays so, and is refused
  config->budget = static_cast<std::size_t>(defaults.newton_share * static_cast<double>(defaults.baseline_budget));
  config->climb.sigma = defaults.newton_sigma.value_or(defaults.sigma);
  config->climb.learning_rate = defaults.learning_rate;
  AlgorithmPlan plan;
  bind_settings(plan.settings, *config);
  plan.build = [config](std::shared_ptr<const Task> task, Key key, const ArchiveTable*) -> AnyAlgorithm {
    return AriaGn(*config, std::move(task), key);
  };
  return plan;
}

struct Registered {
  AlgorithmEntry entry;
  AlgorithmPlan (*plan)(const TaskDefaults&);
};

const std::vector<Registered>& registered() {
  static const std::vector<Registered> all = {
      {{"map-elites", "MAP-Elites with iso+line variation, one evaluation per solution", false}, plan_map_elites},
      {{"me-sa", "MAP-Elites with the means of several evaluations per solution", false}, plan_me_sa},
      {{"me-sa-r", "ME-Sa whose solutions compete by fitness and a steady descriptor", false}, plan_me_sa_r},
      {{"mome-r", "MAP-Elites with a Pareto front of fitness and steadiness in every cell", false}, plan_mome_r},
      {{.name = "pga-me",
        .summary = "PGA-MAP-Elites: half of the offspring climb a critic that learns from every rollout",
        .needs_policy = true},
       plan_pga_me},
      {{"es", "evolution strategy on the mean fitness of one solution", false, false}, plan_es},
      {{"aria-me", "ARIA started from the archive of a MAP-Elites run", false}, plan_aria_me},
      {{.name = "aria-pga", .summary = "ARIA started from the archive of a PGA-MAP-Elites run", .needs_policy = true},
       plan_aria_pga},
      {{"aria-linear", "ARIA-ME with the Linear RIM: fitness weighed against distance", false}, plan_aria_linear},
      {{"aria-es", "ARIA started from one solution found by an evolution strategy", false}, plan_aria_es},
      {{.name = "aria-goal",
        .summary = "one policy learns to reach any cell it is told; every cell's genotype is read off from it (ours)",
        .compared = false,
        .needs_policy = true},
       plan_aria_goal},
      {{"aria-gn", "ARIA with fewer evaluations: Gauss-Newton steps along learnt slopes", false, false}, plan_aria_gn},
      {{"aria", "ARIA started from an archive that you bring (the algorithm of 'aria improve')", true, false},
       plan_aria},
  };
  return all;
}

}  // namespace

Preset parse_preset(std::string_view name) {
  require(name == "paper" || name == "lite", "preset", "paper or lite", fmt::format("'{}'", name));
  return name == "paper" ? Preset::kPaper : Preset::kLite;
}

std::string to_string(Preset preset) { return preset == Preset::kPaper ? "paper" : "lite"; }

const std::vector<AlgorithmEntry>& algorithm_entries() {
  static const std::vector<AlgorithmEntry> entries = [] {
    std::vector<AlgorithmEntry> result;
    for (const Registered& r : registered()) result.push_back(r.entry);
    return result;
  }();
  return entries;
}

AlgorithmPlan plan_algorithm(std::string_view name, const TaskInfo& info, Preset preset) {
  std::vector<std::string> names;
  for (const Registered& r : registered()) {
    if (r.entry.name == name) return r.plan(scaled(info.defaults, preset));
    names.push_back(r.entry.name);
  }
  throw_unknown("algorithm", name, names);
}

}  // namespace aria
