#include "aria/run/memory_note.hpp"

#include <fmt/format.h>

namespace aria {

std::string memory_note(const std::string& learns, std::size_t bytes) {
  constexpr std::size_t kWorthTelling = 64'000'000;
  if (bytes < kWorthTelling) return "";
  // while a checkpoint is made or read there is a second copy
  return fmt::format("what {} from will take up to {:.2f} GB of memory, twice that while it is saved or read", learns,
                     static_cast<double>(bytes) / 1e9);
}

}  // namespace aria
