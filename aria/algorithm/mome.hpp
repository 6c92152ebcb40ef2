// MOME-R: MAP-Elites with a Pareto front of mean fitness and reproducibility in every cell (after multi-objective
// MAP-Elites, Pierrot et al. 2022), each offspring evaluated several times.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "aria/algorithm/generations.hpp"
#include "aria/algorithm/robust_fitness.hpp"
#include "aria/algorithm/status.hpp"
#include "aria/archive/pareto_archive.hpp"
#include "aria/evaluation/cloud_batch.hpp"

namespace aria {

struct MomeConfig : GenerationsConfig {
  std::size_t front_size = 50;  // solutions per cell at most
  double fitness_weight = 0.5;  // by which a front is reduced to one solution in the end, as in ME-Sa-R

  MomeConfig() {
    batch = 128;
    samples = 32;
  }
  void validate() const;
};

void bind_settings(SettingTable& table, MomeConfig& config);

class Mome {
 public:
  Mome(const MomeConfig& config, const std::shared_ptr<const Task>& task, Key key);

  const SampleRequest& ask() { return generations_.ask(archive_); }
  void tell(const Evaluations& evaluations);
  bool done() const { return generations_.done(); }

  const ParetoArchive& fronts() const { return archive_; }
  // Each front reduced to the member with the best fitness in the sense of ME-Sa-R.
  ArchiveTable archive() const;
  std::optional<ArchiveTable> initial_archive() const { return std::nullopt; }
  AlgorithmStatus status() const;

  State save() const;
  void load(const State& state);

 private:
  Generations generations_;
  ParetoArchive archive_;
  RobustFitness robust_fitness_;
  CloudBatch clouds_;                   // memory of `tell`, as the next
  std::vector<float> reproducibility_;  // (offspring) minus the variance
};

}  // namespace aria
