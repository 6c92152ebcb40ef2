#include "aria/run/study_config.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "aria/algorithm/registry.hpp"
#include "aria/core/nearest_name.hpp"
#include "aria/core/require.hpp"

namespace aria {

namespace {

constexpr std::size_t kMaxReplications = 10'000;
constexpr std::uint64_t kMaxSeed = std::uint64_t{1} << 53;
constexpr std::string_view kAll = "all";

std::vector<std::string> known_algorithms() {
  std::vector<std::string> names;
  for (const AlgorithmEntry& entry : algorithm_entries()) names.push_back(entry.name);
  return names;
}

void check_known(const std::string& name) {
  const std::vector<std::string> known = known_algorithms();
  if (std::ranges::find(known, name) == known.end()) throw_unknown("algorithm", name, known);
}

// In the order of the registry, each once.
std::vector<std::string> chosen_algorithms(const std::vector<std::string>& names, const TaskInfo& task) {
  require(!names.empty(), "--algorithms", "'all' or names with commas between them", "nothing");
  for (const std::string& name : names) {
    if (name != kAll) check_known(name);
  }
  std::vector<std::string> chosen;
  for (const AlgorithmEntry& entry : algorithm_entries()) {
    const bool named = std::ranges::find(names, entry.name) != names.end();
    const bool by_all = entry.compared && (!entry.needs_policy || task.policy.has_value()) &&
                        std::ranges::find(names, kAll) != names.end();
    require(!named || !entry.needs_archive, "--algorithms", "algorithms that start without an archive",
            fmt::format("'{}' (see aria improve)", entry.name));
    if (named || by_all) chosen.push_back(entry.name);
  }
  return chosen;
}

// The settings that each algorithm takes; one that nobody takes is refused.
std::map<std::string, std::vector<NamedValue>> settings_by_algorithm(const StudyConfig& config,
                                                                     const std::vector<std::string>& algorithms) {
  const ResolvedTask task = resolve_task(*config.task, config.settings);
  const Preset preset = parse_preset(config.preset.value_or("paper"));
  std::set<std::string> taken(task.setting_names.begin(), task.setting_names.end());
  std::map<std::string, std::vector<NamedValue>> result;
  for (const std::string& algorithm : algorithms) {
    const AlgorithmPlan plan = plan_algorithm(algorithm, task.task->info(), preset);
    for (const NamedValue& setting : config.settings) {
      const bool of_task = std::ranges::find(task.setting_names, setting.first) != task.setting_names.end();
      if (of_task || plan.settings.contains(setting.first)) result[algorithm].push_back(setting);
    }
    for (const std::string& name : plan.settings.names()) taken.insert(name);
    if (const auto own = config.algorithm_settings.find(algorithm); own != config.algorithm_settings.end()) {
      result[algorithm].insert(result[algorithm].end(), own->second.begin(), own->second.end());
    }
  }
  for (const NamedValue& setting : config.settings) {
    if (!taken.contains(setting.first)) {
      throw_unknown("setting", setting.first, std::vector<std::string>(taken.begin(), taken.end()));
    }
  }
  return result;
}

std::string settings_lines(const std::vector<ResolvedSetting>& settings) {
  std::string text;
  for (const auto& [name, value, quoted] : settings) {
    text += quoted ? fmt::format("{} = \"{}\"\n", name, value) : fmt::format("{} = {}\n", name, value);
  }
  return text;
}

template <class T>
void require_same(std::string_view name, const T& there, const T& now) {
  if (there == now) return;
  throw InputError(fmt::format("{} = {} there, {} = {} here", name, there, name, now));
}

void require_same(const std::string& owner, const std::vector<ResolvedSetting>& there,
                  const std::vector<ResolvedSetting>& now) {
  for (const ResolvedSetting& setting : now) {
    const auto old = std::ranges::find(there, setting.name, &ResolvedSetting::name);
    require_same(owner + setting.name, old == there.end() ? "nothing" : old->value, setting.value);
  }
}

}  // namespace

StudyConfig StudyConfig::overridden_by(const StudyConfig& over) const {
  check_preset(preset, !settings.empty() || !algorithm_settings.empty(), over.preset);
  StudyConfig result = *this;
  if (over.task) result.task = over.task;
  if (over.algorithms) result.algorithms = over.algorithms;
  if (over.replications) result.replications = over.replications;
  if (over.seed) result.seed = over.seed;
  if (over.preset) result.preset = over.preset;
  if (over.reevaluations) result.reevaluations = over.reevaluations;
  result.settings.insert(result.settings.end(), over.settings.begin(), over.settings.end());
  // what is said last wins, also over what a file says of one algorithm
  for (auto& [algorithm, own] : result.algorithm_settings) {
    std::erase_if(own, [&](const NamedValue& setting) {
      return std::ranges::find(over.settings, setting.first, &NamedValue::first) != over.settings.end();
    });
  }
  for (const auto& [algorithm, own] : over.algorithm_settings) {
    auto& all = result.algorithm_settings[algorithm];
    all.insert(all.end(), own.begin(), own.end());
  }
  return result;
}

const ResolvedConfig* ResolvedStudy::find(std::string_view algorithm) const {
  const auto found = std::ranges::find(algorithms, algorithm, &ResolvedConfig::algorithm);
  return found == algorithms.end() ? nullptr : &*found;
}

ResolvedConfig ResolvedStudy::run(std::size_t algorithm, std::size_t replication) const {
  ResolvedConfig config = algorithms[algorithm];
  config.seed += replication;
  return config;
}

std::string ResolvedStudy::to_toml() const {
  std::vector<std::string> names;
  for (const ResolvedConfig& config : algorithms) names.push_back(fmt::format("\"{}\"", config.algorithm));
  std::string text = fmt::format(
      "task = \"{}\"\nalgorithms = [{}]\nreplications = {}\nseed = {}\npreset = \"{}\"\nreevaluations = {}\n",
      common().task, fmt::join(names, ", "), replications, common().seed, common().preset, common().reevaluations);
  text += "\n[settings]\n" + settings_lines(common().task_settings);
  for (const ResolvedConfig& config : algorithms) {
    text += fmt::format("\n[settings.{}]\n{}", config.algorithm, settings_lines(config.algorithm_settings));
  }
  return text;
}

ResolvedStudy resolve_study(const StudyConfig& config) {
  require(config.task.has_value(), "--task", "given ('aria tasks' lists them)", "nothing");
  const std::vector<std::string> names =
      chosen_algorithms(config.algorithms.value_or(std::vector<std::string>{std::string(kAll)}),
                        resolve_task(*config.task, config.settings).task->info());
  for (const auto& [algorithm, settings] : config.algorithm_settings) check_known(algorithm);
  ResolvedStudy study;
  study.replications = config.replications.value_or(kDefaultReplications);
  require(study.replications >= 1 && study.replications <= kMaxReplications, "replications",
          fmt::format("from 1 to {}", kMaxReplications), study.replications);
  const std::uint64_t seed = config.seed.value_or(kDefaultSeed);
  require(seed <= kMaxSeed - (study.replications - 1), "seed",
          fmt::format("at most 2^53 - {}, as replications count on from it", study.replications - 1), seed);
  const std::size_t reevaluations = config.reevaluations.value_or(kDefaultReevaluations);
  require(reevaluations >= 2, "reevaluations", "at least 2: a study compares what is really there", reevaluations);

  auto settings = settings_by_algorithm(config, names);
  for (const std::string& name : names) {
    RunConfig run;
    run.task = config.task;
    run.algorithm = name;
    run.seed = seed;
    run.preset = config.preset;
    run.reevaluations = reevaluations;
    run.settings = std::move(settings[name]);
    study.algorithms.push_back(resolve(run, nullptr).config);
  }
  return study;
}

ResolvedStudy extended(const ResolvedStudy& there, const ResolvedStudy& now) {
  const ResolvedConfig& old = there.common();
  require_same("task", old.task, now.common().task);
  require_same("seed", old.seed, now.common().seed);
  require_same("preset", old.preset, now.common().preset);
  require_same("reevaluations", old.reevaluations, now.common().reevaluations);
  require_same("", old.task_settings, now.common().task_settings);
  for (const ResolvedConfig& config : now.algorithms) {
    const ResolvedConfig* before = there.find(config.algorithm);
    if (before == nullptr) continue;
    require_same(config.algorithm + ": ", before->algorithm_settings, config.algorithm_settings);
  }
  ResolvedStudy result;
  result.replications = std::max(there.replications, now.replications);
  for (const AlgorithmEntry& entry : algorithm_entries()) {
    const ResolvedConfig* config = there.find(entry.name);
    if (config == nullptr) config = now.find(entry.name);
    if (config != nullptr) result.algorithms.push_back(*config);
  }
  return result;
}

RunConfig request_of(const ResolvedConfig& config) {
  RunConfig run;
  run.task = config.task;
  run.algorithm = config.algorithm;
  run.seed = config.seed;
  run.preset = config.preset;
  run.reevaluations = config.reevaluations;
  for (const auto* settings : {&config.task_settings, &config.algorithm_settings}) {
    for (const ResolvedSetting& setting : *settings) run.settings.emplace_back(setting.name, setting.value);
  }
  return run;
}

}  // namespace aria
