// Configuration files of studies.
#include <algorithm>
#include <array>
#include <string>

#include "aria/core/nearest_name.hpp"
#include "aria/core/require.hpp"
#include "aria/run/study_config.hpp"
#include "aria/run/toml_values-inl.h"

namespace aria {

namespace {

std::vector<std::string> names_of(const std::string& key, const toml::node& node) {
  const auto* list = node.as_array();
  if (list == nullptr) return parse_names(toml_text(key, node));
  std::vector<std::string> names;
  for (const auto& element : *list) {
    require(element.is_string(), key, "a list of names", "something else in it");
    names.push_back(toml_text(key, element));
  }
  return names;
}

// A table within the settings holds those of one algorithm.
void take_settings(StudyConfig& config, const toml::table& table) {
  for (const auto& [name, value] : table) {
    const std::string key(name.str());
    if (const auto* own = value.as_table()) {
      for (const auto& [own_name, own_value] : *own) {
        const std::string setting(own_name.str());
        config.algorithm_settings[key].emplace_back(setting, toml_text(setting, own_value));
      }
    } else {
      config.settings.emplace_back(key, toml_text(key, value));
    }
  }
}

void take_entry(StudyConfig& config, const std::string& key, const toml::node& node) {
  static const std::array<std::string, 7> kKeys = {"task",   "algorithms",    "replications", "seed",
                                                   "preset", "reevaluations", "settings"};
  if (take_common_entry(config, key, node)) return;
  if (key == "algorithms") {
    config.algorithms = names_of(key, node);
  } else if (key == "replications") {
    config.replications = parse_count(key, toml_text(key, node));
  } else if (key == "settings") {
    require(node.is_table(), key, "a table", "something else");
    take_settings(config, *node.as_table());
  } else {
    throw_unknown("key", key, kKeys);
  }
}

}  // namespace

std::vector<std::string> parse_names(std::string_view text) {
  std::vector<std::string> names;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view name = text.substr(0, comma);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    names.emplace_back(name);
    if (comma == text.size()) return names;
    text.remove_prefix(comma + 1);
  }
}

StudyConfig read_study_config(const std::filesystem::path& path) {
  StudyConfig config;
  read_toml(path, [&](const std::string& key, const toml::node& node) { take_entry(config, key, node); });
  return config;
}

}  // namespace aria
