// What the messages about files are made of: reasons of the system, short quotes of foreign bytes, the file's name.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "aria/core/require.hpp"

namespace aria {

// The words of the system for an error number, e.g. "No such file or directory".
std::string system_reason(int error_number);

// Foreign text, fit for a message of one line: cut where long, unprintable bytes as '?'.
std::string printable(std::string_view text);
std::string excerpt(std::string_view text);  // the same in quotes

// Runs `work` and puts a name before the message of any InputError: inner readers need not know where they are.
template <class Work>
auto naming(std::string_view name, Work&& work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", name, error.what()));
  }
}

template <class Work>
auto naming_file(const std::filesystem::path& path, Work&& work) {
  return naming(path.string(), work);
}

}  // namespace aria
