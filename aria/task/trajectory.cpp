#include "aria/task/trajectory.hpp"

#include <utility>

#include "aria/policy/mlp.hpp"
#include "aria/task/rollout_resets.hpp"

namespace aria {

namespace {

// Steps a single world and writes down what happens.
class Recorder {
 public:
  Recorder(const RobotTask& task, std::span<const float> noise)
      : task_(task),
        state_(task.simulator().model(), 1),
        episodes_(state_.stride, task.robot().noted_size()),
        observations_(task.policy().inputs() * state_.stride),
        actions_(task.policy().outputs() * state_.stride) {
    trajectory_.noise.assign(noise.begin(), noise.end());
    trajectory_.descriptor.resize(task.robot().descriptor_size());
    std::vector<float> columns(noise.size() * state_.stride);
    for (std::size_t j = 0; j < noise.size(); ++j) columns[j * state_.stride] = noise[j];
    task_.simulator().reset(state_, columns.data(), columns.data() + columns.size() / 2);
    look();
  }

  // (inputs x stride) and (outputs x stride), of which the first column counts
  const float* observations() const { return observations_.data(); }
  float* actions() { return actions_.data(); }
  std::size_t stride() const { return state_.stride; }
  bool ended() const { return trajectory_.length > 0; }

  void step() {
    for (std::size_t j = 0; j < actions_.size(); j += stride()) trajectory_.action.push_back(actions_[j]);
    task_.robot().note(state_, episodes_);
    task_.simulator().step(state_, actions_.data());
    task_.robot().judge(state_, actions_.data(), episodes_);
    ++trajectory_.steps;
    trajectory_.reward.push_back(episodes_.reward[0]);
    trajectory_.terminated.push_back(episodes_.fallen[0]);
    if (!ended()) {
      episodes_.fitness[0] += episodes_.reward[0];
      ++episodes_.steps[0];
      trajectory_.fitness = episodes_.fitness[0];
      task_.robot().describe(episodes_, 0, trajectory_.descriptor);
      if (episodes_.fallen[0] != 0 || trajectory_.steps >= task_.episode_length())
        trajectory_.length = trajectory_.steps;
    }
    look();
  }

  Trajectory finish() {
    if (!ended()) trajectory_.length = trajectory_.steps;
    return std::move(trajectory_);
  }

 private:
  // What there is to be seen of the state.
  void look() {
    task_.robot().observe(state_, observations_.data());
    for (std::size_t i = 0; i < observations_.size(); i += stride())
      trajectory_.observation.push_back(observations_[i]);
    for (std::size_t b = 0; b < task_.simulator().model().bodies.size(); ++b) {
      append(state_.position, b, 3);
      append(state_.rotation, b, 4);
      append(state_.velocity, b, 3);
      append(state_.spin, b, 3);
      trajectory_.contact.push_back(touched_ground(state_, b, 0));
    }
  }

  void append(const std::vector<float>& values, std::size_t body, std::size_t components) {
    for (std::size_t c = 0; c < components; ++c) {
      trajectory_.state.push_back(values[(components * body + c) * stride()]);
    }
  }

  const RobotTask& task_;
  PhysicsState state_;
  Episodes episodes_;
  std::vector<float> observations_;
  std::vector<float> actions_;
  Trajectory trajectory_;
};

}  // namespace

Trajectory record_rollout(const RobotTask& task, std::span<const float> policy, std::span<const float> noise) {
  Mlp mlp(task.policy());
  Recorder recorder(task, noise);
  while (!recorder.ended()) {
    mlp.run_shared(policy.data(), recorder.observations(), recorder.actions(), 1, recorder.stride());
    recorder.step();
  }
  return recorder.finish();
}

Trajectory record_actions(const RobotTask& task, MatrixView actions, std::span<const float> noise) {
  Recorder recorder(task, noise);
  for (std::size_t t = 0; t < actions.rows(); ++t) {
    for (std::size_t j = 0; j < actions.columns(); ++j) recorder.actions()[j * recorder.stride()] = actions(t, j);
    recorder.step();
  }
  return recorder.finish();
}

std::vector<float> reset_noise(const RobotTask& task, Key key, std::uint32_t id, std::uint32_t sample) {
  const std::size_t joints = task.simulator().model().joints.size();
  std::vector<float> noise(2 * joints);
  draw_reset_noise(key, id, sample, task.reset_noise(), joints, noise.data(), 1);
  return noise;
}

}  // namespace aria
