#include "aria/policy/td3.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "aria/core/draws.hpp"
#include "aria/core/parallel.hpp"
#include "aria/core/require.hpp"
#include "aria/policy/initial_policy.hpp"

namespace aria {

namespace {

constexpr std::size_t kMostSamples = std::size_t{1} << 20;

MlpShape critic_shape_of(const Td3Config& config, const MlpShape& actor) {
  config.validate();
  actor.validate();
  MlpShape shape{{actor.inputs() + actor.outputs()}};
  shape.sizes.insert(shape.sizes.end(), config.critic_hidden.begin(), config.critic_hidden.end());
  shape.sizes.push_back(1);
  return shape;
}

TrainedNetwork initial_critic(const MlpShape& shape, Key key, std::size_t number) {
  std::vector<float> parameters(shape.parameters());
  initial_policy(shape, key, static_cast<std::uint32_t>(number), parameters);
  return {shape, std::move(parameters)};
}

std::vector<float> checked_genotype(const MlpShape& shape, std::span<const float> genotype) {
  require(genotype.size() == shape.parameters(), "the genotype of the greedy policy",
          fmt::format("{} parameters long", shape.parameters()), genotype.size());
  return {genotype.begin(), genotype.end()};
}

AdamConfig adam_of(double learning_rate) {
  AdamConfig adam;
  adam.learning_rate = learning_rate;
  return adam;
}

}  // namespace

// --- Settings ------------------------------------------------------------------------------------------------------

void Td3Config::validate() const {
  const auto in_rate = [](double rate) { return rate > 0 && rate <= 10; };
  const auto in_width = [](std::size_t width) { return width >= 1 && width <= (std::size_t{1} << 16); };
  require(std::ranges::all_of(critic_hidden, in_width), "critic_hidden", "layers of 1 to 65536 units", critic_hidden);
  require(in_rate(critic_learning_rate), "critic_learning_rate", "above 0, at most 10", critic_learning_rate);
  require(in_rate(actor_learning_rate), "actor_learning_rate", "above 0, at most 10", actor_learning_rate);
  require(policy_delay >= 1, "policy_delay", "at least 1", policy_delay);
  require(smoothing_noise >= 0 && smoothing_noise <= 1e6, "smoothing_noise", "from 0 to 1e6", smoothing_noise);
  require(noise_clip >= 0 && noise_clip <= 1e6, "noise_clip", "from 0 to 1e6", noise_clip);
  require(discount >= 0 && discount <= 1, "discount", "from 0 to 1", discount);
  require(soft_update > 0 && soft_update <= 1, "soft_update", "above 0, at most 1", soft_update);
  require(batch >= 1 && batch <= kMostSamples, "critic_batch", "from 1 to 2^20", batch);
  require(replay_size >= 1 && replay_size <= (std::size_t{1} << 31), "replay_size", "from 1 to 2^31", replay_size);
  require(replay_precision == "single" || replay_precision == "half", "replay_precision", "single or half",
          replay_precision);
}

ReplayConfig Td3Config::replay(const MlpShape& actor) const {
  return {.observations = actor.inputs(),
          .actions = actor.outputs(),
          .capacity = replay_size,
          .precision = replay_precision == "half" ? ReplayPrecision::kHalf : ReplayPrecision::kSingle};
}

void bind_settings(SettingTable& table, Td3Config& config) {
  table.add("critic_hidden", config.critic_hidden, "units of the critics' hidden layers");
  table.add("critic_learning_rate", config.critic_learning_rate, "step size of Adam for the critics");
  table.add("actor_learning_rate", config.actor_learning_rate, "step size of Adam for the greedy policy");
  table.add("policy_delay", config.policy_delay, "steps of the critics per step of the greedy policy");
  table.add("smoothing_noise", config.smoothing_noise, "standard deviation of the noise on the target's actions");
  table.add("noise_clip", config.noise_clip, "most of the noise on the target's actions");
  table.add("discount", config.discount, "worth of a reward one step later");
  table.add("soft_update", config.soft_update, "share of the way that target networks go in a step");
  table.add("critic_batch", config.batch, "transitions per step of training");
  table.add("replay_size", config.replay_size, "transitions kept to train on");
  table.add("replay_precision", config.replay_precision, "of the transitions kept: half takes half of the memory",
            {"single", "half"});
}

// --- The learner ---------------------------------------------------------------------------------------------------

Td3::Td3(const Td3Config& config, const MlpShape& actor, std::span<const float> genotype, Key key)
    : config_(config),
      actor_shape_(actor),
      critic_shape_(critic_shape_of(config, actor)),
      actor_(actor, checked_genotype(actor, genotype)),
      policy_gradient_(actor, critic_shape_, config.batch),
      target_actor_pass_(actor, OutputKind::kTanh, config.batch),
      inputs_(critic_shape_.inputs(), config.batch),
      next_observations_(actor.inputs(), config.batch),
      next_inputs_(critic_shape_.inputs(), config.batch),
      places_(config.batch),
      next_value_(config.batch),
      squared_errors_(kCritics * config.batch),
      noise_((config.batch + kChunk - 1) / kChunk * kNormalsPerBlock * normal_blocks(actor.outputs()) * kDrawTile) {
  for (std::size_t i = 0; i < kCritics; ++i) {
    critics_.push_back(initial_critic(critic_shape_, key, i));
    critic_passes_.emplace_back(critic_shape_, OutputKind::kLinear, config.batch);
  }
}

double Td3::train(const ReplayBuffer& replay, Key key, std::size_t steps) {
  require(replay.size() > 0, "the replay buffer", "filled before training", replay.size());
  require(replay.config().observations == actor_shape_.inputs() && replay.config().actions == actor_shape_.outputs(),
          "transitions",
          fmt::format("of {} observations and {} actions", actor_shape_.inputs(), actor_shape_.outputs()),
          std::vector{replay.config().observations, replay.config().actions});
  double loss = 0;
  for (std::size_t i = 0; i < steps; ++i) loss += step(replay, key.child(steps_));
  return steps > 0 ? loss / static_cast<double>(steps) : 0;
}

double Td3::step(const ReplayBuffer& replay, Key key) {
  replay.draw(key, 0, 0, places_);
  const bool with_actor = steps_ % config_.policy_delay == 0;

  // What concerns samples: from transitions to the gradient at every layer. The greedy policy climbs the critic as it
  // was before this step, as in QDax.
  parallel_for((config_.batch + kChunk - 1) / kChunk, 1, [&](std::size_t chunk) {
    const std::size_t first = chunk * kChunk;
    const std::size_t count = std::min(kChunk, config_.batch - first);
    const BlockRange range{first / LaneMatrix::kLanes, (first + count + LaneMatrix::kLanes - 1) / LaneMatrix::kLanes};
    gather(replay, first, count);
    copy_rows(policy_gradient_.observations(), range, 0, inputs_);
    value_next(key, first, count, range);
    find_errors(replay, first, count, range);
    if (with_actor) policy_gradient_.pass(actor_.packed(), critics_[0].packed(), range);
  });

  // What concerns parameters
  find_gradients(with_actor);
  parallel_for(with_actor ? kCritics + 1 : kCritics, 1, [&](std::size_t i) {
    const bool critic = i < kCritics;
    TrainedNetwork& network = critic ? critics_[i] : actor_;
    network.ascend(adam_of(critic ? config_.critic_learning_rate : config_.actor_learning_rate), config_.soft_update);
  });
  ++steps_;

  double loss = 0;
  for (const float error : squared_errors_) loss += static_cast<double>(error);
  return loss / static_cast<double>(config_.batch);
}

void Td3::gather(const ReplayBuffer& replay, std::size_t first, std::size_t count) {
  const auto places = std::span<const std::uint32_t>(places_).subspan(first, count);
  replay.observations(places, first, policy_gradient_.observations());
  replay.next_observations(places, first, next_observations_);
  replay.actions(places, first, actor_shape_.inputs(), inputs_);
}

// What the target critics think of the target policy's next action, smoothed by noise.
void Td3::value_next(Key key, std::size_t first, std::size_t count, BlockRange range) {
  target_actor_pass_.forward(actor_.packed_target(), next_observations_, range);

  // Noise is named by the place in the batch and the number of the action
  static_assert(kChunk <= kDrawTile);
  const std::size_t actions = actor_shape_.outputs();
  const std::size_t blocks = normal_blocks(actions);
  float* noise = noise_.data() + first / kChunk * kNormalsPerBlock * blocks * kDrawTile;
  std::array<std::uint32_t, kChunk> samples{};
  for (std::size_t j = 0; j < count; ++j) samples[j] = static_cast<std::uint32_t>(first + j);
  constexpr std::array<std::uint32_t, kChunk> kId{};
  draw_normals(key, Purpose::kPerturbation, std::span(kId).first(count), std::span(samples).first(count), 0, blocks,
               noise);

  copy_rows(next_observations_, range, 0, next_inputs_);
  const auto sigma = static_cast<float>(config_.smoothing_noise);
  const auto clip = static_cast<float>(config_.noise_clip);
  for (std::size_t a = 0; a < actions; ++a) {
    for (std::size_t j = 0; j < count; ++j) {
      const float shift = std::clamp(noise[a * kDrawTile + j] * sigma, -clip, clip);
      const float action = target_actor_pass_.outputs()(a, first + j) + shift;
      next_inputs_(actor_shape_.inputs() + a, first + j) = std::clamp(action, -1.0f, 1.0f);
    }
  }

  // The lesser of two values: one alone is too hopeful
  for (std::size_t i = 0; i < kCritics; ++i) {
    critic_passes_[i].forward(critics_[i].packed_target(), next_inputs_, range);
    for (std::size_t s = first; s < first + count; ++s) {
      const float value = critic_passes_[i].outputs()(0, s);
      next_value_[s] = i == 0 ? value : std::min(next_value_[s], value);
    }
  }
}

// Errors of both critics, and the gradients that come of them. The loss is the mean over the batch of the squared
// error, where a transition that hit the time limit counts as one without error (as in QDax).
void Td3::find_errors(const ReplayBuffer& replay, std::size_t first, std::size_t count, BlockRange range) {
  const auto discount = static_cast<float>(config_.discount);
  const float slope = -2.0f / static_cast<float>(config_.batch);  // Adam ascends
  for (std::size_t i = 0; i < kCritics; ++i) {
    Network& pass = critic_passes_[i];
    pass.forward(critics_[i].packed(), inputs_, range);
    for (std::size_t s = first; s < first + count; ++s) {
      const std::size_t place = places_[s];
      const float next = replay.done(place) ? 0.0f : discount * next_value_[s];
      const float error = replay.truncated(place) ? 0.0f : pass.outputs()(0, s) - (replay.reward(place) + next);
      squared_errors_[i * config_.batch + s] = error * error;
      pass.output_gradient()(0, s) = slope * error;
    }
    pass.backward(critics_[i].packed(), range);
  }
}

void Td3::find_gradients(bool with_actor) {
  const std::size_t critic_parts = critic_passes_[0].gradient_parts();
  const std::size_t actor_parts = with_actor ? policy_gradient_.parts() : 0;
  parallel_for(kCritics * critic_parts + actor_parts, 1, [&](std::size_t i) {
    const std::size_t critic = i / critic_parts;
    if (critic < kCritics) {
      critic_passes_[critic].parameter_gradient(inputs_, i % critic_parts, critics_[critic].gradient());
    } else {
      policy_gradient_.part(i - kCritics * critic_parts, actor_.gradient());
    }
  });
}

State Td3::save() const {
  State state;
  state.put("steps", static_cast<std::int64_t>(steps_));
  state.put_part("actor/", actor_.save());
  state.put_part("critic0/", critics_[0].save());
  state.put_part("critic1/", critics_[1].save());
  return state;
}

void Td3::load(const State& state) {
  const std::int64_t steps = state.get_integer("steps");
  require(steps >= 0, "'steps' of the saved state", "0 or above", steps);
  actor_.load(state.part("actor/"));
  critics_[0].load(state.part("critic0/"));
  critics_[1].load(state.part("critic1/"));
  steps_ = static_cast<std::size_t>(steps);
}

}  // namespace aria
