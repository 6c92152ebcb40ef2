#include "aria/persistence/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "aria/persistence/file_error.hpp"

namespace aria {

ByteSource::ByteSource(std::uint64_t size, std::uint64_t backed, Read read)
    : left_(size), backed_(backed), read_(std::move(read)) {}

void ByteSource::read(std::span<std::byte> out) {
  require(out.size() <= left_, "its length", fmt::format("at least {} bytes more", out.size()), left_);
  while (!out.empty()) {
    const std::size_t got = read_(out);
    require(got > 0, "its length", fmt::format("{} bytes more, as claimed", left_), "the end");
    left_ -= got;
    out = out.subspan(got);
  }
}

void ByteSource::finish() {
  require(left_ == 0, "its end", "after the last value", fmt::format("{} bytes more", left_));
  std::byte extra{};
  // reading past the end is also what makes a zip member compare its checksum
  require(read_({&extra, 1}) == 0, "its length", "as claimed", "more bytes");
}

InputFile::InputFile(const std::filesystem::path& path)
    // without O_NONBLOCK opening a named pipe would wait for a writer
    : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  if (!file_.valid()) throw InputError(fmt::format("cannot open it: {}", system_reason(errno)));
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0) throw InputError(fmt::format("cannot open it: {}", system_reason(errno)));
  require(S_ISREG(status.st_mode), "it", "a regular file", S_ISDIR(status.st_mode) ? "a folder" : "something else");
  require(status.st_size > 0, "its length", "at least 1 byte", status.st_size);
  size_ = static_cast<std::uint64_t>(status.st_size);
}

std::size_t InputFile::read_at(std::uint64_t offset, std::span<std::byte> out) const {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got = ::pread(file_.get(), out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw InputError(fmt::format("cannot read it: {}", system_reason(errno)));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

std::string InputFile::read_all() const {
  std::string text(size_, '\0');
  text.resize(read_at(0, std::as_writable_bytes(std::span(text))));
  return text;
}

ByteSource InputFile::source() const {
  return {size_, size_, [this, offset = std::uint64_t{0}](std::span<std::byte> out) mutable {
            const std::size_t got = read_at(offset, out);
            offset += got;
            return got;
          }};
}

}  // namespace aria
