// Steps of policies, ant and walker: every world its own weights, all worlds the same ones, and both written plainly.
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include <benchmark/benchmark.h>

#include "aria/core/draws.hpp"
#include "aria/policy/initial_policy.hpp"
#include "aria/policy/mlp.hpp"
#include "benchmarks/cycles.hpp"
#include "benchmarks/plain_policy.hpp"
#include "benchmarks/verify.hpp"

namespace aria::benchmarks {
namespace {

// What a simulation of so many worlds asks of its policies in the course of some steps.
struct PolicyCase {
  static constexpr std::size_t kSteps = 16;
  MlpShape shape;
  std::size_t worlds;
  std::size_t stride;
  std::vector<float> policies;             // (worlds x row)
  std::size_t row;                         // whole cache lines
  std::vector<const float*> policy_of;     // (worlds)
  std::vector<std::vector<float>> inputs;  // per step (inputs x stride)
  std::vector<float> outputs;              // (outputs x stride)

  PolicyCase(MlpShape of, std::size_t how_many)
      : shape(std::move(of)),
        worlds(how_many),
        stride((worlds + 15) / 16 * 16),
        row((shape.parameters() + 15) / 16 * 16) {
    policies.resize(worlds * row + 16);
    const std::size_t offset = (64 - reinterpret_cast<std::uintptr_t>(policies.data()) % 64) % 64 / sizeof(float);
    for (std::size_t w = 0; w < worlds; ++w) {
      const std::span<float> policy = std::span(policies).subspan(offset + w * row, shape.parameters());
      initial_policy(shape, Key(1), static_cast<std::uint32_t>(w), policy);
      policy_of.push_back(policy.data());
    }
    for (std::uint32_t step = 0; step < kSteps; ++step) draw_inputs(step);
    outputs.resize(shape.outputs() * stride);
  }

  // Of the ant's 87 inputs 27 are hardly ever zero, 30 only while something touches the ground, 30 always.
  void draw_inputs(std::uint32_t step) {
    auto& values = inputs.emplace_back(shape.inputs() * stride);
    for (std::uint32_t i = 0; i < shape.inputs() && i < 57; ++i) {
      for (std::uint32_t w = 0; w < stride; ++w) {
        const float value = normal(Key(2), Purpose::kTaskNoise, w, step, i);
        values[i * stride + w] = i >= 27 && value < 0 ? 0.0f : value;
      }
    }
  }

  std::vector<float> inputs_of(std::size_t step, std::size_t world) const {
    std::vector<float> result;
    for (std::size_t i = 0; i < shape.inputs(); ++i) result.push_back(inputs[step][i * stride + world]);
    return result;
  }

  void verify_outputs(std::size_t step, bool shared) const {
    for (std::size_t w = 0; w < worlds; ++w) {
      const std::span policy(policy_of[shared ? 0 : w], shape.parameters());
      const std::vector<float> expected = plain_policy(shape, policy, inputs_of(step, w));
      for (std::size_t o = 0; o < shape.outputs(); ++o) {
        verify(std::abs(outputs[o * stride + w] - expected[o]) < 1e-5f, "an action");
      }
    }
  }
};

MlpShape shape_of(const benchmark::State& state) {
  return state.range(0) == 87 ? MlpShape{{87, 64, 64, 8}} : MlpShape{{17, 64, 64, 6}};
}

// Runs `step(number)` and counts world-steps.
template <class F>
void time_steps(benchmark::State& state, std::size_t worlds, const F& step) {
  std::size_t number = 0;
  for (auto _ : state) {
    step(number % PolicyCase::kSteps);
    ++number;
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(worlds));
  state.counters["cycles"] = best_cycles(static_cast<double>(PolicyCase::kSteps * worlds), [&] {
    for (std::size_t i = 0; i < PolicyCase::kSteps; ++i) step(i);
  });
}

void policies_own(benchmark::State& state) {
  PolicyCase c(shape_of(state), 8);
  Mlp mlp(c.shape);
  const auto step = [&](std::size_t number) {
    mlp.run_own(c.policy_of, c.inputs[number].data(), c.outputs.data(), c.stride);
    benchmark::DoNotOptimize(c.outputs.data());
  };
  step(3);
  c.verify_outputs(3, false);
  time_steps(state, c.worlds, step);
}

void policies_shared(benchmark::State& state) {
  PolicyCase c(shape_of(state), 64);
  Mlp mlp(c.shape);
  const auto step = [&](std::size_t number) {
    mlp.run_shared(c.policy_of[0], c.inputs[number].data(), c.outputs.data(), c.worlds, c.stride);
    benchmark::DoNotOptimize(c.outputs.data());
  };
  step(3);
  c.verify_outputs(3, true);
  time_steps(state, c.worlds, step);
}

void policies_plain(benchmark::State& state) {
  const PolicyCase c(shape_of(state), 8);
  time_steps(state, c.worlds, [&](std::size_t number) {
    for (std::size_t w = 0; w < c.worlds; ++w) {
      const std::span policy(c.policy_of[w], c.shape.parameters());
      benchmark::DoNotOptimize(plain_policy(c.shape, policy, c.inputs_of(number, w)).data());
    }
  });
}

// The argument is the number of inputs: 87 the ant's, 17 the walker's.
BENCHMARK(policies_plain)->Name("policies/plain")->Arg(87)->Arg(17);
BENCHMARK(policies_own)->Name("policies/own")->Arg(87)->Arg(17);
BENCHMARK(policies_shared)->Name("policies/shared")->Arg(87)->Arg(17);

}  // namespace
}  // namespace aria::benchmarks
