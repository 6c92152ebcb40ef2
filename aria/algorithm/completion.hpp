// Which empty cell ARIA takes next, and from which explored cell it starts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "aria/archive/grid.hpp"
#include "aria/core/key.hpp"

namespace aria {

// Cells that are explored, and for every other cell the nearest explored one. Ties are broken at random, by draws that
// are named by the cells, so that the order of exploration does not matter.
class ExplorationFrontier {
 public:
  struct Step {
    std::size_t target;
    std::size_t source;
  };

  // With `home`, targets are taken by their distance to that cell instead of to the nearest explored one.
  ExplorationFrontier(Grid grid, Key key, std::optional<std::size_t> home);

  void explore(std::size_t cell);
  // It is no target, and nothing starts from it.
  void leave_out(std::size_t cell) { explored_[cell] = 1; }
  bool explored(std::size_t cell) const { return explored_[cell] != 0; }

  // Up to `count` unexplored cells, nearest first, each with its nearest explored cell. At least one cell is explored.
  std::vector<Step> next(std::size_t count) const;

 private:
  Grid grid_;
  Key key_;
  std::optional<std::size_t> home_;
  std::vector<std::uint8_t> explored_;    // (cells)
  std::vector<double> distance_;          // (cells) squared, to the nearest explored cell
  std::vector<std::uint32_t> tie_break_;  // (cells) draw of the present nearest
  std::vector<std::size_t> source_;       // (cells) that nearest explored cell
};

}  // namespace aria
