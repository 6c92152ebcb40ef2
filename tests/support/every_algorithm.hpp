// For tests that every algorithm of the registry must pass.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "aria/algorithm/registry.hpp"

namespace aria::testing {

inline std::vector<std::string> every_algorithm() {
  std::vector<std::string> names;
  for (const AlgorithmEntry& entry : algorithm_entries()) names.push_back(entry.name);
  return names;
}

// Those of `aria run`, which need no archive.
inline std::vector<std::string> every_algorithm_of_run() {
  std::vector<std::string> names;
  for (const AlgorithmEntry& entry : algorithm_entries()) {
    if (!entry.needs_archive) names.push_back(entry.name);
  }
  return names;
}

inline bool needs_policy(const std::string& algorithm) {
  return std::ranges::find(algorithm_entries(), algorithm, &AlgorithmEntry::name)->needs_policy;
}

// Names of tests may have no hyphen.
inline std::string algorithm_of_test(const ::testing::TestParamInfo<std::string>& test) {
  std::string name = test.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace aria::testing
