// Checkpoints on the disk: the state of an algorithm and notes about it.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "aria/core/state.hpp"

namespace aria {

// Writes an `.npz` with one array per entry of the state and a text `header.json` with the notes and a checksum over
// all arrays. Names of entries are parts of [A-Za-z0-9_.-] separated by '/'. The file is replaced as a whole or not at
// all. Throws InputError naming the path.
void write_state(const std::filesystem::path& path, const State& state,
                 const std::map<std::string, std::string>& notes);

// Reads it back bit for bit, notes included where asked for. Throws InputError naming the path.
State read_state(const std::filesystem::path& path, std::map<std::string, std::string>* notes = nullptr);

}  // namespace aria
