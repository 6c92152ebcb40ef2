#include "aria/task/rollout_policies.hpp"

#include <cstdint>
#include <numeric>
#include <span>
#include <utility>

#include "aria/core/draws.hpp"
#include "aria/core/finite.hpp"
#include "aria/core/mirrored_draws.hpp"
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
      places_(places),
      stride_((request.centres.columns() + kCacheLine - 1) / kCacheLine * kCacheLine),
      slot_(places + 1) {
  if (request.sigma == 0) return;
  std::iota(slot_.begin(), slot_.end(), std::size_t{0});
  thread_policies.resize(slot_.size() * stride_ + kCacheLine);
  const auto address = reinterpret_cast<std::uintptr_t>(thread_policies.data()) / sizeof(float);
  drawn_ = thread_policies.data() + (kCacheLine - address % kCacheLine) % kCacheLine;
}

const float* RolloutPolicies::take(std::size_t evaluation, std::size_t place) {
  const std::size_t centre = evaluation / request_.samples;
  if (centre != checked_) {
    checked_ = centre;
    finite_ = all_finite(request_.centres.row(centre));
  }
  if (!finite_) return nullptr;
  if (request_.sigma == 0) return request_.centres.row(centre).data();
  draw(evaluation, place);
  return drawn(place);
}

// Mirrored policies are drawn in pairs; the second one waits until it is taken, which is next.
void RolloutPolicies::draw(std::size_t evaluation, std::size_t place) {
  const std::size_t centre = evaluation / request_.samples;
  const std::size_t sample = evaluation % request_.samples;
  if (!request_.mirrored) return draw_alone(centre, sample, drawn(place));
  if (evaluation == waiting_) {
    std::swap(slot_[place], slot_[places_]);
    waiting_ = kNone;
    return;
  }
  const bool second = sample % 2 == 1;
  draw_mirrored(request_.key, Purpose::kPerturbation, request_.ids[centre], noise_stream(request_, sample),
                request_.centres.row(centre), request_.sigma, drawn(second ? places_ : place),
                drawn(second ? place : places_));
  waiting_ = second ? evaluation - 1 : evaluation + 1;
}

void RolloutPolicies::draw_alone(std::size_t centre, std::size_t sample, float* policy) {
  const std::uint32_t stream = noise_stream(request_, sample);
  const std::span<const float> from = request_.centres.row(centre);
  thread_noise.resize(normal_blocks(from.size()) * kNormalsPerBlock);
  draw_normal_rows(request_.key, Purpose::kPerturbation, std::span(&request_.ids[centre], 1), std::span(&stream, 1),
                   from.size(), thread_noise.data());
  const float* const noise = thread_noise.data();
  for (std::size_t j = 0; j < from.size(); ++j) policy[j] = from[j] + request_.sigma * noise[j];
}

}  // namespace aria
