// Reading of TOML files, for the sources that know the library; its types stay out of our headers.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include <toml++/toml.h>

#include "aria/core/settings.hpp"

namespace aria {

// Calls `take(key, node)` for every entry at the top. An InputError names the file, and the line where it is no TOML.
void read_toml(const std::filesystem::path& path,
               const std::function<void(const std::string& key, const toml::node& node)>& take);

// A value as the text that a command line would give.
std::string toml_text(const std::string& key, const toml::node& node);

// What runs and studies say alike; false where the key is none of that.
template <class Config>
bool take_common_entry(Config& config, const std::string& key, const toml::node& node) {
  if (key == "task") {
    config.task = toml_text(key, node);
  } else if (key == "seed") {
    config.seed = parse_count(key, toml_text(key, node));
  } else if (key == "preset") {
    config.preset = toml_text(key, node);
  } else if (key == "reevaluations") {
    config.reevaluations = parse_count(key, toml_text(key, node));
  } else {
    return false;
  }
  return true;
}

}  // namespace aria
