// Parameters in training: what Adam remembers of them, and a target that follows them slowly.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "aria/core/state.hpp"
#include "aria/optim/adam.hpp"
#include "aria/policy/network.hpp"

namespace aria {

class TrainedNetwork {
 public:
  // The target starts where the parameters do.
  TrainedNetwork(const MlpShape& shape, std::vector<float> parameters);
  // moved, not copied: the packed weights look at the parameters
  TrainedNetwork(TrainedNetwork&&) = default;
  TrainedNetwork& operator=(TrainedNetwork&&) = default;

  const std::vector<float>& parameters() const { return parameters_; }
  const std::vector<float>& target() const { return target_; }
  const PackedWeights& packed() const { return packed_; }
  const PackedWeights& packed_target() const { return packed_target_; }

  std::span<float> gradient() { return gradient_; }  // for the caller to set before `ascend`

  // A step of Adam up the gradient; then the target becomes (1 - rate) target + rate parameters.
  void ascend(const AdamConfig& adam, double rate);

  // The same without a target.
  void ascend(const AdamConfig& adam);
  // Hands the parameters to `change`, a function of std::span<float>.
  template <class F>
  void change(const F& change_parameters) {
    change_parameters(std::span<float>(parameters_));
    pack();
  }

  State save() const;
  void load(const State& state);

 private:
  void pack();

  std::vector<float> parameters_;
  std::vector<float> target_;
  std::vector<float> gradient_;
  AdamState adam_;
  PackedWeights packed_;
  PackedWeights packed_target_;
};

}  // namespace aria
