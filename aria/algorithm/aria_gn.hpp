// ARIA-GN, ARIA with fewer evaluations, for any task. ARIA ranks its samples, which mixes distance and fitness into one
// number; this learns how the fitness and each coordinate of the descriptor change along the parameters, apart, from
// the same mirrored samples. It then steps by Gauss-Newton to a cell's centre, and up the fitness where that leaves the
// descriptor as it is. Cells are filled from their neighbours as in ARIA, and what is left of the budget goes to cells
// that a neighbour could improve.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aria/algorithm/map_elites.hpp"
#include "aria/algorithm/newton_climb.hpp"
#include "aria/algorithm/placement.hpp"
#include "aria/algorithm/status.hpp"
#include "aria/algorithm/symmetric_cells.hpp"
#include "aria/archive/archive_table.hpp"
#include "aria/core/settings.hpp"
#include "aria/task/task.hpp"

namespace aria {

struct AriaGnConfig {
  std::size_t budget = 3'200'000;     // evaluations in all, at most
  double initial_share = 0.05;        // of it, for MAP-Elites, which makes the first archive
  std::size_t batch = 256;            // offspring per generation of that
  std::size_t mean_evaluations = 32;  // evaluations of each initial genotype, to place it
  ClimbConfig climb;
  std::size_t steps = 20;           // of a climb by mirrored samples, at most; fewer where the budget is small
  std::size_t settle_steps = 6;     // of a climb by samples of the genotype itself, after that
  std::size_t parallel_cells = 16;  // climbs side by side; part of what the result depends on
  std::string use_symmetry = "no";  // "yes": climbs to fundamental cells only, whose results are mapped to the others

  void validate() const;
};

void bind_settings(SettingTable& table, AriaGnConfig& config);

class AriaGn {
 public:
  AriaGn(const AriaGnConfig& config, std::shared_ptr<const Task> task, Key key);

  const SampleRequest& ask();
  void tell(const Evaluations& evaluations);
  bool done() const { return phase_ == Phase::kDone; }

  // The cells that were climbed to so far; before there are any, the archive it starts from.
  ArchiveTable archive() const;
  std::optional<ArchiveTable> initial_archive() const { return source_.archive(); }
  AlgorithmStatus status() const;

  State save() const;
  void load(const State& state);

 private:
  enum class Phase : std::int64_t { kInitialise, kPlace, kImprove, kComplete, kRefine, kDone };

  // A climb to begin: from the initial genotype of the cell, or from the result of another cell. Those with the lower
  // phase, then the lower rank, then the lower draw come first.
  struct Start {
    Phase phase;
    double rank;
    std::uint32_t draw;
    std::size_t target;
    std::optional<std::size_t> source;
    auto operator<=>(const Start&) const = default;
  };

  void begin_placing();
  void ask_climbing();
  void climb(const Evaluations& evaluations);
  void start_wave();
  void keep(Climb climb);
  bool exploring() const { return wave_step_ < wave_steps_; }
  bool known(std::size_t cell) const { return result_[cell] && result_[cell]->known(); }
  bool reached(std::size_t cell) const;
  bool has_results() const;
  std::optional<Start> next_start(std::size_t cell) const;
  std::optional<Start> completing_start(std::size_t cell) const;
  std::optional<Start> refining_start(std::size_t cell) const;
  bool tried(std::size_t cell, std::size_t source) const;
  Key phase_key(Phase phase) const { return key_.child(static_cast<std::uint64_t>(phase)); }
  void load_results(const State& state);

  AriaGnConfig config_;
  std::shared_ptr<const Task> task_;
  Grid grid_;
  SymmetricCells symmetry_;
  Key key_;
  MapElites source_;  // makes the initial genotypes
  Phase phase_ = Phase::kInitialise;
  std::size_t evaluations_ = 0;  // spent

  Placement placement_;  // of the initial genotypes

  // Climbing, in waves: climbs that begin together end together
  std::vector<Climb> climbs_;
  std::size_t step_ = 0;                         // of all waves, names the draws
  std::size_t wave_step_ = 0;                    // of this wave
  std::size_t wave_steps_ = 0;                   // of this wave, by mirrored samples
  std::size_t wave_settle_steps_ = 0;            // of this wave, after those
  std::vector<std::optional<Climb>> result_;     // (cells)
  std::vector<std::vector<std::size_t>> tried_;  // (cells) cells from whose results it was climbed to
  std::vector<std::size_t> asked_;               // climbs that the request is about
  SampleRequest request_;
};

}  // namespace aria
