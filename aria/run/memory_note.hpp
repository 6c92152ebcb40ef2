// What is said of memory before a run: who runs out of it after hours would have liked to know.
#pragma once

#include <cstddef>
#include <string>

namespace aria {

// "what `learns` from will take up to ..."; empty where that is too little to mention.
std::string memory_note(const std::string& learns, std::size_t bytes);

}  // namespace aria
