#include "aria/task/rollouts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "aria/core/draws.hpp"

namespace aria {

namespace {

// Worlds side by side: a vector of them, whose policies then stay in the second-level cache. Where many share a policy
// that is no matter, and two vectors keep the arithmetic units busier.
std::size_t world_count(const SampleRequest& request) {
  return request.sigma == 0 && request.samples > 1 ? 2 * physics_lanes() : physics_lanes();
}

// A single vector of worlds has rows without gaps, which take half as many lines of the cache where a vector is half
// of one.
PhysicsState worlds_of(const PhysicsModel& model, std::size_t worlds) {
  return worlds == physics_lanes() ? PhysicsState(model, worlds, worlds) : PhysicsState(model, worlds);
}

constexpr std::uint64_t kExploration = 1;  // branch of a request's key

// One world's column of (rows x stride) numbers becomes the last row of `to`.
void append_column(MatrixView from, std::size_t world, Matrix& to) {
  const std::size_t row = to.rows();
  to.resize(row + 1, from.rows());
  for (std::size_t i = 0; i < from.rows(); ++i) to(row, i) = from(i, world);
}

}  // namespace

Rollouts::Rollouts(const RobotTask& task, const SampleRequest& request)
    : task_(task),
      request_(request),
      policies_(request, world_count(request)),
      resets_(task, request),
      mlp_(task.policy()),
      state_(worlds_of(task.simulator().model(), world_count(request))),
      episodes_(state_.stride, task.robot().noted_size()),
      observations_(task.policy().inputs() * state_.stride),
      actions_(task.policy().outputs() * state_.stride),
      progress_(task.robot().descriptor_size()),
      policy_(state_.worlds),
      rollout_(state_.worlds) {}

void Rollouts::run(std::size_t first, const EvaluationRows& out) {
  first_ = next_ = first;
  end_ = first + out.fitness.size();
  out_ = &out;
  state_.worlds = policy_.size();
  for (std::size_t world = 0; world < state_.worlds; ++world) {
    if (!start_next(world)) state_.worlds = world;
  }
  while (state_.worlds > 0) {
    task_.robot().observe(state_, observations_.data());
    act();
    if (!out.episodes.empty() && request_.exploration > 0) explore();
    if (!out.episodes.empty()) record_choice();
    task_.robot().note(state_, episodes_);
    task_.simulator().step(state_, actions_.data());
    task_.robot().judge(state_, actions_.data(), episodes_);
    if (!out.episodes.empty()) record_outcome();
    settle();
  }
}

// Gives a world the next rollout; false if there is none left.
bool Rollouts::start_next(std::size_t world) {
  while (next_ < end_) {
    const std::size_t evaluation = next_++;
    policy_[world] = policies_.take(evaluation, world);
    if (policy_[world] == nullptr) {
      // weights that are not numbers: nothing to run
      out_->fitness[evaluation - first_] = std::numeric_limits<float>::quiet_NaN();
      std::ranges::fill(out_->descriptors.row(evaluation - first_), 0.0f);
      continue;
    }
    rollout_[world] = evaluation;
    resets_.start(evaluation, end_, state_, world);
    episodes_.start(world);
    return true;
  }
  return false;
}

void Rollouts::act() {
  const std::span<const float* const> policies(policy_.data(), state_.worlds);
  const bool all_one = std::ranges::all_of(policies, [&](const float* policy) { return policy == policies[0]; });
  if (all_one && state_.stride % Mlp::kSharedStride == 0) {
    mlp_.run_shared(policies[0], observations_.data(), actions_.data(), state_.worlds, state_.stride);
  } else {
    mlp_.run_own(policies, observations_.data(), actions_.data(), state_.stride);
  }
}

// Noise on the actions before their tanh: tanh(x + y) follows from tanh(x) and tanh(y).
void Rollouts::explore() {
  const Key key = request_.key.child(kExploration);
  const std::size_t actions = task_.policy().outputs();
  for (std::size_t world = 0; world < state_.worlds; ++world) {
    EpisodeSteps& steps = out_->episodes[rollout_[world] - first_];
    const std::uint32_t id = request_.ids[rollout_[world] / request_.samples];
    const auto sample = static_cast<std::uint32_t>(rollout_[world] % request_.samples);
    const std::size_t step = steps.exploration.rows();
    steps.exploration.resize(step + 1, actions);
    for (std::size_t a = 0; a < actions; ++a) {
      const auto variate = static_cast<std::uint32_t>(step * actions + a);
      const float noise = normal(key, Purpose::kPerturbation, id, sample, variate);
      const float shift = std::tanh(request_.exploration * noise);
      float& action = actions_[a * state_.stride + world];
      action = (action + shift) / (1 + action * shift);
      steps.exploration(step, a) = noise;
    }
  }
}

// What each policy saw and did.
void Rollouts::record_choice() {
  for (std::size_t world = 0; world < state_.worlds; ++world) {
    EpisodeSteps& steps = out_->episodes[rollout_[world] - first_];
    append_column({observations_.data(), task_.policy().inputs(), state_.stride}, world, steps.observations);
    append_column({actions_.data(), task_.policy().outputs(), state_.stride}, world, steps.actions);
  }
}

// What came of it: the reward and, of an episode that ends here, the last thing to be seen.
void Rollouts::record_outcome() {
  bool observed = false;
  for (std::size_t world = 0; world < state_.worlds; ++world) {
    EpisodeSteps& steps = out_->episodes[rollout_[world] - first_];
    steps.rewards.push_back(episodes_.reward[world]);
    task_.robot().progress(episodes_, world, progress_);
    steps.progress.append_row(progress_);
    steps.terminated = episodes_.fallen[world] != 0;
    if (!steps.terminated && steps.size() < task_.episode_length()) continue;
    if (!observed) task_.robot().observe(state_, observations_.data());
    observed = true;
    append_column({observations_.data(), task_.policy().inputs(), state_.stride}, world, steps.observations);
  }
}

// Counts the step; where an episode has ended, the next one begins.
void Rollouts::settle() {
  // downwards, because the last world takes the place of one that has nothing more to do
  for (std::size_t world = state_.worlds; world-- > 0;) {
    episodes_.fitness[world] += episodes_.reward[world];
    ++episodes_.steps[world];
    if (episodes_.fallen[world] != 0 || episodes_.steps[world] >= task_.episode_length()) end_episode(world);
  }
}

void Rollouts::end_episode(std::size_t world) {
  const std::size_t row = rollout_[world] - first_;
  out_->fitness[row] = episodes_.fitness[world];
  task_.robot().describe(episodes_, world, out_->descriptors.row(row));
  if (start_next(world)) return;
  const std::size_t last = state_.worlds - 1;
  if (world != last) {
    copy_world(state_, last, state_, world);
    episodes_.copy(last, world);
    policy_[world] = policy_[last];
    rollout_[world] = rollout_[last];
  }
  state_.worlds = last;
}

}  // namespace aria
