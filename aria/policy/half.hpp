// Sixteen-bit floats (IEEE 754 binary16), to keep many numbers in little memory. Integer arithmetic and operations that
// round exactly: the same bits on every machine.
#pragma once

#include <bit>
#include <cstdint>

namespace aria {

// Rounded to the nearest, ties to even. What is too large becomes the largest there is, 65504, not infinity: nothing
// that is computed from it later should overflow. NaN stays NaN.
inline std::uint16_t half_from(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  std::uint32_t result;
  if (magnitude > 0x7F800000u) {
    result = 0x7E00u;
  } else if (magnitude >= 0x477FF000u) {  // 65520 and more
    result = 0x7BFFu;
  } else if (magnitude < 0x38800000u) {
    // below 2^-14: multiples of 2^-24, which is what adding 0.5 rounds to
    result = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - std::bit_cast<std::uint32_t>(0.5f);
  } else {
    // exponents of 15 less; a carry out of the mantissa goes where it belongs
    result = (magnitude - 0x38000000u + 0xFFFu + ((magnitude >> 13) & 1u)) >> 13;
  }
  return static_cast<std::uint16_t>(sign | result);
}

// Exact, of finite numbers and NaN.
inline float from_half(std::uint16_t half) {
  const std::uint32_t magnitude = (half & 0x7FFFu) << 13;
  // the exponent's missing 112 by a multiplication, which also gives those below 2^-14 their leading bit
  const auto scaled = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
  const std::uint32_t not_finite = magnitude >= 0x0F800000u ? 0x7F800000u : 0u;
  return std::bit_cast<float>(scaled | not_finite | (half & 0x8000u) << 16);
}

}  // namespace aria
