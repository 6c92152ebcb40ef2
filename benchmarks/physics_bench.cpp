// Environment steps of Ant and Walker on one thread: the fastest kernel and the general one, each verified against the
// plain version first, then timed beside it.
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "aria/physics/simulator.hpp"
#include "benchmarks/cycles.hpp"
#include "benchmarks/plain_physics.hpp"
#include "benchmarks/verify.hpp"

namespace aria::benchmarks {
namespace {

constexpr std::size_t kWorlds = 64;
constexpr std::size_t kSteps = 50;  // from a reset; what comes later moves alike
constexpr std::size_t kHeld = 5;    // steps with the same action

// Worlds that start with noise and are given random actions.
struct Episodes {
  const Simulator& simulator;
  PhysicsState state;
  std::vector<float> angle_noise, rate_noise;
  std::vector<std::vector<float>> actions;  // (steps / held) of (joints x stride)

  explicit Episodes(const Simulator& s) : simulator(s), state(s.model(), kWorlds) {
    std::mt19937 random(7);
    const auto draw = [&](float range) {
      std::uniform_real_distribution<float> uniform(-range, range);
      std::vector<float> numbers(simulator.model().joints.size() * state.stride);
      for (float& x : numbers) x = uniform(random);
      return numbers;
    };
    const float noise = simulator.model().planar ? 0.005f : 0.1f;
    angle_noise = draw(noise);
    rate_noise = draw(noise);
    for (std::size_t i = 0; i < kSteps / kHeld; ++i) actions.push_back(draw(1));
    reset();
  }
  void reset() { simulator.reset(state, angle_noise.data(), rate_noise.data()); }
  void step(std::size_t i) { simulator.step(state, actions[i / kHeld].data()); }
  std::vector<float> actions_of(std::size_t i, std::size_t world) const {
    std::vector<float> result;
    for (std::size_t j = 0; j < simulator.model().joints.size(); ++j) {
      result.push_back(actions[i / kHeld][j * state.stride + world]);
    }
    return result;
  }
};

const PhysicsModel& model_of(bool walker) { return walker ? walker_model() : ant_model(); }

// One step from here must give what the plain version gives. A rounding may turn a contact on or off: a few worlds may
// differ.
void verify_step(Episodes& episodes, std::size_t i) {
  std::vector<PlainPhysics> plain(kWorlds, PlainPhysics(episodes.simulator.model()));
  for (std::size_t w = 0; w < kWorlds; ++w) {
    plain[w].read(episodes.state, w);
    plain[w].step(episodes.actions_of(i, w).data());
  }
  episodes.step(i);
  std::size_t differing = 0;
  for (std::size_t w = 0; w < kWorlds; ++w) {
    bool same = true;
    for (std::size_t b = 0; b < plain[w].bodies().size(); ++b) {
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t at = (3 * b + k) * episodes.state.stride + w;
        same = same && std::abs(episodes.state.position[at] - plain[w].bodies()[b].position[k]) < 1e-4f;
        same = same && std::abs(episodes.state.velocity[at] - plain[w].bodies()[b].velocity[k]) < 2e-2f;
      }
    }
    differing += same ? 0 : 1;
  }
  verify(differing <= kWorlds / 8, "a step of the physics");
}

void simd_steps(benchmark::State& state, bool walker, Simulator::Kernel kernel) {
  const Simulator simulator(model_of(walker), kernel);
  Episodes episodes(simulator);
  for (std::size_t i = 0; i < 10; ++i) verify_step(episodes, i);
  const auto run = [&] {
    episodes.reset();
    for (std::size_t i = 0; i < kSteps; ++i) episodes.step(i);
    benchmark::DoNotOptimize(episodes.state.position.data());
  };
  for (auto _ : state) run();
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kSteps * kWorlds));
  state.counters["cycles"] = best_cycles(kSteps * kWorlds, run);
}

void plain_steps(benchmark::State& state, bool walker) {
  const Simulator simulator(model_of(walker));
  Episodes episodes(simulator);
  PlainPhysics plain(simulator.model());
  std::vector<std::vector<float>> actions;
  std::size_t world = 0;
  for (auto _ : state) {
    state.PauseTiming();
    world = (world + 1) % kWorlds;
    plain.read(episodes.state, world);
    actions.clear();
    for (std::size_t i = 0; i < kSteps; ++i) actions.push_back(episodes.actions_of(i, world));
    state.ResumeTiming();
    for (std::size_t i = 0; i < kSteps; ++i) plain.step(actions[i].data());
    benchmark::DoNotOptimize(plain.bodies().data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kSteps));
}

BENCHMARK_CAPTURE(plain_steps, ant, false)->Name("ant steps/plain");
BENCHMARK_CAPTURE(simd_steps, ant_general, false, Simulator::Kernel::kGeneral)->Name("ant steps/general");
BENCHMARK_CAPTURE(simd_steps, ant, false, Simulator::Kernel::kFastest)->Name("ant steps/simd");
BENCHMARK_CAPTURE(plain_steps, walker, true)->Name("walker steps/plain");
BENCHMARK_CAPTURE(simd_steps, walker_general, true, Simulator::Kernel::kGeneral)->Name("walker steps/general");
BENCHMARK_CAPTURE(simd_steps, walker, true, Simulator::Kernel::kFastest)->Name("walker steps/simd");

}  // namespace
}  // namespace aria::benchmarks
