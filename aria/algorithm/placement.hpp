// Genotypes from anywhere are put into cells: each is evaluated many times and goes where its mean descriptor lies; the
// fittest of each cell stays. Under a task's symmetries it goes to the fundamental cell that stands for that one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "aria/algorithm/symmetric_cells.hpp"
#include "aria/archive/grid.hpp"
#include "aria/core/key.hpp"
#include "aria/core/matrix.hpp"
#include "aria/core/state.hpp"
#include "aria/task/sample_request.hpp"

namespace aria {

class Placement {
 public:
  // `samples` evaluations of each genotype, whose draws the key names.
  Placement(Grid grid, SymmetricCells symmetry, std::size_t samples, Key key);

  // Begins anew with these.
  void start(Matrix genotypes);
  const SampleRequest& ask();
  void tell(const Evaluations& evaluations);
  bool done() const { return placed_ == genotypes_.rows(); }

  std::size_t size() const { return genotypes_.rows(); }  // genotypes to place
  bool has(std::size_t cell) const { return best_row_[cell] >= 0; }
  // The genotype that stays in a cell that has one, mapped where a symmetry brought it there.
  std::vector<float> genotype(std::size_t cell) const;
  bool is_mapped(std::size_t cell) const { return best_map_[cell] >= 0; }
  // Its mean fitness and descriptor.
  float fitness(std::size_t cell) const { return best_fitness_[cell]; }
  std::vector<float> descriptor(std::size_t cell) const;

  // Without the genotypes, which must be started with again before loading.
  State save() const;
  void load(const State& state);

 private:
  Grid grid_;
  SymmetricCells symmetry_;
  std::size_t samples_;
  Key key_;
  Matrix genotypes_;                    // (n x parameters)
  std::size_t placed_ = 0;              // rows of genotypes_ that are done
  std::vector<std::int64_t> best_row_;  // (cells) row of genotypes_, -1 where none
  std::vector<std::int64_t> best_map_;  // (cells) symmetry that brings it here, -1 where none
  std::vector<float> best_fitness_;     // (cells) its mean fitness
  Matrix best_descriptor_;              // (cells x coordinates) its mean descriptor, before it is mapped
  SampleRequest request_;
};

}  // namespace aria
