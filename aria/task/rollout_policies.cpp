#include "aria/task/rollout_policies.hpp"

#include <cstdint>
#include <span>

#include "aria/core/draws.hpp"
#include "aria/core/finite.hpp"
#include "aria/task/samples.hpp"

namespace aria {

namespace {

constexpr std::size_t kCacheLine = 16;  // floats

// Memory of the thread: policies are too large to be allocated anew for every few rollouts.
thread_local std::vector<float> thread_policies;
thread_local std::vector<float> thread_noise;

}  // namespace

RolloutPolicies::RolloutPolicies(const SampleRequest& request, std::size_t places)
    : request_(request),
      stride_((request.centres.columns() + kCacheLine - 1) / kCacheLine * kCacheLine),
      noise_(thread_noise) {
  if (request.sigma == 0) return;
  thread_policies.resize(places * stride_ + kCacheLine);
  const auto address = reinterpret_cast<std::uintptr_t>(thread_policies.data()) / sizeof(float);
  drawn_ = thread_policies.data() + (kCacheLine - address % kCacheLine) % kCacheLine;
  noise_.resize(draw_blocks(request.centres.columns()) * kDrawsPerBlock);
}

const float* RolloutPolicies::take(std::size_t evaluation, std::size_t place) {
  const std::size_t centre = evaluation / request_.samples;
  if (centre != checked_) {
    checked_ = centre;
    finite_ = all_finite(request_.centres.row(centre));
  }
  if (!finite_) return nullptr;
  if (request_.sigma == 0) return request_.centres.row(centre).data();
  float* const policy = drawn_ + place * stride_;
  draw(centre, evaluation % request_.samples, policy);
  return policy;
}

void RolloutPolicies::draw(std::size_t centre, std::size_t sample, float* policy) {
  const std::uint32_t stream = noise_stream(request_, sample);
  // the second of a pair finds the noise of the first
  if (const std::size_t name = centre * request_.samples + stream; name != noise_stream_) {
    draw_normal_rows(request_.key, Purpose::kPerturbation, std::span(&request_.ids[centre], 1), std::span(&stream, 1),
                     request_.centres.columns(), noise_.data());
    noise_stream_ = name;
  }
  const float scale = noise_scale(request_, sample);
  const std::span<const float> from = request_.centres.row(centre);
  for (std::size_t j = 0; j < from.size(); ++j) policy[j] = from[j] + scale * noise_[j];
}

}  // namespace aria
