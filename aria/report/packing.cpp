#include "aria/report/packing.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <string_view>

namespace aria {

static_assert(std::endian::native == std::endian::little, "arrays are packed as they lie in memory");

std::string base64(std::span<const std::byte> bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    // three bytes are four digits; what is missing in the last three is told by '='
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8 | (j < count ? std::to_integer<std::uint32_t>(bytes[i + j]) : 0);
    for (std::size_t j = 0; j < 4; ++j) text += j <= count ? kDigits[bits >> (18 - 6 * j) & 63u] : '=';
  }
  return text;
}

template <class T>
std::string packed(std::span<const T> values) {
  return base64(std::as_bytes(values));
}
template std::string packed(std::span<const float>);
template std::string packed(std::span<const std::int32_t>);
template std::string packed(std::span<const std::uint16_t>);
template std::string packed(std::span<const std::uint8_t>);

std::string packed_bits(std::span<const std::uint8_t> values) {
  std::vector<std::uint8_t> bytes((values.size() + 7) / 8);
  for (std::size_t i = 0; i < values.size(); ++i) {
    assert(values[i] <= 1);
    bytes[i / 8] = static_cast<std::uint8_t>(bytes[i / 8] | values[i] << (i % 8));
  }
  return packed(bytes);
}

QuantisedSamples quantise(std::span<const float> fitness, MatrixView descriptors) {
  assert(fitness.size() == descriptors.rows());
  const std::size_t m = descriptors.columns();
  QuantisedSamples result{std::vector<double>(m, std::numeric_limits<double>::infinity()),
                          std::vector<double>(m, -std::numeric_limits<double>::infinity()),
                          std::vector<std::uint16_t>(descriptors.size(), kFailedQuantum)};
  const auto each_value = [&](const auto& visit) {
    for (std::size_t row = 0; row < descriptors.rows(); ++row) {
      if (std::isnan(fitness[row])) continue;
      for (std::size_t k = 0; k < m; ++k) visit(row, k, static_cast<double>(descriptors(row, k)));
    }
  };
  each_value([&](std::size_t, std::size_t k, double value) {
    result.lower[k] = std::min(result.lower[k], value);
    result.upper[k] = std::max(result.upper[k], value);
  });
  // a range for where there is nothing at all
  for (std::size_t k = 0; k < m; ++k) {
    if (result.lower[k] > result.upper[k]) result.lower[k] = result.upper[k] = 0;
  }
  each_value([&](std::size_t row, std::size_t k, double value) {
    const double width = result.upper[k] - result.lower[k];
    const double share = width > 0 ? (value - result.lower[k]) / width : 0;
    result.quantum[row * m + k] = static_cast<std::uint16_t>(std::lround(share * kLargestQuantum));
  });
  return result;
}

}  // namespace aria
