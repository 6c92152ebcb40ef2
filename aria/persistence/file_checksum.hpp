// The checksum of a whole file, as text.
#pragma once

#include <filesystem>
#include <string>

namespace aria {

// Sixteen digits of `Checksum` over the bytes. An InputError names the file where it cannot be read.
std::string file_checksum(const std::filesystem::path& path);

}  // namespace aria
