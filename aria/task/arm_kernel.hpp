// SIMD kernels of the noisy arm; lanes are samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "aria/core/draws.hpp"
#include "aria/core/key.hpp"
#include "aria/core/matrix.hpp"

namespace aria {

// The kernel keeps one arm's angles on the stack.
inline constexpr std::size_t kMaxArmJoints = 1024;

struct ArmNoise {
  float fitness = 0;     // standard deviation
  float descriptor = 0;  // standard deviation, each coordinate
};

// One tile of evaluations without noise: structure of arrays.
struct ArmTile {
  float fitness[kDrawTile];
  float x[kDrawTile];
  float y[kDrawTile];
};

// The arms of up to kDrawTile genotypes; joint j of genotype i is at joints[j * kDrawTile + i].
void arm_forward(const float* joints, std::size_t joint_count, std::size_t count, bool variance, ArmTile& out);

// Adds the noise of sample samples[i] of ids[i] to entry i of the tile, and writes rows of results.
void arm_add_noise(const ArmTile& tile, Key key, ArmNoise noise, std::span<const std::uint32_t> ids,
                   std::span<const std::uint32_t> samples, float* fitness, float* descriptors);

// Pairs first_pair .. first_pair + pairs - 1 of mirrored samples around one centre.
struct MirroredRequest {
  std::span<const float> centre;
  float sigma;
  Key key;
  std::uint32_t id;
  std::size_t first_pair;
  std::size_t pairs;
};

struct MirroredRows {
  float* fitness;      // (2 pairs)
  float* descriptors;  // (2 pairs x 2)
  float* kept;         // noise of all pairs of the centre, as in Evaluations::perturbations; null: not wanted
};

void arm_mirrored(const MirroredRequest& request, bool variance, ArmNoise noise, const MirroredRows& out);

}  // namespace aria
