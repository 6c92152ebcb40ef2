// What the tests of runs share: small runs, in memory and in folders.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "aria/algorithm/map_elites.hpp"
#include "aria/run/configuration.hpp"
#include "tests/support/quadratic_task.hpp"

namespace aria::testing {

// The settings by which a run takes a few milliseconds: on the arm, or on a walker where there must be policies.
inline RunConfig tiny_config(const std::string& algorithm) {
  RunConfig config;
  config.algorithm = algorithm;
  config.reevaluations = 16;
  const auto add = [&](const std::vector<NamedValue>& more) {
    config.settings.insert(config.settings.end(), more.begin(), more.end());
  };
  const bool pga = algorithm == "pga-me" || algorithm == "aria-pga";
  const bool goal = algorithm == "aria-goal";
  config.task = pga || goal ? "walker" : "arm";
  add({{"grid", "4x4"}});
  if (pga || goal) {
    add({{"hidden", "4"}, {"episode_length", "10"}});
  } else {
    add({{"joints", "5"}});
  }
  const std::vector<NamedValue> search = {{"pairs", "16"}, {"sigma", "0.02"}};
  const std::vector<NamedValue> cells = {{"steps", "3"}, {"mean_evaluations", "16"}, {"parallel_cells", "3"}};
  const std::vector<NamedValue> learning = {{"critic_steps", "2"},   {"critic_hidden", "4"},   {"critic_batch", "16"},
                                            {"gradient_steps", "2"}, {"gradient_batch", "16"}, {"replay_size", "300"}};
  const bool baseline = algorithm.starts_with("me-") || algorithm.starts_with("mome-");
  if (algorithm == "map-elites") add({{"budget", "600"}, {"batch", "64"}});
  if (baseline) add({{"budget", "600"}, {"batch", "16"}, {"samples", "4"}});
  if (pga) add(learning);
  if (algorithm == "pga-me") add({{"budget", "200"}, {"batch", "32"}});
  if (goal) {
    add({{"training_share", "0.0002"}, {"retarget_rounds", "2"}, {"retarget_samples", "4"}, {"search_samples", "2"}});
    add({{"polish_budget", "400"}, {"polish_steps", "2"}, {"polish_pairs", "4"}, {"polish_samples", "4"}});
  }
  if (algorithm == "es" || (algorithm.starts_with("aria") && !goal)) add(search);
  if (algorithm.starts_with("aria") && !goal) add(cells);
  if (algorithm == "aria-me" || algorithm == "aria-linear") add({{"initial_budget", "300"}, {"batch", "64"}});
  if (algorithm == "aria-pga") add({{"initial_budget", "100"}, {"batch", "32"}});
  if (algorithm == "aria-gn") add({{"budget", "2000"}, {"batch", "64"}, {"steps", "4"}});
  if (algorithm == "es" || algorithm == "aria-es") add({{"initial_steps", "8"}});
  return config;
}

// Genotypes for the task of `tiny_config`, as a user might bring them.
inline ArchiveTable brought_archive() {
  ArchiveTable table;
  table.solution = Matrix(6, 5);
  for (std::size_t row = 0; row < 6; ++row) {
    for (std::size_t j = 0; j < 5; ++j) table.solution(row, j) = 0.07f * static_cast<float>(3 * row + 2 * j + row * j);
  }
  return table;
}

// MAP-Elites on the task of the tests' own.
inline AnyAlgorithm map_elites_on(const std::shared_ptr<const Task>& task, std::size_t budget, std::size_t batch) {
  MapElitesConfig config;
  config.budget = budget;
  config.batch = batch;
  return MapElites(config, task, Key(7));
}

}  // namespace aria::testing
