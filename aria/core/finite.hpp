// Whether floats are finite, quickly: nearly always all of them are.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace aria {

inline bool is_finite(float x) {
  constexpr std::uint32_t kExponent = 0x7F800000u;  // all ones for infinities and NaNs, and for nothing else
  return (std::bit_cast<std::uint32_t>(x) & kExponent) != kExponent;
}

bool all_finite_by_vectors(std::span<const float> values);

inline bool all_finite(std::span<const float> values) {
  // a descriptor's few coordinates are not worth the call
  constexpr std::size_t kFew = 32;
  return values.size() < kFew ? std::all_of(values.begin(), values.end(), is_finite) : all_finite_by_vectors(values);
}

}  // namespace aria
