// JSON from anywhere. For .cpp files only: its types stay out of our headers.
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

namespace aria {

inline constexpr int kMaxJsonDepth = 64;  // our own files use 6

// Throws InputError where the text is nested so deeply that whoever walks through it would run out of stack, and the
// library's own exception where it is no JSON: callers know what it should have been.
nlohmann::ordered_json parse_json(std::string_view text);

}  // namespace aria
