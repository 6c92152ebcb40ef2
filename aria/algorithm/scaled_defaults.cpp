#include "aria/algorithm/scaled_defaults.hpp"

#include <algorithm>
#include <cstddef>

namespace aria {

TaskDefaults scaled_defaults(TaskDefaults defaults, double share) {
  const auto part = [share](std::size_t& value) {
    if (value == 0) return;
    value = std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(value) * share));
  };
  part(defaults.pairs);
  part(defaults.mean_evaluations);
  part(defaults.baseline_budget);
  part(defaults.initial_budget);
  part(defaults.gradient_budget);
  return defaults;
}

}  // namespace aria
