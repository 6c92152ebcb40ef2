#include "aria/persistence/zip_sink-inl.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>

#include "aria/persistence/file_error.hpp"

namespace aria {

ZipSink::ZipSink(const std::filesystem::path& path) : file_(::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC)) {
  if (!file_.valid()) throw InputError(fmt::format("cannot write it: {}", system_reason(errno)));
  zip_error_init(&error_);
}

zip_int64_t ZipSink::write(const void* data, zip_uint64_t length) {
  const auto* bytes = static_cast<const char*>(data);
  zip_uint64_t done = 0;
  while (done < length) {
    const ssize_t written = ::pwrite(file_.get(), bytes + done, length - done, static_cast<off_t>(position_));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      zip_error_set(&error_, ZIP_ER_WRITE, errno);
      return -1;
    }
    done += static_cast<zip_uint64_t>(written);
    position_ += static_cast<std::uint64_t>(written);
  }
  end_ = std::max(end_, position_);
  return static_cast<zip_int64_t>(length);
}

zip_int64_t ZipSink::seek(void* data, zip_uint64_t length) {
  const zip_int64_t offset = zip_source_seek_compute_offset(position_, end_, data, length, &error_);
  if (offset < 0) return -1;
  position_ = static_cast<std::uint64_t>(offset);
  return 0;
}

zip_int64_t ZipSink::stat(void* data, zip_uint64_t length) {
  auto* status = ZIP_SOURCE_GET_ARGS(zip_stat_t, data, length, &error_);
  if (status == nullptr) return -1;
  zip_stat_init(status);
  status->size = end_;
  status->valid |= ZIP_STAT_SIZE;
  return sizeof(*status);
}

zip_int64_t ZipSink::command(void* self, void* data, zip_uint64_t length, zip_source_cmd_t what) {
  auto& sink = *static_cast<ZipSink*>(self);
  switch (what) {
    case ZIP_SOURCE_SUPPORTS:
      // libzip asks for the reading commands of whatever it opens, but reads nothing back from a new archive
      return zip_source_make_command_bitmap(
          ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR, ZIP_SOURCE_FREE,
          ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_BEGIN_WRITE, ZIP_SOURCE_COMMIT_WRITE, ZIP_SOURCE_ROLLBACK_WRITE,
          ZIP_SOURCE_SEEK_WRITE, ZIP_SOURCE_TELL_WRITE, ZIP_SOURCE_WRITE, ZIP_SOURCE_REMOVE, -1);
    case ZIP_SOURCE_WRITE:
      return sink.write(data, length);
    case ZIP_SOURCE_SEEK_WRITE:
      return sink.seek(data, length);
    case ZIP_SOURCE_TELL_WRITE:
      return static_cast<zip_int64_t>(sink.position_);
    case ZIP_SOURCE_STAT:
      return sink.stat(data, length);
    case ZIP_SOURCE_ERROR:
      return zip_error_to_data(&sink.error_, data, length);
    case ZIP_SOURCE_OPEN:
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
    case ZIP_SOURCE_BEGIN_WRITE:
    case ZIP_SOURCE_COMMIT_WRITE:
    case ZIP_SOURCE_ROLLBACK_WRITE:
      return 0;
    default:
      zip_error_set(&sink.error_, ZIP_ER_OPNOTSUPP, 0);
      return -1;
  }
}

}  // namespace aria
