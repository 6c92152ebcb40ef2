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
  void draw(std::size_t centre, std::size_t sample, float* policy);

  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  const SampleRequest& request_;
  std::size_t stride_;                // of the policies in memory: whole cache lines
  float* drawn_ = nullptr;            // (places x stride), each where a cache line begins
  std::vector<float>& noise_;         // of the pair drawn last
  std::size_t noise_stream_ = kNone;  // centre * samples + pair or sample that `noise_` belongs to
  std::size_t checked_ = kNone;       // centre whose weights were looked at last
  bool finite_ = false;               // what was found
};

}  // namespace aria
