// An .npz as it comes: the zip around the arrays, then an archive, a checkpoint and re-evaluations in it.
#include "aria/persistence/npz.hpp"
#include "aria/persistence/archive_file.hpp"
#include "aria/persistence/reevaluation_file.hpp"
#include "aria/persistence/state_file.hpp"
#include "fuzz/memory_file.hpp"
#include "fuzz/refusal.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using aria::fuzz::read_or_refuse;
  static aria::fuzz::MemoryFile file;
  static const aria::Matrix solutions(2, 1, {1, 2});
  const auto& path = file.holding(data, size);
  read_or_refuse([&] { aria::read_npz(path); });
  read_or_refuse([&] { aria::read_archive(path); });
  read_or_refuse([&] { aria::read_state(path); });
  read_or_refuse([&] { aria::read_reevaluation(path, solutions); });
  return 0;
}
