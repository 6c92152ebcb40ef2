#include "aria/algorithm/newton_climb.hpp"

#include <algorithm>
#include <cmath>

#include "aria/core/finite.hpp"
#include "aria/core/require.hpp"
#include "aria/evaluation/cloud_mean.hpp"
#include "aria/optim/gauss_newton.hpp"
#include "aria/optim/slopes.hpp"

namespace aria {

namespace {

constexpr double kKeptSteps = 8;      // what is known counts for this many steps' evaluations at most
constexpr double kLongestMove = 2;    // of a Gauss-Newton step, in lengths of a perturbation
constexpr double kTellingMove = 0.5;  // half cells from which on a step tells whether slopes can be trusted
constexpr double kMostCaution = 1e4;
constexpr double kRestingGain = 2;  // standard errors of a step's mean fitness: what is less is not worth more steps

// Half the difference of each pair's values, fitness first; a pair with a failed evaluation is not usable.
struct PairDifferences {
  PairDifferences(const ClimbSamples& samples, std::size_t dimensions)
      : values(samples.fitness.size() / 2, 1 + dimensions), usable(samples.fitness.size() / 2) {
    for (std::size_t p = 0; p < usable.size(); ++p) {
      const float plus = samples.fitness[2 * p];
      const float minus = samples.fitness[2 * p + 1];
      usable[p] = is_finite(plus) && is_finite(minus);
      if (usable[p] == 0) continue;
      values(p, 0) = 0.5f * (plus - minus);
      for (std::size_t k = 0; k < dimensions; ++k) {
        values(p, 1 + k) = 0.5f * (samples.descriptors(2 * p, k) - samples.descriptors(2 * p + 1, k));
      }
    }
  }

  Matrix values;
  std::vector<std::uint8_t> usable;
};

// Whether the last step did what the slopes said (Levenberg and Marquardt): where it did not, steps get shorter.
void judge_last_step(Climb& climb, const CloudMean& mean, const Grid& grid) {
  if (climb.expected_move == 0) return;
  double squared = 0;
  for (std::size_t k = 0; k < climb.descriptor.size(); ++k) {
    const double off = (double{mean.descriptor[k]} - climb.descriptor[k]) / double{grid.half_widths()[k]};
    squared += off * off;
  }
  const bool astray = std::sqrt(squared) > 0.5 * climb.expected_move;
  climb.caution = astray ? std::min(4 * climb.caution, kMostCaution) : std::max(0.5 * climb.caution, 1.0);
  climb.expected_move = 0;
}

// What the new evaluations say, averaged with what was known.
void learn_means(Climb& climb, const ClimbSamples& samples, const Grid& grid) {
  const CloudMean mean = cloud_mean(samples.fitness, samples.descriptors);
  if (mean.finite == 0) return;
  judge_last_step(climb, mean, grid);
  const auto fresh = static_cast<double>(mean.finite);
  const double share = fresh / (climb.evaluations + fresh);
  climb.fitness += share * (double{mean.fitness} - climb.fitness);
  for (std::size_t k = 0; k < climb.descriptor.size(); ++k) {
    climb.descriptor[k] += share * (double{mean.descriptor[k]} - climb.descriptor[k]);
  }
  climb.evaluations += fresh;
}

// Expects what the slopes say of a step; what was known counts for less the farther it goes.
void foresee(Climb& climb, std::span<const float> step, const ClimbConfig& config, const Grid& grid) {
  const std::size_t parameters = step.size();
  double squared = 0;
  for (const float s : step) squared += double{s} * double{s};
  const auto change = [&](std::size_t output) {
    double sum = 0;
    for (std::size_t j = 0; j < parameters; ++j) sum += double{climb.slopes(output, j)} * double{step[j]};
    return sum;
  };
  climb.fitness += change(0);
  double move = 0;
  for (std::size_t k = 0; k < climb.descriptor.size(); ++k) {
    const double by = change(1 + k);
    climb.descriptor[k] += by;
    move += by * by / (double{grid.half_widths()[k]} * double{grid.half_widths()[k]});
  }
  move = std::sqrt(move);
  climb.expected_move = move > kTellingMove ? move : 0;
  const double nearness = 1 / (1 + squared / (config.sigma * config.sigma * static_cast<double>(parameters)));
  const double most = kKeptSteps * static_cast<double>(2 * config.pairs);
  climb.evaluations = std::min(climb.evaluations, most) * nearness;
  climb.slope_pairs = std::min(climb.slope_pairs, config.memory * static_cast<double>(parameters)) * nearness;
}

// Steps are this much longer than along one parameter: with many parameters for few pairs, most of a slope is noise,
// and no more directions are known than there were pairs.
double known_root(const Climb& climb) {
  return std::sqrt(std::min(static_cast<double>(climb.genotype.size()), climb.slope_pairs));
}

// Steps towards the centre, and `length` up the fitness per parameter; gives the slope along which that went.
double take_step(Climb& climb, double length, const ClimbConfig& config, const Grid& grid) {
  const std::vector<float> centre = grid.centroid(climb.target);
  const std::vector<double> scale(grid.half_widths().begin(), grid.half_widths().end());
  std::vector<double> missing(scale.size());
  for (std::size_t k = 0; k < scale.size(); ++k) missing[k] = double{centre[k]} - climb.descriptor[k];
  const double root = known_root(climb);
  std::vector<float> step(climb.genotype.size());
  const double slope = gauss_newton_step(
      climb.slopes, missing, scale,
      {.damping = config.damping * climb.caution, .radius = kLongestMove * config.sigma * root, .climb = length * root},
      step);
  if (!all_finite(step)) return 0;
  for (std::size_t j = 0; j < step.size(); ++j) climb.genotype[j] += step[j];
  foresee(climb, step, config, grid);
  return slope;
}

}  // namespace

void ClimbConfig::validate() const {
  require(pairs >= 1 && pairs <= (std::size_t{1} << 24), "pairs", "from 1 to 2^24", pairs);
  require(sigma > 0 && sigma <= 1e6, "sigma", "above 0, at most 1e6", sigma);
  require(learning_rate >= 0 && learning_rate <= 1e6, "learning_rate", "from 0 to 1e6", learning_rate);
  require(damping >= 0 && damping <= 1e6, "damping", "from 0 to 1e6", damping);
  require(memory > 0 && memory <= 1e6, "memory", "above 0, at most 1e6", memory);
}

void bind_settings(SettingTable& table, ClimbConfig& config) {
  table.add("pairs", config.pairs, "mirrored noise vectors per step; a step takes twice as many evaluations");
  table.add("sigma", config.sigma, "standard deviation of a perturbation");
  table.add("learning_rate", config.learning_rate, "length of the first step up the fitness, per parameter");
  table.add("damping", config.damping, "of the Gauss-Newton step, relative to the squared slopes");
  table.add("memory", config.memory, "pairs per parameter that the slopes learnt before count for, at most");
}

void Climb::turn_to(std::size_t cell) {
  target = cell;
  caution = 1;
  expected_move = 0;
  resting = false;
}

Climb new_climb(std::span<const float> genotype, std::size_t dimensions, std::size_t target) {
  Climb climb;
  climb.target = target;
  climb.genotype.assign(genotype.begin(), genotype.end());
  climb.slopes = Matrix(1 + dimensions, genotype.size());
  climb.descriptor.resize(dimensions);
  return climb;
}

double miss(const Climb& climb, const Grid& grid) {
  const std::vector<float> centre = grid.centroid(climb.target);
  double most = 0;
  for (std::size_t k = 0; k < centre.size(); ++k) {
    most = std::max(most, std::abs(double{centre[k]} - climb.descriptor[k]) / double{grid.half_widths()[k]});
  }
  return most;
}

void explore(Climb& climb, const ClimbSamples& samples, std::size_t step, std::size_t steps, const ClimbConfig& config,
             const Grid& grid) {
  const PairDifferences differences(samples, grid.dimensions());
  // one pair more, for slopes of which nothing is known
  update_slopes({.key = samples.key,
                 .id = samples.id,
                 .sigma = config.sigma,
                 .differences = differences.values,
                 .usable = differences.usable},
                climb.slope_pairs + 1, climb.slopes.view());
  climb.slope_pairs += static_cast<double>(std::ranges::count(differences.usable, 1));
  learn_means(climb, samples, grid);
  if (!climb.known()) return;

  // The centre comes first: the fitness counts from half way to the border on, fully from a quarter
  const double left = 1 - static_cast<double>(step) / static_cast<double>(steps);
  const double wanted = std::clamp(2 - miss(climb, grid) / (0.5 * kNearMiss), 0.0, 1.0);
  const double slope = take_step(climb, config.learning_rate * left * left * wanted, config, grid);

  // What all further steps together could gain, if the slope stays as it is
  if (miss(climb, grid) >= kNearMiss) return;
  const double gain =
      slope * config.learning_rate * known_root(climb) * static_cast<double>(steps) * left * left * left / 3;
  const double error = double{cloud_spread(samples.fitness, samples.descriptors).fitness} /
                       std::sqrt(static_cast<double>(samples.fitness.size()));
  climb.resting = gain < kRestingGain * error;
}

void settle(Climb& climb, const ClimbSamples& samples, const ClimbConfig& config, const Grid& grid) {
  learn_means(climb, samples, grid);
  // what all that exploring did not bring near its target is as near as it gets
  if (!climb.known() || miss(climb, grid) > kNearMiss) return;
  climb.caution = 1;
  take_step(climb, 0, config, grid);
}

State save_climbs(std::span<const Climb> climbs) {
  State state;
  std::vector<std::int64_t> counts;
  std::vector<float> genotypes;
  std::vector<float> slopes;
  std::vector<double> knowledge;
  for (const Climb& climb : climbs) {
    counts.push_back(static_cast<std::int64_t>(climb.target));
    counts.push_back(climb.resting ? 1 : 0);
    genotypes.insert(genotypes.end(), climb.genotype.begin(), climb.genotype.end());
    slopes.insert(slopes.end(), climb.slopes.values().begin(), climb.slopes.values().end());
    for (const double known :
         {climb.slope_pairs, climb.fitness, climb.evaluations, climb.caution, climb.expected_move}) {
      knowledge.push_back(known);
    }
    knowledge.insert(knowledge.end(), climb.descriptor.begin(), climb.descriptor.end());
  }
  state.put("counts", counts);
  state.put("genotypes", genotypes);
  state.put("slopes", slopes);
  state.put("knowledge", knowledge);
  return state;
}

std::vector<Climb> load_climbs(const State& state, const Grid& grid, std::size_t parameters) {
  const std::size_t n = state.get<std::int64_t>("counts").size() / 2;
  const std::size_t m = grid.dimensions();
  const std::size_t known_numbers = 5 + m;
  const auto& counts = state.get<std::int64_t>("counts", 2 * n);
  const auto& genotypes = state.get<float>("genotypes", n * parameters);
  const auto& slopes = state.get<float>("slopes", n * (1 + m) * parameters);
  const auto& knowledge = state.get<double>("knowledge", n * known_numbers);
  std::vector<Climb> climbs;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t target = counts[2 * i];
    require(target >= 0 && target < static_cast<std::int64_t>(grid.cells()), "a target of the saved state",
            "a cell of the grid", target);
    Climb climb =
        new_climb(std::span(genotypes).subspan(i * parameters, parameters), m, static_cast<std::size_t>(target));
    climb.resting = counts[2 * i + 1] != 0;
    std::copy_n(&slopes[i * (1 + m) * parameters], (1 + m) * parameters, climb.slopes.data());
    const double* known = &knowledge[i * known_numbers];
    climb.slope_pairs = known[0];
    climb.fitness = known[1];
    climb.evaluations = known[2];
    climb.caution = known[3];
    climb.expected_move = known[4];
    std::copy_n(known + 5, m, climb.descriptor.begin());
    climbs.push_back(std::move(climb));
  }
  return climbs;
}

}  // namespace aria
