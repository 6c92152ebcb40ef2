#include <zip.h>

#include <array>
#include <limits>
#include <utility>

#include "aria/persistence/atomic_file.hpp"
#include "aria/persistence/file_error.hpp"
#include "aria/persistence/npy_header.hpp"
#include "aria/persistence/npz.hpp"
#include "aria/persistence/npz_names.hpp"
#include "aria/persistence/zip_sink-inl.h"

namespace aria {
namespace {

using ZipHandle = std::unique_ptr<zip_t, decltype(&zip_discard)>;

// libzip turns the date into seconds and back in the local time zone; no zone skips this hour, so the bytes are the
// same everywhere.
constexpr zip_uint16_t kDosDate = (1 << 5) | 1;  // 1980-01-01
constexpr zip_uint16_t kDosTime = 12 << 11;      // noon

[[noreturn]] void fail(zip_error_t* error) {
  throw InputError(fmt::format("cannot write it: {}", zip_error_strerror(error)));
}

ZipHandle open_for_writing(ZipSink& sink) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = sink.make_source(&error);
  zip_t* zip = source == nullptr ? nullptr : zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, &error);
  if (zip == nullptr) {
    zip_source_free(source);
    fail(&error);
  }
  zip_error_fini(&error);
  return {zip, &zip_discard};
}

}  // namespace

template <class T>
void NpzWriter::add(const std::string& name, std::vector<std::size_t> shape, std::span<const T> values) {
  std::size_t count = 1;
  for (const std::size_t dimension : shape) {
    require(dimension == 0 || count <= std::numeric_limits<std::size_t>::max() / dimension, name,
            "of a size that fits the memory", shape_text(shape));
    count *= dimension;
  }
  require(count == values.size(), fmt::format("the values of {}", name),
          fmt::format("as many as the shape {} says", shape_text(shape)), values.size());
  add_member({name + ".npy", format_npy_header(npy_type<T>(), shape), std::as_bytes(values)});
}

template void NpzWriter::add(const std::string&, std::vector<std::size_t>, std::span<const float>);
template void NpzWriter::add(const std::string&, std::vector<std::size_t>, std::span<const double>);
template void NpzWriter::add(const std::string&, std::vector<std::size_t>, std::span<const std::int8_t>);
template void NpzWriter::add(const std::string&, std::vector<std::size_t>, std::span<const std::int16_t>);
template void NpzWriter::add(const std::string&, std::vector<std::size_t>, std::span<const std::int32_t>);
template void NpzWriter::add(const std::string&, std::vector<std::size_t>, std::span<const std::int64_t>);
template void NpzWriter::add(const std::string&, std::vector<std::size_t>, std::span<const std::uint8_t>);
template void NpzWriter::add(const std::string&, std::vector<std::size_t>, std::span<const std::uint16_t>);
template void NpzWriter::add(const std::string&, std::vector<std::size_t>, std::span<const std::uint32_t>);
template void NpzWriter::add(const std::string&, std::vector<std::size_t>, std::span<const std::uint64_t>);

void NpzWriter::add_text(const std::string& member, std::string text) { add_member({member, std::move(text), {}}); }

void NpzWriter::add_member(Member member) {
  check_member_name(member.name);
  for (const Member& other : members_) {
    require(other.name != member.name, "the name of a member", "new", excerpt(member.name));
  }
  members_.push_back(std::move(member));
}

void NpzWriter::save(const std::filesystem::path& path) const {
  write_file_atomically(path, [&](const std::filesystem::path& temporary) { write_zip(temporary); });
}

void NpzWriter::write_zip(const std::filesystem::path& path) const {
  require(!members_.empty(), "its number of members", "at least 1", members_.size());
  ZipSink sink(path);
  ZipHandle zip = open_for_writing(sink);
  for (const Member& member : members_) {
    const std::array<zip_buffer_fragment_t, 2> fragments = {{
        // libzip only reads from buffers that it does not own; its type has no const
        {reinterpret_cast<zip_uint8_t*>(const_cast<char*>(member.head.data())), member.head.size()},
        {reinterpret_cast<zip_uint8_t*>(const_cast<std::byte*>(member.body.data())), member.body.size()},
    }};
    zip_source_t* source = zip_source_buffer_fragment(zip.get(), fragments.data(), fragments.size(), 0);
    if (source == nullptr) fail(zip_get_error(zip.get()));
    const zip_int64_t added = zip_file_add(zip.get(), member.name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (added < 0) {
      zip_source_free(source);
      fail(zip_get_error(zip.get()));
    }
    const auto index = static_cast<zip_uint64_t>(added);
    if (zip_set_file_compression(zip.get(), index, ZIP_CM_STORE, 0) != 0 ||
        zip_file_set_dostime(zip.get(), index, kDosTime, kDosDate, 0) != 0) {
      fail(zip_get_error(zip.get()));
    }
  }
  // everything is written here; where that succeeds the handle is gone, else it is still ours
  if (zip_close(zip.get()) != 0) fail(zip_get_error(zip.get()));
  static_cast<void>(zip.release());
}

}  // namespace aria
