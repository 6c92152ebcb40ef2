// The algorithms by name, with their settings and how they are made.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "aria/algorithm/any_algorithm.hpp"
#include "aria/core/key.hpp"
#include "aria/core/settings.hpp"
#include "aria/task/task.hpp"

namespace aria {

// How much an algorithm may spend: the published budget, or about a sixteenth of it.
enum class Preset { kPaper, kLite };

Preset parse_preset(std::string_view name);
std::string to_string(Preset preset);

struct AlgorithmEntry {
  std::string name;
  std::string summary;         // one line
  bool needs_archive = false;  // starts from an archive that the user brings
  bool compared = true;        // part of the comparison that `aria study --algorithms all` makes
  bool needs_policy = false;   // takes tasks whose genotypes are policies only
};

const std::vector<AlgorithmEntry>& algorithm_entries();

// An algorithm to be: settings at their defaults for a task, to be changed, then built. `build` checks the settings.
struct AlgorithmPlan {
  SettingTable settings;
  std::function<AnyAlgorithm(std::shared_ptr<const Task> task, Key key, const ArchiveTable* archive)> build;
};

AlgorithmPlan plan_algorithm(std::string_view name, const TaskInfo& info, Preset preset);

}  // namespace aria
