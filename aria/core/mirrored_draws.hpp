// Both of a mirrored pair of perturbed vectors, drawn together: the noise they share never goes through memory.
#pragma once

#include <cstdint>
#include <span>

#include "aria/core/key.hpp"

namespace aria {

// plus[j] = centre[j] + scale * n[j] and minus[j] = centre[j] - scale * n[j], where n are the normal variates that
// `draw_normal_rows` gives.
void draw_mirrored(Key key, Purpose purpose, std::uint32_t id, std::uint32_t sample, std::span<const float> centre,
                   float scale, float* plus, float* minus);

}  // namespace aria
