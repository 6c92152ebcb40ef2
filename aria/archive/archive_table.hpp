// An archive as a table, one row per solution: what files, metrics and front doors exchange.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "aria/archive/grid.hpp"
#include "aria/core/matrix.hpp"

namespace aria {

// Columns that are not known are empty; every other has one row per solution. m is the descriptor's size.
struct ArchiveTable {
  Matrix solution;                  // (n x D) genotypes
  std::vector<float> objective;     // (n) fitness as the maker of the archive believed it
  Matrix measures;                  // (n x m) descriptor as the maker of the archive believed it
  std::vector<std::int32_t> index;  // (n) cell, in C order of the grid

  // From repeated evaluations of each solution, where there were any.
  std::vector<float> objective_mean;          // (n)
  std::vector<float> objective_std;           // (n) unbiased
  Matrix measures_mean;                       // (n x m)
  Matrix measures_std;                        // (n x m) unbiased
  std::vector<float> cell_probability;        // (n) share of the evaluations in the cell of measures_mean
  std::vector<float> cell_probability_lower;  // (n) 95 % confidence interval of it
  std::vector<float> cell_probability_upper;  // (n)
  std::vector<std::int64_t> n_evals;          // (n) evaluations behind the means
  std::vector<std::int32_t> target_index;     // (n) cell that the solution was optimised for

  std::optional<Grid> grid;
  std::string task;                               // name of the task, empty where unknown
  std::map<std::string, std::string> provenance;  // how it was made: algorithm, seed, settings

  std::size_t size() const { return solution.rows(); }

  // Keeps the rows named, in that order, in every column that is known.
  ArchiveTable select(const std::vector<std::size_t>& rows) const;

  friend bool operator==(const ArchiveTable&, const ArchiveTable&) = default;
};

}  // namespace aria
