#include "aria/archive/grid.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "aria/core/require.hpp"

namespace aria {

namespace {

constexpr double kLargestEnd = 1e30;

}  // namespace

Grid::Grid(GridShape shape) : shape_(std::move(shape)) {
  const std::size_t dimensions = shape_.cells.size();
  require(dimensions >= 1, "the grid", "of at least one dimension", dimensions);
  require(shape_.lower.size() == dimensions && shape_.upper.size() == dimensions, "the grid's ranges",
          fmt::format("given for each of {} dimensions", dimensions),
          fmt::format("{} lower and {} upper ends", shape_.lower.size(), shape_.upper.size()));
  cells_ = 1;
  for (std::size_t k = 0; k < dimensions; ++k) {
    const std::size_t count = shape_.cells[k];
    require(count >= 1 && count <= kMaxCells / cells_, "the grid's number of cells",
            fmt::format("between 1 and {} in all", kMaxCells), fmt::format("{}", fmt::join(shape_.cells, " x ")));
    cells_ *= count;
    const double lower = shape_.lower[k];
    const double upper = shape_.upper[k];
    require(std::isfinite(lower) && std::isfinite(upper) && lower < upper,
            fmt::format("the grid's range in dimension {}", k), "finite, the lower end below the upper",
            fmt::format("{} .. {}", lower, upper));
    const double width = (upper - lower) / static_cast<double>(count);
    // descriptors are floats: so must be the ends, and what a cell is wide
    require(std::abs(lower) <= kLargestEnd && std::abs(upper) <= kLargestEnd && width >= 1 / kLargestEnd,
            fmt::format("the grid's range in dimension {}", k), "within +-1e30, with cells at least 1e-30 wide",
            fmt::format("{} .. {} in {} cells", lower, upper, count));
    widths_.push_back(width);
    half_widths_.push_back(static_cast<float>(width / 2));
    lower_.push_back(static_cast<float>(lower));
    per_unit_.push_back(static_cast<float>(1 / width));
  }
  strides_.assign(dimensions, 1);
  for (std::size_t k = dimensions - 1; k > 0; --k) strides_[k - 1] = strides_[k] * shape_.cells[k];
}

void Grid::cells_of(MatrixView descriptors, std::span<std::uint32_t> cells) const {
  assert(descriptors.columns() == dimensions() && cells.size() == descriptors.rows());
  std::ranges::fill(cells, 0u);
  for (std::size_t k = 0; k < dimensions(); ++k) {
    // what the loop needs is held in registers, so that it can be vectorised
    const float lower = lower_[k];
    const float per_unit = per_unit_[k];
    const auto last = static_cast<std::int32_t>(shape_.cells[k] - 1);
    const auto stride = static_cast<std::int32_t>(strides_[k]);
    const float* value = descriptors.data() + k;
    const std::size_t step = dimensions();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      // in this order a NaN becomes 0
      const float position = std::min(std::max(0.0f, (value[i * step] - lower) * per_unit), kLargestPosition);
      cells[i] += static_cast<std::uint32_t>(std::min(static_cast<std::int32_t>(position), last) * stride);
    }
  }
}

bool Grid::strictly_inside(std::size_t cell, std::span<const float> descriptor) const {
  assert(descriptor.size() == dimensions());
  for (std::size_t k = 0; k < descriptor.size(); ++k) {
    const std::size_t coordinate = cell / strides_[k] % shape_.cells[k];
    const auto centre = static_cast<float>(shape_.lower[k] + (static_cast<double>(coordinate) + 0.5) * widths_[k]);
    // written so that a NaN is outside
    if (!(std::abs(descriptor[k] - centre) < half_widths_[k])) return false;
  }
  return true;
}

std::vector<std::size_t> Grid::coordinates(std::size_t cell) const {
  assert(cell < cells_);
  std::vector<std::size_t> result(dimensions());
  for (std::size_t k = 0; k < result.size(); ++k) result[k] = cell / strides_[k] % shape_.cells[k];
  return result;
}

std::size_t Grid::cell_at(std::span<const std::size_t> coordinates) const {
  assert(coordinates.size() == dimensions());
  std::size_t cell = 0;
  for (std::size_t k = 0; k < coordinates.size(); ++k) cell += coordinates[k] * strides_[k];
  return cell;
}

void Grid::centroid(std::size_t cell, std::span<float> out) const {
  assert(cell < cells_ && out.size() == dimensions());
  for (std::size_t k = 0; k < out.size(); ++k) {
    const std::size_t coordinate = cell / strides_[k] % shape_.cells[k];
    out[k] = static_cast<float>(shape_.lower[k] + (static_cast<double>(coordinate) + 0.5) * widths_[k]);
  }
}

std::vector<float> Grid::centroid(std::size_t cell) const {
  std::vector<float> result(dimensions());
  centroid(cell, result);
  return result;
}

std::vector<std::size_t> Grid::neighbours(std::size_t cell) const {
  // one axis after the other: what is there so far, and the same a cell before and behind
  std::vector<std::size_t> found = {cell};
  for (std::size_t k = 0; k < dimensions(); ++k) {
    const std::size_t coordinate = cell / strides_[k] % shape_.cells[k];
    const std::size_t so_far = found.size();
    for (std::size_t i = 0; i < so_far; ++i) {
      if (coordinate > 0) found.push_back(found[i] - strides_[k]);
      if (coordinate + 1 < shape_.cells[k]) found.push_back(found[i] + strides_[k]);
    }
  }
  found.erase(found.begin());
  return found;
}

double Grid::squared_distance(std::size_t a, std::size_t b) const {
  double sum = 0;
  for (std::size_t k = 0; k < dimensions(); ++k) {
    const auto from = static_cast<double>(a / strides_[k] % shape_.cells[k]);
    const auto to = static_cast<double>(b / strides_[k] % shape_.cells[k]);
    sum += (from - to) * widths_[k] * ((from - to) * widths_[k]);
  }
  return sum;
}

}  // namespace aria
