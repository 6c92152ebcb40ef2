// What an `.npz` of ours says it is.
#pragma once

#include <filesystem>
#include <string>

namespace aria {

// The format that its header names, such as "aria-archive"; nothing where the file is not one of ours.
std::string format_of_file(const std::filesystem::path& path);

}  // namespace aria
