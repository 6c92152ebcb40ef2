// Numbers as text that a page can hold: base64 of little-endian arrays, and descriptors squeezed into 16 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "aria/core/matrix.hpp"

namespace aria {

std::string base64(std::span<const std::byte> bytes);

// T: float, std::int32_t, std::uint16_t or std::uint8_t.
template <class T>
std::string packed(std::span<const T> values);
template <class T>
std::string packed(const std::vector<T>& values) {
  return packed(std::span<const T>(values));
}

// Eight of the values, each 0 or 1, in a byte: the first one is the lowest bit.
std::string packed_bits(std::span<const std::uint8_t> values);

inline constexpr std::uint16_t kLargestQuantum = 65534;
inline constexpr std::uint16_t kFailedQuantum = 65535;  // stands where there is no descriptor

// Descriptors in 16 bits per number: value = lower + quantum / kLargestQuantum * (upper - lower).
struct QuantisedSamples {
  std::vector<double> lower;           // (m) least of the values
  std::vector<double> upper;           // (m) largest
  std::vector<std::uint16_t> quantum;  // (rows x m)
};

// `fitness` tells, row by row, which descriptors there are: NaN where the evaluation failed.
QuantisedSamples quantise(std::span<const float> fitness, MatrixView descriptors);

}  // namespace aria
