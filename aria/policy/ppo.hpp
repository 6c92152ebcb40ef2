// Proximal policy optimisation (Schulman et al. 2017) of a policy whose actions are tanh(mean + deviation * noise): the
// learner behind the goal-conditioned initialisation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "aria/core/key.hpp"
#include "aria/core/matrix.hpp"
#include "aria/core/settings.hpp"
#include "aria/core/state.hpp"
#include "aria/policy/lane_matrix.hpp"
#include "aria/policy/mlp_shape.hpp"
#include "aria/policy/network.hpp"
#include "aria/policy/trained_network.hpp"

namespace aria {

struct PpoConfig {
  std::size_t epochs = 3;        // passes over what was collected
  std::size_t minibatch = 2048;  // steps per gradient
  double clip = 0.2;             // of the ratio of probabilities
  double trace = 0.95;           // lambda of generalised advantage estimation
  double critic_rate = 1.5;      // learning rate of the critic, per that of the policy
  double longest_gradient = 1;   // norm above which a gradient is shortened

  void validate() const;
};

void bind_settings(SettingTable& table, PpoConfig& config);

// What changes as learning goes on.
struct PpoRates {
  double deviation = 0.5;          // of the noise that explored, before the tanh
  double learning_rate = 1e-3;     // of the policy
  double discount = 0.995;         // worth of a reward one step later
  double longest_advantage = 1e9;  // in deviations of all; longer ones are cut
};

// What comes after a step.
enum class StepEnd : std::uint8_t {
  kGoesOn,  // the next step
  kOver,    // nothing: the episode ended with it
  kCut,     // not told: the step is there for what the critic says of it, and nothing is learnt from it
};

// What was collected, step after step, episode after episode.
struct PpoSteps {
  Matrix inputs;               // (steps x inputs of the critic), of which the policy sees the first
  Matrix noise;                // (steps x actions) standard normal, that explored
  std::vector<float> rewards;  // (steps)
  std::vector<StepEnd> ends;   // (steps)

  std::size_t size() const { return rewards.size(); }
  void clear();
};

class Ppo {
 public:
  // Weights start as those of any policy do; the policy's last layer at `output_scale` of that, so that it begins by
  // doing little.
  Ppo(const PpoConfig& config, const MlpShape& policy, const MlpShape& critic, double output_scale, Key key);

  // Trains on what the present policy collected. `key` names the order in which steps are taken.
  void learn(const PpoSteps& steps, const PpoRates& rates, Key key);

  const MlpShape& policy_shape() const { return policy_shape_; }
  const std::vector<float>& policy() const { return policy_.parameters(); }
  // New weights for the first layers of both networks, which see the same function of the world in other units: input i
  // becomes (input - mean) / scale for the first means.size() inputs.
  void rescale_inputs(std::span<const float> mean, std::span<const float> scale);

  State save() const;
  void load(const State& state);

 private:
  // Samples that go through a network on one thread, and whose gradients are summed before those of others.
  static constexpr std::size_t kChunk = 256;
  static constexpr std::size_t chunks_of(std::size_t samples) { return (samples + kChunk - 1) / kChunk; }

  void look(const PpoSteps& steps, std::size_t first, std::size_t count);
  void find_advantages(const PpoSteps& steps, const PpoRates& rates);
  void climb(const PpoSteps& steps, std::span<const std::uint32_t> places, const PpoRates& rates);
  void pass_chunk(const PpoSteps& steps, std::span<const std::uint32_t> places, std::size_t first, std::size_t count,
                  double deviation);

  PpoConfig config_;
  MlpShape policy_shape_;
  MlpShape critic_shape_;
  TrainedNetwork policy_;
  TrainedNetwork critic_;

  // What learning works in; carries nothing from call to call.
  Network policy_pass_;
  Network critic_pass_;
  LaneMatrix policy_inputs_;
  LaneMatrix critic_inputs_;
  Matrix policy_gradients_;  // (chunks x parameters) of a minibatch
  Matrix critic_gradients_;
  Matrix means_;                       // (steps x actions) of the policy that collected
  std::vector<float> values_;          // (steps)
  std::vector<float> advantages_;      // (steps), then normalised
  std::vector<float> returns_;         // (steps)
  std::vector<std::uint32_t> learnt_;  // steps to learn from
};

// The order of n things, named by a key.
std::vector<std::uint32_t> shuffled(std::size_t n, Key key);

}  // namespace aria
