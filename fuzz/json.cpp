// The JSON of our files: a summary, and the header within an archive, a checkpoint and re-evaluations. The zip around a
// header is right, so that no checksum hides what comes after it.
#include "aria/persistence/archive_file.hpp"
#include "aria/persistence/reevaluation_file.hpp"
#include "aria/persistence/state_file.hpp"
#include "aria/run/summary.hpp"
#include "fuzz/memory_file.hpp"
#include "fuzz/refusal.hpp"
#include "tests/persistence/zip_maker.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using aria::fuzz::read_or_refuse;
  using aria::testing::float_npy;
  static aria::fuzz::MemoryFile file;
  static const aria::Matrix solutions(2, 1, {1, 2});
  static const std::string rows = float_npy({1, 2}, "(2, 1)");
  static const std::string centroids = float_npy(std::vector<float>(18), "(9, 2)");
  const std::string text(reinterpret_cast<const char*>(data), size);
  // what was read is written again, and read again: the same
  read_or_refuse([&] {
    const std::string once = aria::parse_summary(text).to_json();
    if (aria::parse_summary(once).to_json() != once) std::abort();
  });
  const auto& path = file.holding(
      aria::testing::make_zip({{"header.json", text}, {"solution.npy", rows}, {"centroids.npy", centroids}}));
  read_or_refuse([&] { aria::read_archive(path); });
  read_or_refuse([&] { aria::read_state(path); });
  read_or_refuse([&] { aria::read_reevaluation(path, solutions); });
  return 0;
}
