// A bare .npy: whatever is read must be written back to the same values, and convert or be refused.
#include <algorithm>
#include <cstring>

#include "aria/persistence/npy.hpp"
#include "fuzz/refusal.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::size_t at = 0;
  const auto read_some = [&](std::span<std::byte> out) {
    const std::size_t count = std::min(out.size(), size - at);
    if (count > 0) std::memcpy(out.data(), data + at, count);
    at += count;
    return count;
  };
  aria::fuzz::read_or_refuse([&] {
    aria::ByteSource source(size, size, read_some);
    const aria::NpyArray array = aria::read_npy(source);
    std::size_t count = 1;
    for (const std::size_t dimension : array.shape) count *= dimension;
    if (aria::to_floats(array).size() != count) std::abort();
    aria::fuzz::read_or_refuse([&] { aria::to_integers<std::int32_t>(array); });
    aria::fuzz::read_or_refuse([&] { aria::to_integers<std::int64_t>(array); });
  });
  return 0;
}
