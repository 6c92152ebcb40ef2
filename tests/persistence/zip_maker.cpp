#include "zip_maker.hpp"

namespace aria::testing {
namespace {

std::string number(std::uint64_t value, std::size_t bytes) {
  std::string result;
  for (std::size_t i = 0; i < bytes; ++i) result += static_cast<char>((value >> (8 * i)) & 0xff);
  return result;
}

// The fields that a member's own header and its entry in the directory have in common.
std::string common_fields(const ZipMember& member) {
  const auto length = static_cast<std::uint32_t>(member.data.size());
  return number(20, 2) + number(member.flags, 2) + number(member.method, 2) + number(0, 2) + number(0x21, 2) +
         number(member.crc.value_or(zip_crc(member.data)), 4) + number(member.stored.value_or(length), 4) +
         number(member.size.value_or(length), 4) + number(member.name.size(), 2) + number(0, 2);
}

std::string zip64_end(std::uint64_t entries, std::uint64_t directory_size, std::uint64_t directory_offset) {
  const std::string record = "PK\x06\x06" + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 8) +
                             number(entries, 8) + number(entries, 8) + number(directory_size, 8) +
                             number(directory_offset, 8);
  return record + "PK\x06\x07" + number(0, 4) + number(directory_offset + directory_size, 8) + number(1, 4);
}

}  // namespace

std::uint32_t zip_crc(std::string_view bytes) {
  std::uint32_t crc = 0xffffffffu;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

std::string deflate_without_compression(std::string_view bytes) {
  return "\x01" + number(bytes.size(), 2) + number(~bytes.size(), 2) + std::string(bytes);
}

std::string npy_bytes(std::string_view dict, std::string_view data, char version) {
  return std::string("\x93NUMPY") + version + '\0' + number(dict.size(), version == 1 ? 2 : 4) + std::string(dict) +
         std::string(data);
}

std::string float_npy(const std::vector<float>& values, std::string_view shape) {
  const std::string_view data(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  return npy_bytes("{'descr': '<f4', 'fortran_order': False, 'shape': " + std::string(shape) + ", }", data);
}

std::string make_zip(const std::vector<ZipMember>& members, std::optional<std::uint64_t> entries64) {
  std::string bytes;
  std::string directory;
  for (const ZipMember& member : members) {
    // the comment's length, the disk and the attributes come between the common fields and the place
    directory += "PK\x01\x02" + number(20, 2) + common_fields(member) + number(0, 8) + number(0, 2) +
                 number(member.at.value_or(static_cast<std::uint32_t>(bytes.size())), 4) + member.name;
    if (!member.at) bytes += "PK\x03\x04" + common_fields(member) + member.name + member.data;
  }
  const std::size_t offset = bytes.size();
  bytes += directory;
  if (entries64) bytes += zip64_end(*entries64, directory.size(), offset);
  const std::uint64_t count = entries64 ? 0xffff : members.size();
  return bytes + "PK\x05\x06" + number(0, 4) + number(count, 2) + number(count, 2) + number(directory.size(), 4) +
         number(offset, 4) + number(0, 2);
}

}  // namespace aria::testing
