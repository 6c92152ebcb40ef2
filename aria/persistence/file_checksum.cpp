#include "aria/persistence/file_checksum.hpp"

#include <vector>

#include "aria/persistence/checksum.hpp"
#include "aria/persistence/file_error.hpp"
#include "aria/persistence/input_file.hpp"

namespace aria {

std::string file_checksum(const std::filesystem::path& path) {
  return naming_file(path, [&] {
    const InputFile file(path);
    Checksum sum;
    // pieces of one size, whatever the file's: how it is cut is part of the sum
    std::vector<std::byte> piece(std::size_t{1} << 20);
    for (std::uint64_t offset = 0; offset < file.size();) {
      const std::size_t got = file.read_at(offset, piece);
      require(got > 0, "its length", fmt::format("{} bytes", file.size()), offset);
      sum.add(std::span<const std::byte>(piece).first(got));
      offset += got;
    }
    return fmt::format("{:016x}", sum.value());
  });
}

}  // namespace aria
