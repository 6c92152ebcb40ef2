#include "aria/persistence/file_error.hpp"

#include <system_error>

namespace aria {

std::string system_reason(int error_number) { return std::generic_category().message(error_number); }

std::string printable(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string result;
  for (const char c : text.substr(0, kLongest)) result += (c >= ' ' && c <= '~') ? c : '?';
  return result + (text.size() > kLongest ? "..." : "");
}

std::string excerpt(std::string_view text) { return fmt::format("'{}'", printable(text)); }

}  // namespace aria
