// The search gradient of an evolution strategy with mirrored samples (Salimans et al. 2017).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "aria/core/key.hpp"

namespace aria {

// gradient = 1/pairs * sum over pairs p of (utility[2p] - utility[2p + 1]) * noise_p. The sum has a fixed order:
// sixteen partial sums over pairs p % 16.

// With the noise of the samples around `id` drawn again from the key.
void search_gradient(Key key, std::uint32_t id, std::span<const float> utility, std::span<float> gradient);

// With the noise as it was kept, variate j of pair p at [(p / 16 * parameters + j) * 16 + p % 16]; the same bits.
void search_gradient(std::span<const float> noise, std::span<const float> utility, std::span<float> gradient);

}  // namespace aria
