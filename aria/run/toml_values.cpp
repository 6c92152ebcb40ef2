#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

#include "aria/core/require.hpp"
#include "aria/run/toml_values-inl.h"

namespace aria {

namespace {

constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20;
// In a key each is a level of tables within tables, which the library walks through by recursion, as far as the stack
// reaches. It limits brackets itself.
constexpr std::ptrdiff_t kMaxConfigDots = 2000;

// ASCII alone: between tokens the library (toml++ 3.3) takes letters of other alphabets for what cannot be, and
// anything may happen then. No name and no value of ours has any.
bool is_text(char c) { return (c >= 0x20 && c < 0x7f) || c == '\t' || c == '\n' || c == '\r'; }

// A configuration file holds a page of settings: a large one is another file, given by mistake.
std::string read_text(const std::filesystem::path& path) {
  std::error_code error;
  require(std::filesystem::is_regular_file(path, error), "the configuration", "a file that exists", path.string());
  const auto bytes = std::filesystem::file_size(path, error);
  require(!error && bytes <= kMaxConfigBytes, fmt::format("the configuration {}", path.string()),
          fmt::format("at most {} bytes", kMaxConfigBytes), bytes);
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  require(stream.good() || stream.eof(), "the configuration", "readable", path.string());
  std::string result = text.str();
  const auto strange = std::ranges::find_if_not(result, is_text);
  if (strange != result.end()) {
    throw InputError(fmt::format("{}:{}: a configuration must be plain ASCII text, got a byte 0x{:02x}", path.string(),
                                 1 + std::count(result.begin(), strange, '\n'), static_cast<unsigned char>(*strange)));
  }
  const auto dots = std::ranges::count(result, '.');
  require(dots <= kMaxConfigDots, fmt::format("the configuration {}", path.string()),
          fmt::format("a page of settings, with at most {} dots", kMaxConfigDots), dots);
  return result;
}

}  // namespace

void read_toml(const std::filesystem::path& path,
               const std::function<void(const std::string& key, const toml::node& node)>& take) {
  const std::string text = read_text(path);
  try {
    const toml::table table = toml::parse(text);
    for (const auto& [key, node] : table) take(std::string(key.str()), node);
  } catch (const toml::parse_error& error) {
    throw InputError(fmt::format("{}:{}: {}", path.string(), error.source().begin.line, error.description()));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", path.string(), error.what()));
  }
}

std::string toml_text(const std::string& key, const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return fmt::format("{}", integer->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* list = node.as_array()) {
    std::vector<std::string> parts;
    for (const auto& element : *list) {
      require(element.is_integer(), key, "a list of whole numbers", "something else in it");
      parts.push_back(toml_text(key, element));
    }
    return fmt::format("{}", fmt::join(parts, ","));
  }
  throw InputError(fmt::format("{} must be a number, a text or a list of whole numbers", key));
}

}  // namespace aria
