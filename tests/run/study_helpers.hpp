// What the tests of studies share: a study of a few hundredths of a second.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "aria/run/study.hpp"
#include "tests/persistence/file_helpers.hpp"

namespace aria::testing {

inline StudyConfig tiny_study(const std::vector<std::string>& algorithms, std::size_t replications = 2) {
  StudyConfig config;
  config.task = "arm";
  config.algorithms = algorithms;
  config.replications = replications;
  config.reevaluations = 16;
  config.settings = {{"grid", "4x4"}, {"joints", "5"}};
  config.algorithm_settings["map-elites"] = {{"budget", "600"}, {"batch", "64"}};
  for (const char* name : {"aria-me", "aria-es"}) {
    config.algorithm_settings[name] = {
        {"pairs", "16"}, {"sigma", "0.02"}, {"steps", "3"}, {"mean_evaluations", "16"}, {"parallel_cells", "3"}};
  }
  config.algorithm_settings["aria-me"].emplace_back("initial_budget", "300");
  config.algorithm_settings["aria-me"].emplace_back("batch", "64");
  config.algorithm_settings["aria-es"].emplace_back("initial_steps", "8");
  return config;
}

// The text of a file without what no two studies have in common: durations.
inline std::string without_seconds(const std::filesystem::path& path) {
  std::string result;
  std::string line;
  bool skipped = false;
  for (const char c : read_bytes(path)) {
    line += c;
    if (c != '\n') continue;
    // the figure of seconds in a summary goes over the lines to its closing brace
    if (line.find("\"seconds\": {") != std::string::npos) skipped = true;
    if (!skipped && line.find("seconds") == std::string::npos) result += line;
    if (skipped && line.find('}') != std::string::npos) skipped = false;
    line.clear();
  }
  return result;
}

}  // namespace aria::testing
