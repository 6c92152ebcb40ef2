// Makes zip files by hand, so that they can lie.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace aria::testing {

std::uint32_t zip_crc(std::string_view bytes);

// A deflate stream that holds `bytes` (below 64 KiB) as they are.
std::string deflate_without_compression(std::string_view bytes);

// The bytes of a .npy file, header as given.
std::string npy_bytes(std::string_view dict, std::string_view data, char version = 1);
std::string float_npy(const std::vector<float>& values, std::string_view shape);

struct ZipMember {
  std::string name;
  std::string data;                                    // as stored in the file
  std::uint16_t method = 0;                            // 0 stored, 8 deflated
  std::optional<std::uint32_t> size = std::nullopt;    // claimed, uncompressed
  std::optional<std::uint32_t> stored = std::nullopt;  // claimed, in the file
  std::optional<std::uint32_t> crc = std::nullopt;
  std::uint16_t flags = 0;
  std::optional<std::uint32_t> at = std::nullopt;  // only listed in the directory, as being at this place
};

// `entries64`: adds a zip64 end record that claims so many entries.
std::string make_zip(const std::vector<ZipMember>& members, std::optional<std::uint64_t> entries64 = std::nullopt);

}  // namespace aria::testing
