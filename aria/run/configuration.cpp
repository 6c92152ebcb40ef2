#include "aria/run/configuration.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <span>
#include <sstream>

#include <toml++/toml.h>

#include "aria/core/nearest_name.hpp"
#include "aria/core/require.hpp"
#include "aria/persistence/checksum.hpp"
#include "aria/task/registry.hpp"

namespace aria {

namespace {

constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20;

// A configuration file holds a page of settings: a large one is another file, given by mistake.
std::string read_text(const std::filesystem::path& path) {
  std::error_code error;
  require(std::filesystem::is_regular_file(path, error), "the configuration", "a file that exists", path.string());
  const auto bytes = std::filesystem::file_size(path, error);
  require(!error && bytes <= kMaxConfigBytes, fmt::format("the configuration {}", path.string()),
          fmt::format("at most {} bytes", kMaxConfigBytes), bytes);
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  require(stream.good() || stream.eof(), "the configuration", "readable", path.string());
  return text.str();
}

// A value as the text that a command line would give.
std::string as_text(const std::string& key, const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return fmt::format("{}", integer->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* list = node.as_array()) {
    std::vector<std::string> parts;
    for (const auto& element : *list) {
      require(element.is_integer(), key, "a list of whole numbers", "something else in it");
      parts.push_back(as_text(key, element));
    }
    return fmt::format("{}", fmt::join(parts, ","));
  }
  throw InputError(fmt::format("{} must be a number, a text or a list of whole numbers", key));
}

void take_entry(RunConfig& config, const std::string& key, const toml::node& node) {
  static const std::array<std::string, 7> kKeys = {"task",          "algorithm", "seed",          "preset",
                                                   "reevaluations", "settings",  "input_checksum"};
  if (key == "task") {
    config.task = as_text(key, node);
  } else if (key == "algorithm") {
    config.algorithm = as_text(key, node);
  } else if (key == "seed") {
    config.seed = parse_count(key, as_text(key, node));
  } else if (key == "preset") {
    config.preset = as_text(key, node);
  } else if (key == "reevaluations") {
    config.reevaluations = parse_count(key, as_text(key, node));
  } else if (key == "settings") {
    require(node.is_table(), key, "a table", "something else");
    for (const auto& [name, value] : *node.as_table()) {
      const std::string setting(name.str());
      config.settings.emplace_back(setting, as_text(setting, value));
    }
  } else if (key != "input_checksum") {
    throw_unknown("key", key, kKeys);
  }
}

std::vector<ResolvedSetting> final_values(const SettingTable& table) {
  std::vector<ResolvedSetting> values;
  for (const auto& entry : table.entries()) {
    values.push_back({entry.name, entry.get(), entry.kind == SettingTable::Kind::kText});
  }
  return values;
}

}  // namespace

RunConfig RunConfig::overridden_by(const RunConfig& over) const {
  RunConfig result = *this;
  if (over.task) result.task = over.task;
  if (over.algorithm) result.algorithm = over.algorithm;
  if (over.seed) result.seed = over.seed;
  if (over.preset) result.preset = over.preset;
  if (over.reevaluations) result.reevaluations = over.reevaluations;
  result.settings.insert(result.settings.end(), over.settings.begin(), over.settings.end());
  return result;
}

RunConfig read_config(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  RunConfig config;
  try {
    const toml::table table = toml::parse(text);
    for (const auto& [key, node] : table) take_entry(config, std::string(key.str()), node);
  } catch (const toml::parse_error& error) {
    throw InputError(fmt::format("{}:{}: {}", path.string(), error.source().begin.line, error.description()));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", path.string(), error.what()));
  }
  return config;
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
  constexpr std::string_view kPrefix = "setting.";
  if (!config.task || *config.task != archive.task) return config;
  const SettingTable known = plan_task(*config.task).settings;
  std::vector<NamedValue> settings;
  for (const auto& [name, value] : archive.provenance) {
    if (!name.starts_with(kPrefix)) continue;
    // those of the algorithm that made it are not for another
    const std::string setting = name.substr(kPrefix.size());
    if (known.contains(setting)) settings.emplace_back(setting, value);
  }
  config.settings.insert(config.settings.begin(), settings.begin(), settings.end());
  return config;
}

ResolvedRun resolve(const RunConfig& config, const ArchiveTable* archive) {
  require(config.task.has_value(), "--task", "given ('aria tasks' lists them)", "nothing");
  require(config.algorithm.has_value(), "--algorithm", "given ('aria algorithms' lists them)", "nothing");
  ResolvedTask task = resolve_task(*config.task, config.settings);

  ResolvedConfig resolved;
  resolved.task = *config.task;
  resolved.algorithm = *config.algorithm;
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
  return {std::move(resolved), std::move(task.task), std::move(algorithm)};
}

}  // namespace aria
