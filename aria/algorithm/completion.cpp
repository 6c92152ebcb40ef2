#include "aria/algorithm/completion.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <tuple>
#include <utility>

namespace aria {

ExplorationFrontier::ExplorationFrontier(Grid grid, Key key, std::optional<std::size_t> home)
    : grid_(std::move(grid)),
      key_(key),
      home_(home),
      explored_(grid_.cells(), 0),
      distance_(grid_.cells(), std::numeric_limits<double>::infinity()),
      tie_break_(grid_.cells(), 0),
      source_(grid_.cells(), 0) {}

void ExplorationFrontier::explore(std::size_t cell) {
  assert(!explored(cell));
  explored_[cell] = 1;
  for (std::size_t other = 0; other < grid_.cells(); ++other) {
    if (explored(other)) continue;
    const double distance = grid_.squared_distance(cell, other);
    if (distance > distance_[other]) continue;
    const std::uint32_t draw =
        key_.bits(Purpose::kSelection, static_cast<std::uint32_t>(other), static_cast<std::uint32_t>(cell), 0)[0];
    if (distance == distance_[other] && draw <= tie_break_[other]) continue;
    distance_[other] = distance;
    tie_break_[other] = draw;
    source_[other] = cell;
  }
}

std::vector<ExplorationFrontier::Step> ExplorationFrontier::next(std::size_t count) const {
  struct Candidate {
    double distance;
    std::uint32_t draw;
    std::size_t cell;
    auto operator<=>(const Candidate&) const = default;
  };
  std::vector<Candidate> candidates;
  for (std::size_t cell = 0; cell < grid_.cells(); ++cell) {
    if (explored(cell)) continue;
    const double distance = home_ ? grid_.squared_distance(cell, *home_) : distance_[cell];
    candidates.push_back({distance, key_.bits(Purpose::kSelection, static_cast<std::uint32_t>(cell), 0, 1)[0], cell});
  }
  const std::size_t taken = std::min(count, candidates.size());
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(taken), candidates.end());
  std::vector<Step> steps;
  for (std::size_t i = 0; i < taken; ++i) steps.push_back({candidates[i].cell, source_[candidates[i].cell]});
  return steps;
}

}  // namespace aria
