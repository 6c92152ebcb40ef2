// The same algorithms at several budgets: a study for each, and one comparison of all of them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "aria/run/study.hpp"

namespace aria {

// "1,1/4,0.0625", as on the command line: shares of the full budget, each above 0 and at most 1, largest first.
std::vector<double> parse_shares(std::string_view text);

// Whether a folder is, by its name, that of one budget in the folder of a sweep.
bool is_sweep_part(const std::filesystem::path& folder);

struct BudgetSweep {
  Study study;       // of all budgets together; every algorithm is there once for each budget
  std::string json;  // what study.json holds, where there is something to compare
};

// Runs a study for each share into a folder below `folder`, continuing what is there, then compares all of them: scores
// are normalised over all archives of all budgets. Ends by writing study.json, study.csv and runs.csv.
BudgetSweep run_budget_sweep(const StudyConfig& config, const std::vector<double>& shares,
                             const std::filesystem::path& folder, bool repair, const StudyHooks& hooks);

}  // namespace aria
