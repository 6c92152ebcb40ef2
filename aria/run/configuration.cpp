#include "aria/run/configuration.hpp"

#include <algorithm>
#include <span>

#include "aria/core/nearest_name.hpp"
#include "aria/core/require.hpp"
#include "aria/persistence/checksum.hpp"
#include "aria/task/registry.hpp"

namespace aria {

namespace {

std::vector<ResolvedSetting> final_values(const SettingTable& table) {
  std::vector<ResolvedSetting> values;
  for (const auto& entry : table.entries()) {
    values.push_back({entry.name, entry.get(), entry.kind == SettingTable::Kind::kText});
  }
  return values;
}

}  // namespace

void check_preset(const std::optional<std::string>& there, bool has_settings, const std::optional<std::string>& over) {
  require(!there || !over || *there == *over || !has_settings, "--preset",
          fmt::format("{}, as in the configuration file, whose settings are of it", there.value_or("")),
          over.value_or(""));
}

RunConfig RunConfig::overridden_by(const RunConfig& over) const {
  check_preset(preset, !settings.empty(), over.preset);
  RunConfig result = *this;
  if (over.task) result.task = over.task;
  if (over.algorithm) result.algorithm = over.algorithm;
  if (over.seed) result.seed = over.seed;
  if (over.preset) result.preset = over.preset;
  if (over.reevaluations) result.reevaluations = over.reevaluations;
  result.settings.insert(result.settings.end(), over.settings.begin(), over.settings.end());
  return result;
}

NamedValue parse_assignment(std::string_view text) {
  const std::size_t equals = text.find('=');
  require(equals != std::string_view::npos && equals > 0, "--set", "name=value", fmt::format("'{}'", text));
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

std::string ResolvedConfig::to_toml() const {
  std::string text = fmt::format("task = \"{}\"\nalgorithm = \"{}\"\nseed = {}\npreset = \"{}\"\nreevaluations = {}\n",
                                 task, algorithm, seed, preset, reevaluations);
  if (!input_checksum.empty()) text += fmt::format("input_checksum = \"{}\"\n", input_checksum);
  text += "\n[settings]\n";
  for (const auto* settings : {&task_settings, &algorithm_settings}) {
    for (const auto& [name, value, quoted] : *settings) {
      text += quoted ? fmt::format("{} = \"{}\"\n", name, value) : fmt::format("{} = {}\n", name, value);
    }
  }
  return text;
}

ResolvedTask resolve_task(const std::string& name, const std::vector<NamedValue>& settings) {
  TaskPlan plan = plan_task(name);
  ResolvedTask resolved;
  for (const auto& [setting, value] : settings) {
    if (plan.settings.contains(setting)) {
      plan.settings.set(setting, value);
    } else {
      resolved.left_over.emplace_back(setting, value);
    }
  }
  resolved.task = plan.build();
  resolved.settings = final_values(plan.settings);
  resolved.setting_names = plan.settings.names();
  return resolved;
}

RunConfig with_recorded_settings(RunConfig config, const ArchiveTable& archive) {
  if (!config.task || *config.task != archive.task) return config;
  const SettingTable known = plan_task(*config.task).settings;
  std::vector<NamedValue> settings;
  for (const auto& [name, value] : archive.provenance) {
    if (!name.starts_with(kRecordedSetting)) continue;
    // those of the algorithm that made it are not for another
    const std::string setting = name.substr(kRecordedSetting.size());
    if (known.contains(setting)) settings.emplace_back(setting, value);
  }
  config.settings.insert(config.settings.begin(), settings.begin(), settings.end());
  return config;
}

void record_settings(const ResolvedTask& task, ArchiveTable& archive) {
  for (const ResolvedSetting& setting : task.settings) {
    archive.provenance[std::string(kRecordedSetting) + setting.name] = setting.value;
  }
}

ResolvedRun resolve(const RunConfig& config, const ArchiveTable* archive) {
  require(config.task.has_value(), "--task", "given ('aria tasks' lists them)", "nothing");
  require(config.algorithm.has_value(), "--algorithm", "given ('aria algorithms' lists them)", "nothing");
  return resolve(config, resolve_task(*config.task, config.settings), archive);
}

ResolvedRun resolve(const RunConfig& config, const ResolvedTask& task, const ArchiveTable* archive) {
  ResolvedConfig resolved;
  resolved.task = config.task.value();
  resolved.algorithm = config.algorithm.value();
  resolved.seed = config.seed.value_or(kDefaultSeed);
  const Preset preset = parse_preset(config.preset.value_or("paper"));
  resolved.preset = to_string(preset);
  resolved.reevaluations = config.reevaluations.value_or(kDefaultReevaluations);
  require(resolved.reevaluations <= (std::size_t{1} << 24), "reevaluations", "from 0 (no metrics) to 2^24",
          resolved.reevaluations);
  resolved.task_settings = task.settings;

  AlgorithmPlan plan = plan_algorithm(resolved.algorithm, task.task->info(), preset);
  for (const auto& [name, value] : task.left_over) {
    if (!plan.settings.contains(name)) {
      std::vector<std::string> names = plan.settings.names();
      names.insert(names.end(), task.setting_names.begin(), task.setting_names.end());
      throw_unknown("setting", name, names);
    }
    plan.settings.set(name, value);
  }
  resolved.algorithm_settings = final_values(plan.settings);
  if (archive != nullptr) resolved.input_checksum = checksum_text(archive->solution);
  // metrics and search draw from branches of their own
  AnyAlgorithm algorithm = plan.build(task.task, Key(resolved.seed).child(0), archive);
  return {std::move(resolved), task.task, std::move(algorithm)};
}

}  // namespace aria
