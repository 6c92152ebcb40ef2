// The cells of a grid under the symmetries of a task: only the fundamental ones need to be solved, the others follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "aria/archive/archive_table.hpp"
#include "aria/archive/grid.hpp"
#include "aria/core/settings.hpp"
#include "aria/task/symmetry.hpp"
#include "aria/task/task.hpp"

namespace aria {

// The setting of every algorithm that can make use of symmetries: "no" or "yes".
void bind_symmetry_setting(SettingTable& table, std::string& use_symmetry);

class SymmetricCells {
 public:
  // Where `use_symmetry` is "no", every cell is fundamental. An InputError where it is "yes" and the task declares no
  // symmetry that its grid has too.
  SymmetricCells(const Task& task, const std::string& use_symmetry);

  bool in_use() const { return !symmetries_.empty(); }
  std::size_t fundamental_cells() const { return fundamental_cells_; }
  bool fundamental(std::size_t cell) const { return representative_[cell] == cell; }

  // The fundamental cell that stands for this one, and the symmetry that leads there: its number, -1 for none.
  std::size_t representative(std::size_t cell) const { return representative_[cell]; }
  std::int64_t way_there(std::size_t cell) const { return way_there_[cell]; }
  // An InputError where one of these numbers of symmetries, which come from a file, is none.
  void check_maps(std::span<const std::int64_t> symmetries) const;
  // The genotype, or the descriptor, mapped by that symmetry.
  std::vector<float> mapped(std::span<const float> genotype, std::int64_t symmetry) const;
  std::vector<float> mapped_descriptor(std::span<const float> descriptor, std::int64_t symmetry) const;

  // How many cells a fundamental one stands for, itself included.
  std::size_t orbit_size(std::size_t cell) const { return orbit_size_[cell]; }
  // The rows of fundamental cells, mapped to all the cells they stand for, in the order of the cells. Rows have
  // solution, objective, measures and index.
  ArchiveTable spread(const ArchiveTable& table) const;

 private:
  std::vector<TaskSymmetry> symmetries_;
  std::vector<std::vector<std::size_t>> image_;  // (symmetries x cells)
  std::vector<std::size_t> representative_;      // (cells)
  std::vector<std::int64_t> way_there_;          // (cells)
  std::vector<std::size_t> orbit_size_;          // (cells)
  std::size_t fundamental_cells_ = 0;
};

}  // namespace aria
