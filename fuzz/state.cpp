// A checkpoint whose zip is right: what is fuzzed is the names and the bytes of its members. The input is cut at each
// "\n\n": a member's name, its bytes, a name, and so on.
#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "aria/archive/archive.hpp"
#include "aria/archive/pareto_archive.hpp"
#include "aria/persistence/archive_columns.hpp"
#include "aria/persistence/npz.hpp"
#include "aria/persistence/state_file.hpp"
#include "aria/run/run_loop.hpp"
#include "fuzz/memory_file.hpp"
#include "fuzz/refusal.hpp"
#include "tests/persistence/zip_maker.hpp"

namespace {

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find("\n\n");
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 2);
  }
}

std::string zip_of(const std::vector<std::string>& parts) {
  std::vector<aria::testing::ZipMember> members;
  for (std::size_t i = 0; i + 1 < parts.size(); i += 2) members.push_back({parts[i], parts[i + 1]});
  return aria::testing::make_zip(members);
}

// As `read_state` makes it, but for the checksum, which would keep everything that comes after it to itself.
aria::State state_of(const std::map<std::string, aria::NpyArray>& arrays) {
  aria::State state;
  for (const auto& [name, array] : arrays) {
    aria::StateArray& entry = state.arrays()[name];
    entry.shape = array.shape;
    std::visit(
        [&entry]<class T>(const std::vector<T>& values) {
          if constexpr (std::is_constructible_v<decltype(entry.values), std::vector<T>>) entry.values = values;
        },
        array.values);
  }
  return state;
}

// What has been loaded must be fit for use.
void load(const aria::State& state) {
  static const aria::Grid grid(aria::GridShape{{3, 3}, {0, 0}, {1, 1}});
  aria::fuzz::read_or_refuse([&] {
    aria::RunProgress progress;
    progress.load(state);
    progress.log.to_csv();
  });
  aria::fuzz::read_or_refuse([&] {
    aria::Archive archive(grid, 2);
    archive.load(state);
    if (archive.size() > 0) aria::check_table(archive.table());
    aria::Archive again(grid, 2);
    again.load(archive.save());
    if (!(again == archive)) std::abort();
  });
  aria::fuzz::read_or_refuse([&] {
    aria::ParetoArchive archive(grid, 2, 4);
    archive.load(state);
    if (archive.size() > 0) aria::check_table(archive.table([](float a, float b) { return double{a} + double{b}; }));
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static aria::fuzz::MemoryFile file;
  const std::string bytes = zip_of(parts_of({reinterpret_cast<const char*>(data), size}));
  const auto& path = file.holding(bytes);
  aria::fuzz::read_or_refuse([&] { aria::read_state(path); });
  aria::fuzz::read_or_refuse([&] { load(state_of(aria::read_npz(path))); });
  return 0;
}
