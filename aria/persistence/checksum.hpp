// A checksum that tells damaged bytes, not a forger.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "aria/core/matrix.hpp"

namespace aria {

// FNV-1a over words of 8 bytes, with a shift so that high bits reach the low ones. Each step is invertible: any change
// of one word changes the result.
class Checksum {
 public:
  void add(std::uint64_t word) {
    value_ = (value_ ^ word) * 0x100000001b3u;
    value_ ^= value_ >> 29;
  }
  // The length goes first, so that neighbours cannot exchange bytes.
  void add(std::span<const std::byte> bytes) {
    add(std::uint64_t{bytes.size()});
    for (; bytes.size() >= sizeof(std::uint64_t); bytes = bytes.subspan(sizeof(std::uint64_t))) {
      add(word_of(bytes.first(sizeof(std::uint64_t))));
    }
    if (!bytes.empty()) add(word_of(bytes));
  }
  void add(std::string_view text) { add(std::as_bytes(std::span(text))); }

  std::uint64_t value() const { return value_; }

 private:
  static std::uint64_t word_of(std::span<const std::byte> bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), bytes.size());
    return word;
  }

  std::uint64_t value_ = 0xcbf29ce484222325u;
};

// Of the values of a matrix, as sixteen digits: tells the genotypes of one archive from those of another.
inline std::string checksum_text(const Matrix& matrix) {
  Checksum sum;
  sum.add(std::as_bytes(std::span(matrix.values())));
  return fmt::format("{:016x}", sum.value());
}

}  // namespace aria
