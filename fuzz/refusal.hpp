// What a reader may do with bytes from anywhere: take them, or refuse them with a message of one line. Any other
// exception is a find.
#pragma once

#include <cstdlib>
#include <string_view>

#include "aria/core/require.hpp"

namespace aria::fuzz {

inline constexpr std::size_t kLongestMessage = 4096;

template <class Read>
void read_or_refuse(Read&& read) {
  try {
    read();
  } catch (const InputError& error) {
    const std::string_view message = error.what();
    if (message.empty() || message.size() > kLongestMessage) std::abort();
  }
}

}  // namespace aria::fuzz
