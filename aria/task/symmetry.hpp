// Symmetries of a task: a map of genotypes and the map of descriptors that goes with it. The mapped genotype's results
// are distributed as the genotype's own, with mapped descriptors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "aria/policy/mlp_shape.hpp"

namespace aria {

// Numbers change places and signs, and may be shifted: out[i] = sign[i] * in[from[i]] + offset[i].
struct SignedMap {
  std::vector<std::uint32_t> from;  // a permutation
  std::vector<float> sign;          // 1 or -1
  std::vector<float> offset;        // empty: none

  std::size_t size() const { return from.size(); }
  void apply(std::span<const float> in, std::span<float> out) const;
  // An InputError where it is not what the comments say, or not of this size. `what` names the map.
  void check(std::size_t expected_size, const std::string& what) const;
};

// The map that changes nothing.
SignedMap unchanged(std::size_t size);

// First `first`, then `second`.
SignedMap composed(const SignedMap& first, const SignedMap& second);

struct TaskSymmetry {
  std::string name;  // in a few words
  SignedMap genotype;
  SignedMap descriptor;
};

// The symmetries that follow from a few, by doing one after the other: together with doing nothing a group. The few
// come first. An InputError where they have no end, as with shifts that add up.
std::vector<TaskSymmetry> generated_by(const std::vector<TaskSymmetry>& few);

// What a policy becomes when what it sees and what it does are mapped: it answers the mapped observation with the
// mapped action. The rows of the first layer's weights and the columns of the last one's change places and signs.
SignedMap policy_map(const MlpShape& shape, const SignedMap& observations, const SignedMap& actions);

}  // namespace aria
