#include "aria/persistence/state_file.hpp"

#include <algorithm>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "aria/persistence/checksum.hpp"
#include "aria/persistence/file_error.hpp"
#include "aria/persistence/json_header-inl.h"
#include "aria/persistence/npz.hpp"

namespace aria {
namespace {

using Json = nlohmann::ordered_json;
using Notes = std::map<std::string, std::string>;

constexpr std::string_view kFormat = "aria-checkpoint";
constexpr int kVersion = 1;

// A member may not have '/' in its name: 'aria/steps' is stored as 'aria.steps', and a '.' as '%'.
std::string swap_separators(std::string name, std::string_view from, std::string_view to) {
  for (char& c : name) {
    const std::size_t at = from.find(c);
    if (at != std::string_view::npos) c = to[at];
  }
  return name;
}

std::string member_of(const std::string& name) {
  constexpr std::string_view kAllowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-";
  const bool parts = !name.empty() && !name.starts_with('/') && !name.ends_with('/') &&
                     name.find("//") == std::string::npos && name.find_first_not_of(kAllowed) == std::string::npos;
  require(parts, "the name of an entry", "parts of [A-Za-z0-9_.-] separated by '/'", excerpt(name));
  return swap_separators(name, "/.", ".%");
}

std::string name_of(const std::string& member) { return swap_separators(member, ".%", "/."); }

std::string checksum_of(const State& state) {
  Checksum sum;
  for (const auto& [name, array] : state.arrays()) {
    sum.add(name);
    sum.add(std::uint64_t{array.values.index()});
    sum.add(std::uint64_t{array.shape.size()});
    for (const std::size_t dimension : array.shape) sum.add(std::uint64_t{dimension});
    std::visit([&](const auto& values) { sum.add(std::as_bytes(std::span(values))); }, array.values);
  }
  return fmt::format("{:016x}", sum.value());
}

StateArray state_array(NpyArray array) {
  StateArray result;
  std::visit(
      [&]<class T>(std::vector<T>& values) {
        if constexpr (std::is_constructible_v<decltype(result.values), std::vector<T>>) {
          result.values = std::move(values);
        } else {
          throw InputError(fmt::format("its type must be f4, f8, i8 or u4, got {}", npy_type<T>()));
        }
      },
      array.values);
  result.shape = std::move(array.shape);
  return result;
}

State read_arrays(const NpzReader& reader) {
  State state;
  for (const std::string& member : reader.members()) {
    if (!member.ends_with(".npy")) continue;
    const std::string stem = member.substr(0, member.size() - 4);
    NpyArray array = reader.read_array(stem);
    naming(printable(member), [&] { state.arrays()[name_of(stem)] = state_array(std::move(array)); });
  }
  return state;
}

}  // namespace

void write_state(const std::filesystem::path& path, const State& state, const Notes& notes) {
  NpzWriter writer;
  naming_file(path, [&] {
    Json header;
    header["format"] = kFormat;
    header["version"] = kVersion;
    header["notes"] = notes;
    header["checksum"] = checksum_of(state);
    writer.add_text(std::string(kHeaderMember), format_header(header));
    for (const auto& entry : state.arrays()) {
      const std::string member = member_of(entry.first);
      const StateArray& array = entry.second;
      std::visit([&](const auto& values) { writer.add(member, array.shape, values); }, array.values);
    }
  });
  writer.save(path);
}

State read_state(const std::filesystem::path& path, Notes* notes) {
  return naming_file(path, [&] {
    const NpzReader reader(path);
    const Json header = read_header(reader, kFormat, kVersion);
    State state = read_arrays(reader);
    naming(kHeaderMember, [&] {
      const std::string expected = json_string(header, "checksum");
      const std::string got = checksum_of(state);
      require(got == expected, "the checksum of the arrays", excerpt(expected), excerpt(got));
      if (notes != nullptr) *notes = json_string_map(header, "notes");
    });
    return state;
  });
}

}  // namespace aria
