// A small task such as a user might write: the fitness falls with the square of the distance to an optimum, the
// descriptor is the first parameters. Evaluations can be made to fail or to throw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "aria/core/draws.hpp"
#include "aria/core/matrix.hpp"
#include "aria/task/sample_request.hpp"
#include "aria/task/samples.hpp"
#include "aria/task/task.hpp"

namespace aria::testing {

struct QuadraticConfig {
  std::size_t parameters = 3;  // at least as many as the grid has dimensions
  GridShape grid = {{4, 4}, {-1, -1}, {1, 1}};
  float optimum = 0.25f;       // of every parameter
  float fitness_noise = 0;     // standard deviation
  float descriptor_noise = 0;  // standard deviation, each coordinate
  double failure_rate = 0;     // share of evaluations without a fitness, chosen by draws that are named like the noise
  bool fails_in_many_ways = false;  // also with infinities, and in the descriptor alone
  std::function<void(std::uint32_t id, std::size_t sample)> before;  // called before each evaluation; may throw
};

class QuadraticTask : public Task {
 public:
  explicit QuadraticTask(QuadraticConfig config = {}) : config_(std::move(config)) {
    info_.name = "quadratic";
    info_.parameters = config_.parameters;
    info_.grid = config_.grid;
    info_.fitness_range = {-4, 0};
    info_.defaults.baseline_budget = 1600;
    info_.defaults.initial_budget = 320;
  }

  const TaskInfo& info() const override { return info_; }

  void evaluate(const SampleRequest& request, std::size_t first, const EvaluationRows& out) const override {
    Matrix solutions(out.fitness.size(), config_.parameters);
    draw_solutions(request, first, solutions.view());
    for (std::size_t i = 0; i < out.fitness.size(); ++i) {
      const std::uint32_t id = request.ids[(first + i) / request.samples];
      const auto sample = static_cast<std::uint32_t>((first + i) % request.samples);
      if (config_.before) config_.before(id, sample);
      const auto noise = [&](std::size_t k) {
        return normal(request.key, Purpose::kTaskNoise, id, sample, static_cast<std::uint32_t>(k));
      };
      float fitness = config_.fitness_noise * noise(0);
      for (const float x : solutions.row(i)) fitness -= (x - config_.optimum) * (x - config_.optimum);
      for (std::size_t k = 0; k < out.descriptors.columns(); ++k) {
        out.descriptors(i, k) = solutions(i, k) + config_.descriptor_noise * noise(k + 1);
      }
      const std::uint32_t fate = request.key.bits(Purpose::kTaskNoise, id, sample, 1000)[0];
      out.fitness[i] = fitness;
      if (uniform_from(fate) < config_.failure_rate) fail(fate, out.fitness[i], out.descriptors.row(i));
    }
  }

  void initial_genotype(Key key, std::uint32_t id, std::span<float> genotype) const override {
    for (std::size_t j = 0; j < genotype.size(); ++j) {
      const auto block = static_cast<std::uint32_t>(j / kDrawsPerBlock);
      genotype[j] = 2 * uniform_from(key.bits(Purpose::kInitial, id, 0, block)[j % kDrawsPerBlock]) - 1;
    }
  }

 private:
  // The low bits of the draw that decided about failure are free.
  void fail(std::uint32_t fate, float& fitness, std::span<float> descriptor) const {
    constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    switch (config_.fails_in_many_ways ? fate % 5 : 0) {
      case 1:
        fitness = kInfinity;
        break;
      case 2:
        fitness = -kInfinity;
        break;
      case 3:
        descriptor.back() = kNaN;
        break;
      case 4:
        descriptor.front() = -kInfinity;
        break;
      default:
        fitness = kNaN;
    }
  }

  QuadraticConfig config_;
  TaskInfo info_;
};

inline std::shared_ptr<const Task> noisy_task(float fitness_noise, float descriptor_noise, double failure_rate = 0) {
  QuadraticConfig config;
  config.fitness_noise = fitness_noise;
  config.descriptor_noise = descriptor_noise;
  config.failure_rate = failure_rate;
  return std::make_shared<QuadraticTask>(config);
}

// Evaluations come without noise, or not at all.
inline std::shared_ptr<const Task> failing_task(double rate) { return noisy_task(0, 0, rate); }

}  // namespace aria::testing
