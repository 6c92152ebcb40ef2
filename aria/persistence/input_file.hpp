// A file to be read, and bytes that come one after the other from a file or from a member of one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "aria/persistence/file_descriptor.hpp"

namespace aria {

// Bytes read once, from the front. Errors do not name where they come from: the caller knows.
class ByteSource {
 public:
  // Fills a part of the span, at least one byte; 0 at the end.
  using Read = std::function<std::size_t(std::span<std::byte>)>;

  // `size` is a claim; `backed` is how many bytes of the file stand behind it, fewer where they are compressed.
  ByteSource(std::uint64_t size, std::uint64_t backed, Read read);

  std::uint64_t left() const { return left_; }
  std::uint64_t backed() const { return backed_; }
  void read(std::span<std::byte> out);  // all of it, or an InputError
  void finish();                        // an InputError unless the end is here

 private:
  std::uint64_t left_;
  std::uint64_t backed_;
  Read read_;
};

// A regular file that is not empty. Errors do not name the path: `naming_file` adds it.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path);

  std::uint64_t size() const { return size_; }
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> out) const;  // fewer bytes only at the end
  std::string read_all() const;
  ByteSource source() const;  // lives no longer than the file

 private:
  FileDescriptor file_;
  std::uint64_t size_ = 0;
};

}  // namespace aria
