// An archive that keeps a Pareto front in every cell of a grid: solutions of which none is at least as fit and at least
// as reproducible as another. Both objectives are to be made large; reproducibility is minus the descriptor's variance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "aria/archive/archive_table.hpp"
#include "aria/archive/grid.hpp"
#include "aria/core/matrix.hpp"
#include "aria/core/state.hpp"

namespace aria {

class ParetoArchive {
 public:
  struct Insertion {
    std::size_t added = 0;   // cells that were empty before
    std::size_t kept = 0;    // candidates that are in a front now
    std::size_t failed = 0;  // candidates with a number that is not finite, never kept
  };

  // A front holds at most `front_size` solutions.
  ParetoArchive(Grid grid, std::size_t parameters, std::size_t front_size);

  // Joins a batch to the fronts; what is in them then does not depend on the order within the batch. Of candidates with
  // the same objectives one stays: the one that was there, else the first in the order of genotypes. A front that has
  // become too long loses its most crowded member, again and again: the one whose neighbours on both sides are nearest,
  // relative to the width of the front (Deb's crowding distance; of equals the less fit). The fittest and the most
  // reproducible are never crowded out, but where a front may hold one solution only, it is the fittest.
  Insertion insert(MatrixView genotypes, std::span<const float> fitness, std::span<const float> reproducibility,
                   MatrixView descriptors);

  const Grid& grid() const { return grid_; }
  std::size_t parameters() const { return genotypes_.columns(); }
  std::size_t size() const { return cells_.size(); }  // occupied cells

  // Fronts by slot, 0 .. size() - 1, in the order in which their cells were first filled; members from the fittest to
  // the most reproducible.
  std::size_t cell(std::size_t slot) const { return static_cast<std::size_t>(cells_[slot]); }
  std::size_t members(std::size_t slot) const { return fronts_[slot].size(); }
  float fitness(std::size_t slot, std::size_t member) const { return fronts_[slot][member].fitness; }
  float reproducibility(std::size_t slot, std::size_t member) const { return fronts_[slot][member].reproducibility; }
  std::span<const float> genotype(std::size_t slot, std::size_t member) const {
    return genotypes_.row(static_cast<std::size_t>(fronts_[slot][member].row));
  }
  std::span<const float> descriptor(std::size_t slot, std::size_t member) const {
    return descriptors_.row(static_cast<std::size_t>(fronts_[slot][member].row));
  }

  double best_fitness() const;  // of a non-empty archive

  // One row per cell, in the order of the cells: the member of its front with the best score (of equals the fittest).
  ArchiveTable table(const std::function<double(float fitness, float reproducibility)>& score) const;

  State save() const;
  void load(const State& state);

 private:
  struct Member {
    float fitness;
    float reproducibility;
    std::int64_t row;  // of genotypes_ and descriptors_; of a candidate that is not stored yet: -1 - its number
  };
  using Front = std::vector<Member>;  // fitness falls, reproducibility rises, both strictly

  struct Batch {
    MatrixView genotypes;
    MatrixView descriptors;
  };
  bool offer(Front& front, const Member& candidate, const Batch& batch);
  void settle(Front& front, const Batch& batch, Insertion& report);
  void release(const Member& member);
  std::int64_t store(std::span<const float> genotype, std::span<const float> descriptor);

  Grid grid_;
  std::size_t front_size_;
  std::vector<Front> fronts_;            // (slots)
  std::vector<std::int64_t> cells_;      // (slots)
  std::vector<std::int64_t> slot_of_;    // (cells), -1 where empty
  Matrix genotypes_;                     // (rows x parameters); which row a solution has is nobody's business
  Matrix descriptors_;                   // (rows x dimensions)
  std::vector<std::int64_t> free_rows_;  // rows of solutions that are gone
};

}  // namespace aria
