// Floats by their bits: for comparisons that tell -0 from 0 and find a NaN equal to itself.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace aria::testing {

inline std::vector<std::uint32_t> bits_of(std::span<const float> values) {
  std::vector<std::uint32_t> result;
  result.reserve(values.size());
  for (const float value : values) result.push_back(std::bit_cast<std::uint32_t>(value));
  return result;
}

}  // namespace aria::testing
