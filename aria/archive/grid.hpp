// The grid of cells that a descriptor space is cut into: any number of dimensions, each with its own range and
// number of cells. Cells are numbered in C order (the last dimension is the fastest).
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "aria/core/grid_shape.hpp"
#include "aria/core/matrix.hpp"

namespace aria {

class Grid {
 public:
  // Memory of an archive grows with its cells; above this a shape is taken for a mistake.
  static constexpr std::size_t kMaxCells = std::size_t{1} << 26;

  explicit Grid(GridShape shape);

  const GridShape& shape() const { return shape_; }
  std::size_t dimensions() const { return shape_.cells.size(); }
  std::size_t cells() const { return cells_; }

  // The cell of a finite descriptor; what falls outside the ranges counts for the nearest cell.
  std::size_t cell_of(std::span<const float> descriptor) const;

  // The same for many at once, quicker. A descriptor that is not finite gets some cell or other.
  void cells_of(MatrixView descriptors, std::span<std::uint32_t> cells) const;

  // The test of the reproducibility improvement mechanism: closer to the centroid than half the cell's width in
  // every dimension, strictly. Unlike `cell_of`, nothing outside the ranges is in any cell, nor is a border.
  bool strictly_inside(std::size_t cell, std::span<const float> descriptor) const;

  std::vector<std::size_t> coordinates(std::size_t cell) const;
  std::size_t cell_at(std::span<const std::size_t> coordinates) const;

  void centroid(std::size_t cell, std::span<float> out) const;
  std::vector<float> centroid(std::size_t cell) const;
  std::span<const float> half_widths() const { return half_widths_; }

  // The cells that touch this one, also at a corner.
  std::vector<std::size_t> neighbours(std::size_t cell) const;

  // Euclidean distance between two centroids, squared, in descriptor units.
  double squared_distance(std::size_t a, std::size_t b) const;

  friend bool operator==(const Grid& a, const Grid& b) { return a.shape_ == b.shape_; }

 private:
  static constexpr float kLargestPosition = 2.0f * kMaxCells;

  GridShape shape_;
  std::size_t cells_ = 0;
  std::vector<double> widths_;        // (dimensions)
  std::vector<float> half_widths_;    // (dimensions)
  std::vector<float> lower_;          // (dimensions)
  std::vector<float> per_unit_;       // (dimensions) cells per unit of the descriptor
  std::vector<std::size_t> strides_;  // (dimensions)
};

// Inline: it runs for every evaluation.
inline std::size_t Grid::cell_of(std::span<const float> descriptor) const {
  assert(descriptor.size() == dimensions());
  std::size_t cell = 0;
  for (std::size_t k = 0; k < descriptor.size(); ++k) {
    assert(std::isfinite(descriptor[k]));
    // clamped as a float, because the conversion of a number out of range is undefined, and then as a number, because
    // a float does not tell the last of very many cells from the next
    const float position = std::clamp((descriptor[k] - lower_[k]) * per_unit_[k], 0.0f, kLargestPosition);
    cell += std::min(static_cast<std::size_t>(position), shape_.cells[k] - 1) * strides_[k];
  }
  return cell;
}

}  // namespace aria
