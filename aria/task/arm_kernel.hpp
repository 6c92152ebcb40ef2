// SIMD kernels of the noisy arm; lanes are samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "aria/core/draws.hpp"
#include "aria/core/key.hpp"
#include "aria/core/matrix.hpp"
#include "aria/task/sample_request.hpp"

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

// The arms of up to kDrawTile genotypes, one per row.
void arm_forward(MatrixView genotypes, bool variance, ArmTile& out);

// Whose noise is what: samples 2p and 2p + 1 of an id share the variates of (id, p), three each for fitness, x and y.
// So one block serves two samples.
inline constexpr std::size_t kArmNoise = 3;
static_assert(2 * kArmNoise <= kNormalsPerBlock);

// These add noise to entries of a tile and write rows of results. First, sample 0 of ids[i] to entry i:
void arm_add_single_noise(const ArmTile& tile, Key key, ArmNoise noise, std::span<const std::uint32_t> ids,
                          float* fitness, float* descriptors);

// Many samples of one entry.
struct RepeatedSamples {
  std::uint32_t id;
  std::size_t first;
  std::size_t count;
};
void arm_add_repeated_noise(const ArmTile& tile, std::size_t entry, const RepeatedSamples& samples, Key key,
                            ArmNoise noise, float* fitness, float* descriptors);

// Sample samples[i] of ids[i] to entry i.
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
