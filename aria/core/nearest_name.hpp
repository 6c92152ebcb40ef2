// "Did you mean ...?" for a name that does not exist.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace aria {

// The name with the fewest edits from `wanted`, or an empty string where none is near.
std::string nearest_name(std::string_view wanted, std::span<const std::string> names);

// Throws an InputError that names what was asked for, the nearest name there is, and all the names.
[[noreturn]] void throw_unknown(std::string_view kind, std::string_view wanted, std::span<const std::string> names);

}  // namespace aria
