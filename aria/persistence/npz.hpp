// NumPy's `.npz`: a zip whose members are `.npy` arrays, here with texts beside them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aria/core/matrix.hpp"
#include "aria/persistence/npy.hpp"

namespace aria {

// Compressed members may together claim this much; uncompressed ones are bounded by the file that holds them.
inline constexpr std::uint64_t kMaxInflatedBytes = std::uint64_t{4} << 30;
inline constexpr std::uint64_t kMaxDeflateRatio = 1032;  // no deflate stream expands more

// Collects arrays and writes them at once. The same content gives the same bytes: members are stored uncompressed, in
// the order they were added, with a fixed date. Arrays are not copied: what is added must live until `save`.
class NpzWriter {
 public:
  // T: float, double or an integer of 1 to 8 bytes. The product of the shape must be the number of values.
  template <class T>
  void add(const std::string& name, std::vector<std::size_t> shape, std::span<const T> values);
  template <class T>
  void add(const std::string& name, std::vector<std::size_t> shape, const std::vector<T>& values) {
    add(name, std::move(shape), std::span<const T>(values));
  }
  template <class T>
  void add(const std::string& name, const std::vector<T>& values) {
    add(name, {values.size()}, std::span<const T>(values));
  }
  void add(const std::string& name, const Matrix& values) {
    add(name, {values.rows(), values.columns()}, std::span<const float>(values.values()));
  }
  // A temporary would be gone at `save`.
  template <class T>
  void add(const std::string& name, std::vector<std::size_t> shape, std::vector<T>&& values) = delete;
  template <class T>
  void add(const std::string& name, std::vector<T>&& values) = delete;
  void add(const std::string& name, Matrix&& values) = delete;

  // A member that is not an array; its name is taken as it is. The text is copied.
  void add_text(const std::string& member, std::string text);

  // Replaces the file as a whole or not at all (atomic_file.hpp). Throws InputError naming the path and the reason.
  void save(const std::filesystem::path& path) const;

 private:
  struct Member {
    std::string name;                 // as in the zip
    std::string head;                 // a text, or the header of an array
    std::span<const std::byte> body;  // the elements of an array
  };
  void add_member(Member member);
  void write_zip(const std::filesystem::path& path) const;

  std::vector<Member> members_;
};

// Opens a file from anywhere: names, sizes and claims of all members are checked before anything is read or allocated.
// Errors are InputErrors that name the member but not the path: `naming_file` adds it.
class NpzReader {
 public:
  explicit NpzReader(const std::filesystem::path& path);
  ~NpzReader();
  NpzReader(NpzReader&&) noexcept;
  NpzReader& operator=(NpzReader&&) noexcept;

  const std::vector<std::string>& members() const;  // in the order of the file; arrays end in ".npy"
  bool has_member(std::string_view member) const;
  bool has_array(std::string_view name) const;
  NpyArray read_array(std::string_view name) const;  // the member `name`.npy, compared with its checksum
  std::string read_text(std::string_view member, std::uint64_t max_bytes) const;

 private:
  struct Zip;
  std::unique_ptr<Zip> zip_;
};

// Every array of the file, by name without ".npy". Throws InputError naming the path.
std::map<std::string, NpyArray> read_npz(const std::filesystem::path& path);

}  // namespace aria
