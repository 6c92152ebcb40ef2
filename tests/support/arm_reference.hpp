// The noisy arm once more: one sample at a time, in double precision, straight from its definition. What the kernels
// are compared with.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

#include "aria/core/draws.hpp"
#include "aria/task/sample_request.hpp"

namespace aria::testing {

struct ArmReference {
  struct Result {
    double fitness, x, y;
  };

  double fitness_noise = 0;
  double descriptor_noise = 0;
  bool variance = false;

  // The arm of a genotype, without noise.
  Result forward(std::span<const double> genotype) const {
    const auto n = static_cast<double>(genotype.size());
    double mean = 0;
    for (const double g : genotype) mean += (g - std::floor(g)) / n;
    double spread = 0;
    double angle = 0;
    Result result{0, 0, 0};
    for (const double g : genotype) {
      const double joint = g - std::floor(g);
      spread += (joint - mean) * (joint - mean) / n;
      angle += 2 * std::numbers::pi * joint - std::numbers::pi;
      result.x += std::cos(angle);
      result.y += std::sin(angle);
    }
    result.fitness = -(variance ? spread : std::sqrt(spread));
    result.x = result.x / (2 * n) + 0.5;
    result.y = result.y / (2 * n) + 0.5;
    return result;
  }

  // The genotype that an evaluation of a request stands for.
  static std::vector<double> genotype(const SampleRequest& request, std::size_t evaluation) {
    const std::size_t centre = evaluation / request.samples;
    const std::size_t sample = evaluation % request.samples;
    const auto stream = static_cast<std::uint32_t>(request.mirrored ? sample / 2 : sample);
    const double sign = request.mirrored && sample % 2 == 1 ? -1 : 1;
    const auto row = request.centres.row(centre);
    std::vector<double> result(row.begin(), row.end());
    if (request.sigma == 0) return result;
    for (std::size_t j = 0; j < result.size(); ++j) {
      const double noise =
          normal(request.key, Purpose::kPerturbation, request.ids[centre], stream, static_cast<std::uint32_t>(j));
      result[j] += sign * static_cast<double>(request.sigma) * noise;
    }
    return result;
  }

  Result evaluate(const SampleRequest& request, std::size_t evaluation) const {
    Result result = forward(genotype(request, evaluation));
    const std::uint32_t id = request.ids[evaluation / request.samples];
    const auto sample = static_cast<std::uint32_t>(evaluation % request.samples);
    // two samples share the draws of their pair
    const auto noise = [&](std::uint32_t k) {
      return static_cast<double>(normal(request.key, Purpose::kTaskNoise, id, sample / 2, 3 * (sample % 2) + k));
    };
    result.fitness += fitness_noise * noise(0);
    result.x += descriptor_noise * noise(1);
    result.y += descriptor_noise * noise(2);
    return result;
  }
};

}  // namespace aria::testing
