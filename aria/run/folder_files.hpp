// What the folders of runs and of studies have in common.
#pragma once

#include <filesystem>
#include <string>

namespace aria {

std::string read_file(const std::filesystem::path& path);

// Makes a folder, with those around it, and a first file in it; where another process was quicker, its file stays. On
// failure nothing is left that was not there before.
void create_folder(const std::filesystem::path& folder, const std::string& file_name, const std::string& text);

}  // namespace aria
