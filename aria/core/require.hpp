// Errors for bad input: each message names the thing, the rule it broke, and the value received.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace aria {

// Thrown for anything a user can mend: a setting, a file, a folder. The command line turns it into exit code 2.
class InputError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

template <class T>
void require(bool ok, std::string_view name, std::string_view rule, const T& got) {
  if (!ok) throw InputError(fmt::format("{} must be {}, got {}", name, rule, got));
}

}  // namespace aria
