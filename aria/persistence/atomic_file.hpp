// Files that are either the old one or the new one, never a part: written beside the old one, flushed, renamed over it.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace aria {

// On any failure the old file is as it was, the temporary file is gone, and an InputError names the path and the
// reason. (One failure comes too late for that: the new file is in place, but its folder could not be flushed to the
// disk.)
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

// The same with a file that `fill` writes itself: it gets the path of an empty file in the same folder.
void write_file_atomically(const std::filesystem::path& path,
                           const std::function<void(const std::filesystem::path& temporary)>& fill);

// Whether there is nothing in a folder but what processes that were killed left unfinished.
bool holds_nothing_finished(const std::filesystem::path& folder);

// Removes what processes that were killed left unfinished in a folder. Only where no other process writes there.
void remove_unfinished_files(const std::filesystem::path& folder);

}  // namespace aria
