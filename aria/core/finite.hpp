// Whether floats are finite, quickly: nearly always all of them are.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace aria {

inline bool is_finite(float x) {
  constexpr std::uint32_t kExponent = 0x7F800000u;  // all ones for infinities and NaNs, and for nothing else
  return (std::bit_cast<std::uint32_t>(x) & kExponent) != kExponent;
}

bool all_finite(std::span<const float> values);

}  // namespace aria
