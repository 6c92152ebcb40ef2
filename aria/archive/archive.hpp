// The archive of a quality-diversity algorithm: at most one solution, the elite, per cell of a grid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "aria/archive/archive_table.hpp"
#include "aria/archive/grid.hpp"
#include "aria/core/matrix.hpp"
#include "aria/core/state.hpp"

namespace aria {

class Archive {
 public:
  struct Insertion {
    std::size_t added = 0;          // cells that were empty before
    std::size_t improved = 0;       // cells whose elite was replaced
    std::size_t failed = 0;         // candidates with a non-finite fitness or descriptor, never kept
    std::vector<std::size_t> kept;  // rows of the candidates that are elites now
  };

  // What solutions compete by: their fitness, or a score that comes with them and is kept beside it.
  enum class Rivalry { kFitness, kScore };

  Archive(Grid grid, std::size_t parameters, Rivalry rivalry = Rivalry::kFitness);

  // Keeps, per cell, the best of the batch (the first of equals) where the cell is empty or its elite strictly worse.
  // `scores` has one number per row where solutions compete by it, else none.
  Insertion insert(MatrixView genotypes, std::span<const float> fitness, MatrixView descriptors,
                   std::span<const float> scores = {});

  const Grid& grid() const { return grid_; }
  std::size_t parameters() const { return genotypes_.columns(); }
  std::size_t size() const { return cells_.size(); }
  bool occupied(std::size_t cell) const { return slot_of_[cell] >= 0; }

  // Elites by slot, 0 .. size() - 1, in the order in which their cells were first filled.
  std::size_t cell(std::size_t slot) const { return static_cast<std::size_t>(cells_[slot]); }
  std::span<const float> genotype(std::size_t slot) const { return genotypes_.row(slot); }
  float fitness(std::size_t slot) const { return fitness_[slot]; }
  std::span<const float> descriptor(std::size_t slot) const { return descriptors_.row(slot); }
  MatrixView genotypes() const { return genotypes_; }

  double best_fitness() const;  // of a non-empty archive

  // One row per elite, in the order of the cells.
  ArchiveTable table() const;

  State save() const;
  void load(const State& state);

  friend bool operator==(const Archive&, const Archive&) = default;

 private:
  Grid grid_;
  Rivalry rivalry_;
  Matrix genotypes_;                   // (slots x parameters)
  std::vector<float> fitness_;         // (slots)
  std::vector<float> scores_;          // (slots) where solutions compete by it, else empty
  Matrix descriptors_;                 // (slots x dimensions)
  std::vector<std::int64_t> cells_;    // (slots)
  std::vector<std::int64_t> slot_of_;  // (cells), -1 where empty
};

}  // namespace aria
