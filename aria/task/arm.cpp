#include "aria/task/arm.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "aria/core/draws.hpp"
#include "aria/core/require.hpp"
#include "aria/task/samples.hpp"
#include "aria/task/symmetry.hpp"

namespace aria {

void ArmConfig::validate() const {
  require(joints >= 1 && joints <= kMaxArmJoints, "joints", fmt::format("from 1 to {}", kMaxArmJoints), joints);
  require(fitness_noise >= 0 && fitness_noise <= 1e6, "fitness_noise", "from 0 to 1e6", fitness_noise);
  require(descriptor_noise >= 0 && descriptor_noise <= 1e6, "descriptor_noise", "from 0 to 1e6", descriptor_noise);
  require(spread == "deviation" || spread == "variance", "spread", "deviation or variance", spread);
  require(grid.size() == 2, "grid", "two numbers of cells (x and y)", grid);
}

void bind_settings(SettingTable& table, ArmConfig& config) {
  table.add("joints", config.joints, "joints of the arm, the length of a genotype");
  table.add("fitness_noise", config.fitness_noise, "standard deviation of the noise on the fitness");
  table.add("descriptor_noise", config.descriptor_noise, "standard deviation of the noise on each coordinate");
  table.add("spread", config.spread, "fitness is minus this spread of the joints", {"deviation", "variance"});
  table.add("grid", config.grid, "cells along x and y");
}

Arm::Arm(ArmConfig config) : config_(std::move(config)) {
  config_.validate();
  info_.name = "arm";
  info_.parameters = config_.joints;
  info_.grid = {config_.grid, {0, 0}, {1, 1}};
  info_.fitness_range = {-1, 0};
  info_.defaults.sigma = 0.005;
  info_.defaults.initial_steps = 1000;
  info_.defaults.newton_share = 0.0075;
  info_.defaults.newton_sigma = 0.012;
  // the published budget: (100 + 2048 + 1024 cells x 100 steps) x 4096 samples
  info_.defaults.baseline_budget = std::size_t{100 + 2048 + 1024 * 100} * 4096;
}

void Arm::evaluate(const SampleRequest& request, std::size_t first, const EvaluationRows& out) const {
  if (request.sigma == 0) {
    if (request.samples == 1) {
      evaluate_single(request, first, out);
    } else {
      evaluate_repeated(request, first, out);
    }
  } else if (request.mirrored) {
    evaluate_pairs(request, first, out);
  } else {
    evaluate_perturbed(request, first, out);
  }
}

void Arm::evaluate_pairs(const SampleRequest& request, std::size_t first, const EvaluationRows& out) const {
  const std::size_t end = first + out.fitness.size();
  for (std::size_t next = first; next < end;) {
    const std::size_t centre = next / request.samples;
    const std::size_t stop = std::min(end, (centre + 1) * request.samples);
    const MirroredRequest pairs{.centre = request.centres.row(centre),
                                .sigma = request.sigma,
                                .key = request.key,
                                .id = request.ids[centre],
                                .first_pair = next % request.samples / 2,
                                .pairs = (stop - next) / 2};
    float* kept = nullptr;
    if (out.perturbations != nullptr) {
      kept = out.perturbations + centre * kept_perturbations(request.samples / 2, config_.joints);
    }
    arm_mirrored(pairs, variance(), noise(),
                 {&out.fitness[next - first], out.descriptors.row(next - first).data(), kept});
    next = stop;
  }
}

// Every centre once.
void Arm::evaluate_single(const SampleRequest& request, std::size_t first, const EvaluationRows& out) const {
  ArmTile arms;
  for (std::size_t begin = 0; begin < out.fitness.size(); begin += kDrawTile) {
    const std::size_t count = std::min(kDrawTile, out.fitness.size() - begin);
    arm_forward(request.centres.view().rows(first + begin, count), variance(), arms);
    arm_add_single_noise(arms, request.key, noise(), std::span(request.ids).subspan(first + begin, count),
                         &out.fitness[begin], out.descriptors.row(begin).data());
  }
}

// Every centre many times, which needs its arm once.
void Arm::evaluate_repeated(const SampleRequest& request, std::size_t first, const EvaluationRows& out) const {
  const std::size_t end = first + out.fitness.size();
  const std::size_t last_centre = (end - 1) / request.samples;
  ArmTile arms;
  for (std::size_t centre = first / request.samples; centre <= last_centre; centre += kDrawTile) {
    const std::size_t count = std::min(kDrawTile, last_centre + 1 - centre);
    arm_forward(request.centres.view().rows(centre, count), variance(), arms);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t all = (centre + i) * request.samples;
      const std::size_t from = std::max(first, all);
      const std::size_t to = std::min(end, all + request.samples);
      arm_add_repeated_noise(arms, i, {request.ids[centre + i], from - all, to - from}, request.key, noise(),
                             &out.fitness[from - first], out.descriptors.row(from - first).data());
    }
  }
}

// Samples around the centres that are not mirrored: each has its own arm.
void Arm::evaluate_perturbed(const SampleRequest& request, std::size_t first, const EvaluationRows& out) const {
  Matrix solutions;
  std::array<std::uint32_t, kDrawTile> ids;
  std::array<std::uint32_t, kDrawTile> samples;
  ArmTile arms;
  for (std::size_t begin = 0; begin < out.fitness.size(); begin += kDrawTile) {
    const std::size_t count = std::min(kDrawTile, out.fitness.size() - begin);
    solutions.resize(count, config_.joints);
    draw_solutions(request, first + begin, solutions.view());
    arm_forward(solutions, variance(), arms);
    for (std::size_t i = 0; i < count; ++i) {
      ids[i] = request.ids[(first + begin + i) / request.samples];
      samples[i] = static_cast<std::uint32_t>((first + begin + i) % request.samples);
    }
    arm_add_noise(arms, request.key, noise(), std::span(ids).first(count), std::span(samples).first(count),
                  &out.fitness[begin], out.descriptors.row(begin).data());
  }
}

void Arm::initial_genotype(Key key, std::uint32_t id, std::span<float> genotype) const {
  for (std::size_t j = 0; j < genotype.size(); ++j) {
    const auto block = static_cast<std::uint32_t>(j / kDrawsPerBlock);
    genotype[j] = uniform_from(key.bits(Purpose::kInitial, id, 0, block)[j % kDrawsPerBlock]);
  }
}

// Every joint turned the other way mirrors the arm.
std::vector<TaskSymmetry> Arm::symmetries() const {
  TaskSymmetry mirror{"mirror", unchanged(config_.joints), unchanged(2)};
  mirror.genotype.sign.assign(config_.joints, -1);
  mirror.genotype.offset.assign(config_.joints, 1);
  mirror.descriptor.sign = {1, -1};
  mirror.descriptor.offset = {0, 1};
  return {mirror};
}

}  // namespace aria
