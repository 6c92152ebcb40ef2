// ARIA, the archive reproducibility improvement algorithm (Grillotti, Flageat, Lim & Cully, GECCO 2023). It takes any
// set of genotypes, makes each stay in its cell and perform well there, then grows solutions into the empty cells.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "aria/algorithm/any_algorithm.hpp"
#include "aria/algorithm/completion.hpp"
#include "aria/algorithm/es.hpp"
#include "aria/algorithm/evolution_search.hpp"
#include "aria/algorithm/map_elites.hpp"
#include "aria/algorithm/pga_map_elites.hpp"
#include "aria/algorithm/placement.hpp"
#include "aria/algorithm/status.hpp"
#include "aria/algorithm/symmetric_cells.hpp"
#include "aria/archive/archive_table.hpp"
#include "aria/core/settings.hpp"
#include "aria/task/task.hpp"

namespace aria {

struct AriaConfig {
  SearchConfig search;
  std::size_t steps = 100;              // search-gradient steps per cell
  std::size_t initial_steps = 100;      // of the ES initialisation: steps for fitness, then towards its first cell
  std::size_t mean_evaluations = 2048;  // evaluations of each initial genotype, to place it
  std::size_t parallel_cells = 16;      // cells that are optimised side by side; part of what the result depends on
  std::string use_symmetry = "no";      // "yes": only fundamental cells, whose results are mapped to the others

  void validate() const;
};

void bind_settings(SettingTable& table, AriaConfig& config);

class Aria {
 public:
  // Starts from the elites of a MAP-Elites run, made first.
  Aria(AriaConfig config, const MapElitesConfig& initial, const std::shared_ptr<const Task>& task, Key key);
  // Starts from those of a PGA-MAP-Elites run.
  Aria(AriaConfig config, const PgaConfig& initial, const std::shared_ptr<const Task>& task, Key key);
  // Starts from one random genotype, improved by an evolution strategy first.
  Aria(const AriaConfig& config, const std::shared_ptr<const Task>& task, Key key);
  // Starts from an archive from anywhere.
  Aria(AriaConfig config, ArchiveTable initial, std::shared_ptr<const Task> task, Key key);

  const SampleRequest& ask();
  void tell(const Evaluations& evaluations);
  // While cells are optimised, each one's evaluations can be told apart.
  bool takes_centres() const { return phase_ == Phase::kImprove || phase_ == Phase::kComplete; }
  void tell_centre(std::size_t i, const CentreEvaluations& evaluations) { search_.tell_centre(i, evaluations); }
  void told_all();
  bool done() const { return phase_ == Phase::kDone; }

  // The explored cells so far; before there are any, the archive it starts from.
  ArchiveTable archive() const;
  // What it starts from, once that is known.
  std::optional<ArchiveTable> initial_archive() const;
  AlgorithmStatus status() const;

  State save() const;
  void load(State state);

 private:
  enum class Phase : std::int64_t { kInitialise, kPlace, kImprove, kComplete, kDone };

  // Where the initial genotypes come from: the archive of another algorithm, one solution of an evolution strategy, or
  // an archive that is there already.
  using Source = std::variant<AnyAlgorithm, Es, ArchiveTable>;

  Aria(AriaConfig config, Source source, std::shared_ptr<const Task> task, Key key);

  // Which cells to take next, once it is known where to begin; cells that follow from others are left out.
  ExplorationFrontier new_frontier(std::optional<std::size_t> home) const;
  void begin_placing();
  void start_improvement();
  void start_completion();
  void end_step();
  void keep_results();
  void load_results(const State& state);
  void check_search() const;
  Key phase_key(Phase phase) const { return key_.child(static_cast<std::uint64_t>(phase)); }
  bool from_es() const { return std::holds_alternative<Es>(source_); }
  // Calls f on whichever algorithm makes the initial genotypes, if one does.
  template <class F>
  void with_initialiser(const F& f);

  AriaConfig config_;
  std::shared_ptr<const Task> task_;
  Grid grid_;
  SymmetricCells symmetry_;
  Key key_;
  Source source_;
  Phase phase_ = Phase::kInitialise;

  Placement placement_;  // of the initial genotypes

  // Improvement and completion
  EvolutionSearch search_;
  ExplorationFrontier frontier_;
  std::vector<std::optional<Search>> result_;  // (cells)
  std::size_t explored_ = 0;
};

}  // namespace aria
