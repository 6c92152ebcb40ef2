#include "aria/algorithm/symmetric_cells.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "aria/core/require.hpp"

namespace aria {

namespace {

// Where each cell's centre goes; nothing where the grid does not have the symmetry.
std::optional<std::vector<std::size_t>> images(const Grid& grid, const SignedMap& map) {
  constexpr float kTolerance = 1e-3f;  // of half a cell
  std::vector<std::size_t> result(grid.cells());
  std::vector<float> centre(grid.dimensions());
  for (std::size_t cell = 0; cell < grid.cells(); ++cell) {
    map.apply(grid.centroid(cell), centre);
    result[cell] = grid.cell_of(centre);
    const std::vector<float> expected = grid.centroid(result[cell]);
    for (std::size_t k = 0; k < centre.size(); ++k) {
      if (!(std::abs(centre[k] - expected[k]) <= kTolerance * grid.half_widths()[k])) return std::nullopt;
    }
  }
  return result;
}

}  // namespace

void bind_symmetry_setting(SettingTable& table, std::string& use_symmetry) {
  table.add("use_symmetry", use_symmetry, "solve only cells that no symmetry of the task maps to each other",
            {"no", "yes"});
}

SymmetricCells::SymmetricCells(const Task& task, const std::string& use_symmetry)
    : way_there_(Grid(task.info().grid).cells(), -1) {
  require(use_symmetry == "no" || use_symmetry == "yes", "use_symmetry", "no or yes", use_symmetry);
  const Grid grid(task.info().grid);
  representative_.resize(grid.cells());
  for (std::size_t cell = 0; cell < grid.cells(); ++cell) representative_[cell] = cell;
  if (use_symmetry == "yes") {
    for (TaskSymmetry& symmetry : task.symmetries()) {
      symmetry.genotype.check(task.info().parameters, fmt::format("the map of genotypes of '{}'", symmetry.name));
      symmetry.descriptor.check(grid.dimensions(), fmt::format("the map of descriptors of '{}'", symmetry.name));
      auto image = images(grid, symmetry.descriptor);
      if (!image) continue;
      image_.push_back(std::move(*image));
      symmetries_.push_back(std::move(symmetry));
    }
    require(in_use(), "use_symmetry",
            fmt::format("no on task '{}': it has no symmetry that its grid has too", task.info().name), "yes");
  }
  for (std::size_t s = 0; s < symmetries_.size(); ++s) {
    for (std::size_t cell = 0; cell < grid.cells(); ++cell) {
      if (image_[s][cell] >= representative_[cell]) continue;
      representative_[cell] = image_[s][cell];
      way_there_[cell] = static_cast<std::int64_t>(s);
    }
  }
  orbit_size_.assign(grid.cells(), 0);
  for (const std::size_t cell : representative_) {
    if (orbit_size_[cell]++ == 0) ++fundamental_cells_;
  }
}

void SymmetricCells::check_maps(std::span<const std::int64_t> symmetries) const {
  const auto count = static_cast<std::int64_t>(symmetries_.size());
  for (const std::int64_t symmetry : symmetries) {
    require(symmetry >= -1 && symmetry < count, "a symmetry of the saved state", fmt::format("-1 .. {}", count - 1),
            symmetry);
  }
}

std::vector<float> SymmetricCells::mapped(std::span<const float> genotype, std::int64_t symmetry) const {
  std::vector<float> result(genotype.begin(), genotype.end());
  if (symmetry >= 0) symmetries_[static_cast<std::size_t>(symmetry)].genotype.apply(genotype, result);
  return result;
}

std::vector<float> SymmetricCells::mapped_descriptor(std::span<const float> descriptor, std::int64_t symmetry) const {
  std::vector<float> moved(descriptor.begin(), descriptor.end());
  if (symmetry >= 0) symmetries_[static_cast<std::size_t>(symmetry)].descriptor.apply(descriptor, moved);
  return moved;
}

ArchiveTable SymmetricCells::spread(const ArchiveTable& table) const {
  if (!in_use()) return table;
  struct Source {
    std::size_t row;
    std::int64_t symmetry;
  };
  std::map<std::size_t, Source> sources;  // by cell
  for (std::size_t row = 0; row < table.size(); ++row) {
    const auto cell = static_cast<std::size_t>(table.index[row]);
    sources.try_emplace(cell, Source{row, -1});
    for (std::size_t s = 0; s < symmetries_.size(); ++s) {
      sources.try_emplace(image_[s][cell], Source{row, static_cast<std::int64_t>(s)});
    }
  }
  ArchiveTable all;
  all.grid = table.grid;
  for (const auto& [cell, source] : sources) {
    all.solution.append_row(mapped(table.solution.row(source.row), source.symmetry));
    all.objective.push_back(table.objective[source.row]);
    all.measures.append_row(mapped_descriptor(table.measures.row(source.row), source.symmetry));
    all.index.push_back(static_cast<std::int32_t>(cell));
  }
  all.target_index = all.index;
  return all;
}

}  // namespace aria
