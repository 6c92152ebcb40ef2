// MAP-Elites (Mouret & Clune 2015), and the two that fight luck by evaluating every offspring several times: ME-Sa,
// which keeps means, and ME-Sa-R, whose solutions also compete by how little their descriptor varies. With one
// evaluation per solution it keeps the lucky ones.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aria/algorithm/generations.hpp"
#include "aria/algorithm/robust_fitness.hpp"
#include "aria/algorithm/status.hpp"
#include "aria/archive/archive.hpp"
#include "aria/evaluation/cloud_batch.hpp"

namespace aria {

struct MapElitesConfig : GenerationsConfig {
  // What the mean fitness counts for against the variance of the descriptor, from 0 to 1 (ME-Sa-R); none: solutions
  // compete by fitness alone.
  std::optional<double> fitness_weight;

  void validate() const;
};

// ME-Sa as published; with a fitness weight, ME-Sa-R.
MapElitesConfig sampled_map_elites();

class MapElites {
 public:
  MapElites(const MapElitesConfig& config, const std::shared_ptr<const Task>& task, Key key);

  const SampleRequest& ask() { return generations_.ask(archive_); }
  void tell(const Evaluations& evaluations);
  bool done() const { return generations_.done(); }

  const Archive& elites() const { return archive_; }
  // The objective is the mean fitness, also where solutions competed by another score.
  ArchiveTable archive() const { return archive_.table(); }
  std::optional<ArchiveTable> initial_archive() const { return std::nullopt; }
  AlgorithmStatus status() const;

  State save() const;
  void load(const State& state);

 private:
  std::string name_;
  Generations generations_;
  Archive archive_;
  std::optional<RobustFitness> robust_fitness_;  // of ME-Sa-R
  CloudBatch clouds_;                            // memory of `tell`, as the next
  std::vector<float> scores_;                    // (offspring)
};

}  // namespace aria
