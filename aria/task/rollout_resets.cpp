#include "aria/task/rollout_resets.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "aria/core/draws.hpp"

namespace aria {

namespace {

constexpr std::size_t kPrepared = 16;  // worlds at a time: whole vectors everywhere

}  // namespace

void draw_reset_noise(Key key, std::uint32_t id, std::uint32_t sample, float amplitude, std::size_t joints, float* out,
                      std::size_t stride) {
  for (std::uint32_t block = 0; block < draw_blocks(2 * joints); ++block) {
    const PhiloxCounter bits = key.bits(Purpose::kTaskNoise, id, sample, block);
    for (std::size_t w = 0; w < kDrawsPerBlock && block * kDrawsPerBlock + w < 2 * joints; ++w) {
      out[(block * kDrawsPerBlock + w) * stride] = amplitude * (2 * uniform_from(bits[w]) - 1);
    }
  }
}

RolloutResets::RolloutResets(const RobotTask& task, const SampleRequest& request)
    : task_(task),
      request_(request),
      prepared_(task.simulator().model(), kPrepared),
      noise_(2 * task.simulator().model().joints.size() * prepared_.stride) {}

void RolloutResets::start(std::size_t evaluation, std::size_t end, PhysicsState& state, std::size_t world) {
  if (evaluation < first_ || evaluation >= first_ + count_) prepare(evaluation, end);
  copy_world(prepared_, evaluation - first_, state, world);
}

void RolloutResets::prepare(std::size_t first, std::size_t end) {
  const std::size_t joints = task_.simulator().model().joints.size();
  first_ = first;
  count_ = std::min(kPrepared, end - first);
  prepared_.worlds = count_;
  for (std::size_t i = 0; i < count_; ++i) {
    draw_reset_noise(request_.key, request_.ids[(first + i) / request_.samples],
                     static_cast<std::uint32_t>((first + i) % request_.samples), task_.reset_noise(), joints,
                     &noise_[i], prepared_.stride);
  }
  task_.simulator().reset(prepared_, noise_.data(), &noise_[joints * prepared_.stride]);
}

}  // namespace aria
