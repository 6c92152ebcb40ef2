// Configuration files of runs and of studies.
#include "aria/run/configuration.hpp"
#include "aria/run/study_config.hpp"
#include "fuzz/memory_file.hpp"
#include "fuzz/refusal.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static aria::fuzz::MemoryFile file;
  const auto& path = file.holding(data, size);
  aria::fuzz::read_or_refuse([&] { aria::read_config(path); });
  aria::fuzz::read_or_refuse([&] { aria::read_study_config(path); });
  return 0;
}
