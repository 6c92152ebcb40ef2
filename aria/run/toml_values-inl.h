// Reading of TOML files, for the sources that know the library; its types stay out of our headers.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include <toml++/toml.h>

namespace aria {

// Calls `take(key, node)` for every entry at the top. An InputError names the file, and the line where it is no TOML.
void read_toml(const std::filesystem::path& path,
               const std::function<void(const std::string& key, const toml::node& node)>& take);

// A value as the text that a command line would give.
std::string toml_text(const std::string& key, const toml::node& node);

}  // namespace aria
