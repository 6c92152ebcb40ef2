// The text member `header.json` of our files: what they are, and in which version. For the .cpp files of this room
// only.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "aria/persistence/npz.hpp"

namespace aria {

inline constexpr std::string_view kHeaderMember = "header.json";
inline constexpr std::uint64_t kMaxJsonBytes = std::uint64_t{1} << 20;

// The text of a header; InputError where a string is not UTF-8 or the header is too long to be read back.
std::string format_header(const nlohmann::ordered_json& header);

// Reads the header and requires its format and version. Errors name the member.
nlohmann::ordered_json read_header(const NpzReader& reader, std::string_view format, int version);

// The value of a key, InputError where it is missing.
const nlohmann::ordered_json& json_at(const nlohmann::ordered_json& object, const std::string& key);

std::string json_string(const nlohmann::ordered_json& object, const std::string& key);
std::map<std::string, std::string> json_string_map(const nlohmann::ordered_json& object, const std::string& key);

}  // namespace aria
