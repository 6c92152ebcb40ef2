// A solution on its way to a cell's centre and up its fitness: the search of ARIA-GN. It carries a linear model of what
// evaluations do around it, which it hands on to the cells that start from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "aria/archive/grid.hpp"
#include "aria/core/key.hpp"
#include "aria/core/matrix.hpp"
#include "aria/core/settings.hpp"
#include "aria/core/state.hpp"

namespace aria {

struct ClimbConfig {
  std::size_t pairs = 32;       // mirrored noise vectors per step
  double sigma = 0.01;          // standard deviation of a perturbation
  double learning_rate = 0.01;  // first step up the fitness: root of the mean square over the parameters
  double damping = 0.01;        // of the Gauss-Newton step, relative to the mean squared length of the slopes
  double memory = 8;            // pairs per parameter that the slopes learnt before count for, at most

  void validate() const;
};

void bind_settings(SettingTable& table, ClimbConfig& config);

struct Climb {
  std::size_t target = 0;          // cell
  std::vector<float> genotype;     // (parameters)
  Matrix slopes;                   // (1 + dimensions x parameters) of the fitness and of each coordinate
  double slope_pairs = 0;          // mirrored pairs that the slopes are worth here
  double fitness = 0;              // mean at the genotype, as far as is known
  std::vector<double> descriptor;  // (dimensions) likewise
  double evaluations = 0;          // that this knowledge is worth here; 0: nothing is known
  double caution = 1;              // what the damping is multiplied by: more where steps did not do what was expected
  double expected_move = 0;        // of the descriptor by the last step, in half cells; 0: too short to tell
  bool resting = false;            // has nothing more to gain by exploring

  // Sets out for another cell, with what is known here.
  void turn_to(std::size_t cell);
  bool known() const { return evaluations > 0; }

  friend bool operator==(const Climb&, const Climb&) = default;
};

// A solution of which nothing is known yet.
Climb new_climb(std::span<const float> genotype, std::size_t dimensions, std::size_t target);

// Largest distance of the mean descriptor from the target's centre along an axis, in half cells: below 1 it is inside.
double miss(const Climb& climb, const Grid& grid);

// Misses below this count as reached: the rest is for fitness.
inline constexpr double kNearMiss = 0.5;

// The evaluations around one climb's genotype, and what their noise was named by.
struct ClimbSamples {
  Key key;
  std::uint32_t id = 0;
  std::span<const float> fitness;
  MatrixView descriptors;
};

// A step by mirrored samples: learns the slopes, then steps to the centre and up the fitness. `step` of `steps`, from
// 1; steps up the fitness get shorter. A climb with nothing more to gain rests.
void explore(Climb& climb, const ClimbSamples& samples, std::size_t step, std::size_t steps, const ClimbConfig& config,
             const Grid& grid);

// A step by samples of the genotype itself, which tell where it really is: to the centre, if it is near it.
void settle(Climb& climb, const ClimbSamples& samples, const ClimbConfig& config, const Grid& grid);

State save_climbs(std::span<const Climb> climbs);
std::vector<Climb> load_climbs(const State& state, const Grid& grid, std::size_t parameters);

}  // namespace aria
