// Up the critic: how a critic's value of what a policy does changes with the policy's parameters.
#pragma once

#include <cstddef>
#include <span>

#include "aria/policy/network.hpp"

namespace aria {

// Holds the memory that it works in. Passes over different blocks, and different parts of the gradient, may run on
// different threads.
class PolicyGradient {
 public:
  // The critic takes an observation and an action, and gives one value.
  PolicyGradient(const MlpShape& actor, const MlpShape& critic, std::size_t samples);

  LaneMatrix& observations() { return observations_; }  // for the caller to set

  // Of the mean of critic(s, actor(s)) over the observations: first `pass` over all blocks, then every part.
  void pass(const PackedWeights& actor, const PackedWeights& critic, BlockRange range);
  std::size_t parts() const { return actor_.gradient_parts(); }
  void part(std::size_t number, std::span<float> gradient);

  // All of it.
  void run(const PackedWeights& actor, const PackedWeights& critic, std::span<float> gradient);

 private:
  Network actor_;
  Network critic_;
  LaneMatrix observations_;
  LaneMatrix critic_inputs_;  // observations, then actions
};

// Copies the rows of `from` to the rows of `to` from first_row on.
void copy_rows(const LaneMatrix& from, BlockRange range, std::size_t first_row, LaneMatrix& to);

}  // namespace aria
