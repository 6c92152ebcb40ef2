// Configuration files of runs.
#include <array>
#include <string>

#include "aria/core/nearest_name.hpp"
#include "aria/core/require.hpp"
#include "aria/run/configuration.hpp"
#include "aria/run/toml_values-inl.h"

namespace aria {

namespace {

void take_entry(RunConfig& config, const std::string& key, const toml::node& node) {
  static const std::array<std::string, 7> kKeys = {"task",          "algorithm", "seed",          "preset",
                                                   "reevaluations", "settings",  "input_checksum"};
  if (take_common_entry(config, key, node)) return;
  if (key == "algorithm") {
    config.algorithm = toml_text(key, node);
  } else if (key == "settings") {
    require(node.is_table(), key, "a table", "something else");
    for (const auto& [name, value] : *node.as_table()) {
      const std::string setting(name.str());
      config.settings.emplace_back(setting, toml_text(setting, value));
    }
  } else if (key != "input_checksum") {
    throw_unknown("key", key, kKeys);
  }
}

}  // namespace

RunConfig read_config(const std::filesystem::path& path) {
  RunConfig config;
  read_toml(path, [&](const std::string& key, const toml::node& node) { take_entry(config, key, node); });
  return config;
}

}  // namespace aria
