// The policies of a request's rollouts. A perturbed one is drawn when its rollout begins, into memory that stays in
// cache; one that is not perturbed is the centre itself.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "aria/task/sample_request.hpp"

namespace aria {

class RolloutPolicies {
 public:
  // `places`: policies in use at a time.
  RolloutPolicies(const SampleRequest& request, std::size_t places);

  // The policy of an evaluation; null if it has weights that are not finite. Good until `place` is taken again.
  const float* take(std::size_t evaluation, std::size_t place);

 private:
  float* drawn(std::size_t place) const { return drawn_ + slot_[place] * stride_; }
  void draw(std::size_t evaluation, std::size_t place);
  void draw_alone(std::size_t centre, std::size_t sample, float* policy);

  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  const SampleRequest& request_;
  std::size_t places_;
  std::size_t stride_;             // of the policies in memory: whole cache lines
  float* drawn_ = nullptr;         // (places + 1 x stride), each where a cache line begins
  std::vector<std::size_t> slot_;  // (places + 1) where a place's policy lies; the last place is of one that waits
  std::size_t waiting_ = kNone;    // evaluation that waits: the other one of the pair drawn last
  std::size_t checked_ = kNone;    // centre whose weights were looked at last
  bool finite_ = false;            // what was found
};

}  // namespace aria
