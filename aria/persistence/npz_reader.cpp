#include <zip.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "aria/persistence/file_error.hpp"
#include "aria/persistence/input_file.hpp"
#include "aria/persistence/npz.hpp"
#include "aria/persistence/npz_names.hpp"

namespace aria {
namespace {

using ZipHandle = std::unique_ptr<zip_t, decltype(&zip_discard)>;
using MemberHandle = std::unique_ptr<zip_file_t, decltype(&zip_fclose)>;

// A member's place and claims; all of them were checked against the file.
struct Entry {
  zip_uint64_t index = 0;
  std::uint64_t size = 0;    // bytes when read
  std::uint64_t stored = 0;  // bytes in the file
};

std::uint64_t little_endian_64(std::span<const std::byte> bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), sizeof(value));
  return value;
}

// libzip 1.7 allocates as many directory entries as a zip64 end record claims, before looking at any. An entry takes at
// least 46 bytes of the file, so a larger claim is a lie. It takes any end record in the last 64 KiB into account.
void check_claimed_entries(const InputFile& file) {
  constexpr std::size_t kEndRecords = 0xffff + 22 + 20;  // longest comment, end record, zip64 locator
  constexpr std::uint64_t kEntryBytes = 46;
  constexpr std::string_view kLocator = "PK\x06\x07";
  constexpr std::string_view kEnd64 = "PK\x06\x06";

  std::string tail(std::min<std::uint64_t>(file.size(), kEndRecords), '\0');
  file.read_at(file.size() - tail.size(), std::as_writable_bytes(std::span(tail)));
  for (std::size_t at = tail.find(kLocator); at != std::string::npos; at = tail.find(kLocator, at + 1)) {
    if (tail.size() - at < 20) break;
    const std::uint64_t end64 = little_endian_64(std::as_bytes(std::span(tail)).subspan(at + 8));
    std::string record(56, '\0');
    if (end64 > file.size() || file.read_at(end64, std::as_writable_bytes(std::span(record))) < record.size()) continue;
    if (!record.starts_with(kEnd64)) continue;
    const std::uint64_t entries = little_endian_64(std::as_bytes(std::span(record)).subspan(32));
    require(entries <= file.size() / kEntryBytes, "its number of members",
            fmt::format("at most what {} bytes can hold", file.size()), entries);
  }
}

ZipHandle open_zip(const std::filesystem::path& path) {
  int code = 0;
  // the check compares every member's own header with the directory at the end
  zip_t* zip = zip_open(path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &code);
  if (zip == nullptr) {
    if (code == ZIP_ER_EXISTS) throw InputError("the names of its members must differ, got the same one twice");
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    throw InputError(fmt::format("it must be a whole zip file, got one that is damaged: {}", reason));
  }
  return {zip, &zip_discard};
}

Entry checked_entry(const zip_stat_t& status) {
  constexpr zip_uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD |
                                   ZIP_STAT_ENCRYPTION_METHOD | ZIP_STAT_CRC;
  const std::string name = excerpt(status.name);
  require((status.valid & kNeeded) == kNeeded, name, "a member of known size and kind", "an incomplete entry");
  require(status.encryption_method == ZIP_EM_NONE, name, "without a password", "an encrypted member");
  const bool deflated = status.comp_method == ZIP_CM_DEFLATE;
  require(deflated || status.comp_method == ZIP_CM_STORE, name, "stored or deflated",
          fmt::format("compression method {}", status.comp_method));
  if (!deflated) {
    require(status.size == status.comp_size, fmt::format("the size of {}", name),
            fmt::format("the {} bytes it takes in the file", status.comp_size), status.size);
  } else {
    require(status.size / kMaxDeflateRatio <= status.comp_size, fmt::format("the size of {}", name),
            fmt::format("at most {} times its {} compressed bytes", kMaxDeflateRatio, status.comp_size), status.size);
  }
  return {status.index, status.size, status.comp_size};
}

std::size_t read_some(zip_file_t* file, std::span<std::byte> out) {
  const zip_int64_t got = zip_fread(file, out.data(), out.size());
  if (got < 0) {
    throw InputError(fmt::format("it is damaged: {}", zip_error_strerror(zip_file_get_error(file))));
  }
  return static_cast<std::size_t>(got);
}

}  // namespace

struct NpzReader::Zip {
  ZipHandle handle{nullptr, &zip_discard};
  std::vector<std::string> names;                     // in the order of the file
  std::map<std::string, Entry, std::less<>> entries;  // by name

  // Runs `work` on the bytes of a member, and names the member in the errors.
  template <class Work>
  auto with_source(std::string_view member, Work&& work) {
    const auto found = entries.find(member);
    require(found != entries.end(), "it", fmt::format("a file with a member {}", member), describe());
    const Entry& entry = found->second;
    return naming(printable(member), [&] {
      const MemberHandle file(zip_fopen_index(handle.get(), entry.index, 0), &zip_fclose);
      if (!file) throw InputError(fmt::format("cannot read it: {}", zip_strerror(handle.get())));
      ByteSource source(entry.size, entry.stored,
                        [&file](std::span<std::byte> out) { return read_some(file.get(), out); });
      return work(source);
    });
  }

  std::string describe() const {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : " ") + name;
    return excerpt(all);
  }

  void add(const zip_stat_t& status) {
    check_member_name(status.name);
    const bool fresh = entries.emplace(status.name, checked_entry(status)).second;
    require(fresh, "the names of its members", "different", excerpt(status.name));
    names.emplace_back(status.name);
  }
};

NpzReader::NpzReader(const std::filesystem::path& path) : zip_(std::make_unique<Zip>()) {
  const InputFile file(path);
  check_claimed_entries(file);
  zip_->handle = open_zip(path);

  std::uint64_t stored = 0;
  std::uint64_t inflated = 0;
  const zip_int64_t count = zip_get_num_entries(zip_->handle.get(), 0);
  for (zip_uint64_t i = 0; i < static_cast<zip_uint64_t>(count); ++i) {
    zip_stat_t status;
    zip_stat_init(&status);
    if (zip_stat_index(zip_->handle.get(), i, ZIP_FL_ENC_RAW, &status) != 0) {
      throw InputError(fmt::format("it must be a whole zip file: {}", zip_strerror(zip_->handle.get())));
    }
    zip_->add(status);
    // members that overlap would let a small file claim its bytes many times over
    require(status.comp_size <= file.size() - stored, "the size of its members together",
            fmt::format("at most its {} bytes", file.size()), "more");
    stored += status.comp_size;
    if (status.comp_method == ZIP_CM_STORE) continue;
    require(status.size <= kMaxInflatedBytes - inflated, "the size of its compressed members together",
            fmt::format("at most {} bytes (save it uncompressed)", kMaxInflatedBytes), "more");
    inflated += status.size;
  }
}

NpzReader::~NpzReader() = default;
NpzReader::NpzReader(NpzReader&&) noexcept = default;
NpzReader& NpzReader::operator=(NpzReader&&) noexcept = default;

const std::vector<std::string>& NpzReader::members() const { return zip_->names; }

bool NpzReader::has_member(std::string_view member) const { return zip_->entries.contains(member); }

bool NpzReader::has_array(std::string_view name) const { return has_member(fmt::format("{}.npy", name)); }

NpyArray NpzReader::read_array(std::string_view name) const {
  return zip_->with_source(fmt::format("{}.npy", name), [](ByteSource& source) { return read_npy(source); });
}

std::string NpzReader::read_text(std::string_view member, std::uint64_t max_bytes) const {
  return zip_->with_source(member, [&](ByteSource& source) {
    require(source.left() <= max_bytes, "its length", fmt::format("at most {} bytes", max_bytes), source.left());
    std::string text(static_cast<std::size_t>(source.left()), '\0');
    source.read(std::as_writable_bytes(std::span(text)));
    source.finish();
    return text;
  });
}

std::map<std::string, NpyArray> read_npz(const std::filesystem::path& path) {
  return naming_file(path, [&] {
    const NpzReader reader(path);
    std::map<std::string, NpyArray> arrays;
    for (const std::string& member : reader.members()) {
      if (!member.ends_with(".npy")) continue;
      const std::string name = member.substr(0, member.size() - 4);
      arrays.emplace(name, reader.read_array(name));
    }
    return arrays;
  });
}

}  // namespace aria
