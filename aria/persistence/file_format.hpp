// What an `.npz` of ours says it is.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace aria {

inline constexpr std::string_view kArchiveFormat = "aria-archive";
inline constexpr std::string_view kReevaluationFormat = "aria-reevaluations";

// The format that its header names, such as kArchiveFormat; nothing where the file is not one of ours.
std::string format_of_file(const std::filesystem::path& path);

}  // namespace aria
