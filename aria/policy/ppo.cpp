#include "aria/policy/ppo.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "aria/core/draws.hpp"
#include "aria/core/parallel.hpp"
#include "aria/core/require.hpp"
#include "aria/core/validated.hpp"
#include "aria/policy/initial_policy.hpp"

namespace aria {

namespace {

std::vector<float> initial_weights(const MlpShape& shape, double output_scale, Key key, std::uint32_t id) {
  std::vector<float> weights(shape.parameters());
  initial_policy(shape, key, id, weights);
  const NetworkLayer last = network_layers(shape).back();
  for (std::size_t i = last.first; i < weights.size(); ++i) weights[i] *= static_cast<float>(output_scale);
  return weights;
}

// Rows are drawn from more than a cache holds, in no order that it could foresee: so it is told some steps ahead.
constexpr std::size_t kStepsAhead = 8;

void fetch(std::span<const float> row) {
  for (std::size_t i = 0; i < row.size(); i += LaneMatrix::kLanes) __builtin_prefetch(row.data() + i);
}

// What steps places[first] ... saw becomes samples first ... of both networks' inputs.
void gather(const Matrix& inputs, std::span<const std::uint32_t> places, std::size_t first, std::size_t count,
            LaneMatrix& policy, LaneMatrix& critic) {
  for (std::size_t s = first; s < first + count; ++s) {
    if (s + kStepsAhead < first + count) fetch(inputs.row(places[s + kStepsAhead]));
    const auto row = inputs.row(places[s]);
    for (std::size_t r = 0; r < policy.rows(); ++r) policy(r, s) = row[r];
    for (std::size_t r = 0; r < critic.rows(); ++r) critic(r, s) = row[r];
  }
}

BlockRange blocks_of(std::size_t first, std::size_t count) {
  return {first / LaneMatrix::kLanes, (first + count + LaneMatrix::kLanes - 1) / LaneMatrix::kLanes};
}

// Lanes of the last block that no sample fills add nothing to a gradient.
void clear_rest(LaneMatrix& gradient, std::size_t first, std::size_t count) {
  for (std::size_t s = first + count; s < blocks_of(first, count).end * LaneMatrix::kLanes; ++s) {
    for (std::size_t r = 0; r < gradient.rows(); ++r) gradient(r, s) = 0;
  }
}

// In their order, whoever was ready first.
void sum_chunks(const Matrix& parts, std::size_t chunks, std::span<float> sum) {
  std::ranges::copy(parts.row(0), sum.begin());
  for (std::size_t chunk = 1; chunk < chunks; ++chunk) {
    const auto part = parts.row(chunk);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
  }
}

void shorten(std::span<float> gradient, double longest) {
  double squares = 0;
  for (const float g : gradient) squares += double{g} * double{g};
  const double norm = std::sqrt(squares);
  if (!(norm > longest)) return;
  const auto factor = static_cast<float>(longest / norm);
  for (float& g : gradient) g *= factor;
}

void rescale_first_layer(const MlpShape& shape, std::span<const float> mean, std::span<const float> scale,
                         std::span<float> weights) {
  const NetworkLayer layer = network_layers(shape).front();
  const std::size_t outputs = layer.shape.outputs;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    for (std::size_t o = 0; o < outputs; ++o) {
      float& weight = weights[layer.first + i * outputs + o];
      weights[layer.biases() + o] += mean[i] * weight;
      weight *= scale[i];
    }
  }
}

}  // namespace

void PpoConfig::validate() const {
  require(epochs >= 1 && epochs <= 1000, "epochs", "from 1 to 1000", epochs);
  require(minibatch >= 1 && minibatch <= (std::size_t{1} << 20), "minibatch", "from 1 to 2^20", minibatch);
  require(clip > 0 && clip < 1, "clip", "between 0 and 1", clip);
  require(trace >= 0 && trace <= 1, "trace", "from 0 to 1", trace);
  require(critic_rate > 0 && critic_rate <= 100, "critic_rate", "above 0, at most 100", critic_rate);
  require(longest_gradient > 0, "longest_gradient", "above 0", longest_gradient);
}

void bind_settings(SettingTable& table, PpoConfig& config) {
  table.add("epochs", config.epochs, "passes of learning over the steps of an iteration");
  table.add("minibatch", config.minibatch, "steps per gradient");
  table.add("clip", config.clip, "how far the probability of an action may change before it stops counting");
  table.add("trace", config.trace, "lambda of the advantage estimates");
  table.add("critic_rate", config.critic_rate, "learning rate of the critic, per that of the policy");
  table.add("longest_gradient", config.longest_gradient, "norm above which a gradient is shortened");
}

void PpoSteps::clear() {
  for (Matrix* matrix : {&inputs, &noise}) matrix->resize(0, matrix->columns());
  rewards.clear();
  ends.clear();
}

std::vector<std::uint32_t> shuffled(std::size_t n, Key key) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = n; i > 1; --i) {
    const auto words = key.bits(Purpose::kSelection, static_cast<std::uint32_t>(i), 0, 0);
    std::swap(order[i - 1], order[index_from(words[0], i)]);
  }
  return order;
}

Ppo::Ppo(const PpoConfig& config, const MlpShape& policy, const MlpShape& critic, double output_scale, Key key)
    : config_(validated(config)),
      policy_shape_(policy),
      critic_shape_(critic),
      policy_(policy, initial_weights(policy, output_scale, key, 0)),
      critic_(critic, initial_weights(critic, 1, key, 1)),
      policy_pass_(policy, OutputKind::kLinear, config.minibatch),
      critic_pass_(critic, OutputKind::kLinear, config.minibatch),
      policy_inputs_(policy.inputs(), config.minibatch),
      critic_inputs_(critic.inputs(), config.minibatch),
      policy_gradients_(chunks_of(config.minibatch), policy.parameters()),
      critic_gradients_(chunks_of(config.minibatch), critic.parameters()) {}

void Ppo::rescale_inputs(std::span<const float> mean, std::span<const float> scale) {
  assert(mean.size() == scale.size() && mean.size() <= policy_shape_.inputs());
  policy_.change([&](std::span<float> weights) { rescale_first_layer(policy_shape_, mean, scale, weights); });
  critic_.change([&](std::span<float> weights) { rescale_first_layer(critic_shape_, mean, scale, weights); });
}

// What policy and critic say of each step before anything is learnt.
void Ppo::look(const PpoSteps& steps, std::size_t first, std::size_t count) {
  std::vector<std::uint32_t> places(count);
  std::iota(places.begin(), places.end(), static_cast<std::uint32_t>(first));
  parallel_for(chunks_of(count), 1, [&](std::size_t chunk) {
    const std::size_t from = chunk * kChunk;
    const std::size_t n = std::min(kChunk, count - from);
    gather(steps.inputs, places, from, n, policy_inputs_, critic_inputs_);
    policy_pass_.forward(policy_.packed(), policy_inputs_, blocks_of(from, n));
    critic_pass_.forward(critic_.packed(), critic_inputs_, blocks_of(from, n));
    for (std::size_t s = from; s < from + n; ++s) {
      values_[first + s] = critic_pass_.outputs()(0, s);
      for (std::size_t a = 0; a < means_.columns(); ++a) means_(first + s, a) = policy_pass_.outputs()(a, s);
    }
  });
}

// Generalised advantage estimation (Schulman et al. 2016), then to mean 0 and deviation 1.
void Ppo::find_advantages(const PpoSteps& steps, const PpoRates& rates) {
  const auto discount = static_cast<float>(rates.discount);
  const auto trace = static_cast<float>(rates.discount * config_.trace);
  advantages_.resize(steps.size());
  returns_.resize(steps.size());
  float advantage = 0;
  for (std::size_t t = steps.size(); t-- > 0;) {
    if (steps.ends[t] == StepEnd::kCut) {
      advantage = 0;
      continue;
    }
    const bool last = steps.ends[t] == StepEnd::kOver || t + 1 == steps.size();
    const float next = last ? 0.0f : values_[t + 1];
    advantage = steps.rewards[t] + discount * next - values_[t] + (last ? 0.0f : trace * advantage);
    advantages_[t] = advantage;
    returns_[t] = advantage + values_[t];
  }
  const auto count = static_cast<double>(learnt_.size());
  double sum = 0, squares = 0;
  for (const std::uint32_t t : learnt_) sum += double{advantages_[t]};
  const double mean = sum / count;
  for (const std::uint32_t t : learnt_) squares += (double{advantages_[t]} - mean) * (double{advantages_[t]} - mean);
  const double deviation = std::sqrt(squares / count) + 1e-8;
  const double longest = rates.longest_advantage;
  for (const std::uint32_t t : learnt_) {
    float& a = advantages_[t];
    a = static_cast<float>(std::clamp((double{a} - mean) / deviation, -longest, longest));
  }
}

void Ppo::learn(const PpoSteps& steps, const PpoRates& rates, Key key) {
  if (steps.size() == 0) return;
  means_.resize(steps.size(), policy_shape_.outputs());
  values_.resize(steps.size());
  for (std::size_t first = 0; first < steps.size(); first += config_.minibatch) {
    look(steps, first, std::min(config_.minibatch, steps.size() - first));
  }
  learnt_.clear();
  for (std::size_t t = 0; t < steps.size(); ++t) {
    if (steps.ends[t] != StepEnd::kCut) learnt_.push_back(static_cast<std::uint32_t>(t));
  }
  find_advantages(steps, rates);
  for (std::size_t epoch = 0; epoch < config_.epochs; ++epoch) {
    std::vector<std::uint32_t> order = shuffled(learnt_.size(), key.child(epoch));
    for (std::uint32_t& place : order) place = learnt_[place];
    for (std::size_t first = 0; first < order.size(); first += config_.minibatch) {
      const std::size_t count = std::min(config_.minibatch, order.size() - first);
      climb(steps, std::span(order).subspan(first, count), rates);
    }
  }
}

// One step of Adam for both networks.
void Ppo::climb(const PpoSteps& steps, std::span<const std::uint32_t> places, const PpoRates& rates) {
  const std::size_t chunks = chunks_of(places.size());
  parallel_for(chunks, 1, [&](std::size_t chunk) {
    const std::size_t first = chunk * kChunk;
    pass_chunk(steps, places, first, std::min(kChunk, places.size() - first), rates.deviation);
  });
  sum_chunks(policy_gradients_, chunks, policy_.gradient());
  sum_chunks(critic_gradients_, chunks, critic_.gradient());
  AdamConfig adam;
  adam.learning_rate = rates.learning_rate;
  shorten(policy_.gradient(), config_.longest_gradient);
  policy_.ascend(adam);
  adam.learning_rate = rates.learning_rate * config_.critic_rate;
  shorten(critic_.gradient(), config_.longest_gradient);
  critic_.ascend(adam);
}

// From a chunk's steps to its share of the gradients. Adam ascends: the policy's clipped gain, minus half of the
// critic's squared error, both as means over the minibatch.
void Ppo::pass_chunk(const PpoSteps& steps, std::span<const std::uint32_t> places, std::size_t first, std::size_t count,
                     double deviation) {
  const BlockRange range = blocks_of(first, count);
  gather(steps.inputs, places, first, count, policy_inputs_, critic_inputs_);
  policy_pass_.forward(policy_.packed(), policy_inputs_, range);
  const std::size_t actions = policy_shape_.outputs();
  const auto sigma = static_cast<float>(deviation);
  const auto clip = static_cast<float>(config_.clip);
  const float share = 1.0f / static_cast<float>(places.size());
  LaneMatrix& slopes = policy_pass_.output_gradient();
  for (std::size_t s = first; s < first + count; ++s) {
    const std::size_t t = places[s];
    // how far the action was from the new mean and from the old one, in deviations
    float log_ratio = 0;
    for (std::size_t a = 0; a < actions; ++a) {
      const float old_distance = steps.noise(t, a);
      const float distance = old_distance + (means_(t, a) - policy_pass_.outputs()(a, s)) / sigma;
      log_ratio += 0.5f * (old_distance * old_distance - distance * distance);
      slopes(a, s) = distance;
    }
    const float ratio = std::exp(std::clamp(log_ratio, -20.0f, 20.0f));
    const float advantage = advantages_[t];
    const bool clipped = advantage > 0 ? ratio > 1 + clip : ratio < 1 - clip;
    const float slope = clipped ? 0.0f : share * advantage * ratio / sigma;
    for (std::size_t a = 0; a < actions; ++a) slopes(a, s) *= slope;
  }
  clear_rest(slopes, first, count);
  policy_pass_.backward(policy_.packed(), range);
  policy_pass_.parameter_gradient(policy_inputs_, range, policy_gradients_.row(first / kChunk));

  critic_pass_.forward(critic_.packed(), critic_inputs_, range);
  LaneMatrix& errors = critic_pass_.output_gradient();
  for (std::size_t s = first; s < first + count; ++s) {
    errors(0, s) = share * (returns_[places[s]] - critic_pass_.outputs()(0, s));
  }
  clear_rest(errors, first, count);
  critic_pass_.backward(critic_.packed(), range);
  critic_pass_.parameter_gradient(critic_inputs_, range, critic_gradients_.row(first / kChunk));
}

State Ppo::save() const {
  State state;
  state.put_part("policy/", policy_.save());
  state.put_part("critic/", critic_.save());
  return state;
}

void Ppo::load(const State& state) {
  policy_.load(state.part("policy/"));
  critic_.load(state.part("critic/"));
}

}  // namespace aria
