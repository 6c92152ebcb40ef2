#include "aria/persistence/npy.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <type_traits>
#include <utility>

#include "aria/persistence/file_error.hpp"
#include "aria/persistence/npy_header.hpp"

namespace aria {
namespace {

// Elements are copied between file and memory as they are.
static_assert(std::endian::native == std::endian::little, "the files are little-endian");

constexpr std::size_t kChunkBytes = std::size_t{1} << 20;  // stays in cache while its checksum is taken

template <class T>
void reverse_bytes(std::span<T> values) {
  for (T& value : values) std::ranges::reverse(std::as_writable_bytes(std::span(&value, 1)));
}

// Allocates only what the bytes of the file stand for; what a compressed member claims beyond is allocated as it comes.
template <class T>
std::vector<T> read_values(ByteSource& source, const NpyHeader& header) {
  const std::size_t count = npy_count(header);
  std::vector<T> values;
  values.reserve(std::min(count, static_cast<std::size_t>(source.backed()) / sizeof(T)));
  while (values.size() < count) {
    const std::size_t first = values.size();
    values.resize(first + std::min(count - first, kChunkBytes / sizeof(T)));
    source.read(std::as_writable_bytes(std::span(values).subspan(first)));
  }
  source.finish();
  if (header.big_endian) reverse_bytes(std::span(values));
  return values;
}

// IEEE 754 half precision; every value has an equal float.
float half_to_float(std::uint16_t half) {
  const int exponent = (half >> 10) & 0x1f;
  const auto fraction = static_cast<float>(half & 0x3ff);
  float magnitude = 0;
  if (exponent == 0x1f) {
    magnitude = (half & 0x3ff) == 0 ? HUGE_VALF : NAN;
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, -24);
  } else {
    magnitude = std::ldexp(fraction + 1024, exponent - 25);
  }
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

std::vector<float> read_halves(ByteSource& source, const NpyHeader& header) {
  const auto halves = read_values<std::uint16_t>(source, header);
  std::vector<float> values(halves.size());
  std::ranges::transform(halves, values.begin(), half_to_float);
  return values;
}

NpyArray::Values read_any(ByteSource& source, const NpyHeader& header) {
  const std::string_view type = header.type;
  if (type == "f2") return read_halves(source, header);
  if (type == "f4") return read_values<float>(source, header);
  if (type == "f8") return read_values<double>(source, header);
  if (type == "i1") return read_values<std::int8_t>(source, header);
  if (type == "i2") return read_values<std::int16_t>(source, header);
  if (type == "i4") return read_values<std::int32_t>(source, header);
  if (type == "i8") return read_values<std::int64_t>(source, header);
  if (type == "u2") return read_values<std::uint16_t>(source, header);
  if (type == "u4") return read_values<std::uint32_t>(source, header);
  if (type == "u8") return read_values<std::uint64_t>(source, header);
  return read_values<std::uint8_t>(source, header);  // u1 and b1: the header's parser lets nothing else through
}

// Walks the elements in C order and takes each from its place in Fortran order.
template <class T>
std::vector<T> transposed(const std::vector<T>& fortran, std::span<const std::size_t> shape) {
  std::vector<std::size_t> strides(shape.size(), 1);
  for (std::size_t d = 1; d < shape.size(); ++d) strides[d] = strides[d - 1] * shape[d - 1];

  std::vector<T> result(fortran.size());
  std::vector<std::size_t> position(shape.size(), 0);
  std::size_t offset = 0;
  for (T& value : result) {
    value = fortran[offset];
    for (std::size_t d = shape.size(); d-- > 0;) {
      offset += strides[d];
      if (++position[d] < shape[d]) break;
      offset -= strides[d] * shape[d];
      position[d] = 0;
    }
  }
  return result;
}

}  // namespace

template <class T>
std::string_view npy_type() {
  static constexpr bool kFloat = std::is_floating_point_v<T>;
  static constexpr char kName[] = {kFloat ? 'f' : std::is_signed_v<T> ? 'i' : 'u', static_cast<char>('0' + sizeof(T))};
  return {kName, 2};
}

template std::string_view npy_type<float>();
template std::string_view npy_type<double>();
template std::string_view npy_type<std::int8_t>();
template std::string_view npy_type<std::int16_t>();
template std::string_view npy_type<std::int32_t>();
template std::string_view npy_type<std::int64_t>();
template std::string_view npy_type<std::uint8_t>();
template std::string_view npy_type<std::uint16_t>();
template std::string_view npy_type<std::uint32_t>();
template std::string_view npy_type<std::uint64_t>();

NpyArray read_npy(ByteSource& source) {
  NpyHeader header = read_npy_header(source);
  const std::size_t bytes = npy_count(header) * header.item_size;
  require(bytes == source.left(), "the bytes of its elements",
          fmt::format("{}, as its shape {} says", bytes, shape_text(header.shape)), source.left());

  NpyArray array;
  array.values = read_any(source, header);
  array.shape = std::move(header.shape);
  if (header.fortran_order && array.shape.size() > 1) {
    std::visit([&](auto& values) { values = transposed(values, array.shape); }, array.values);
  }
  return array;
}

std::vector<float> to_floats(NpyArray array) {
  if (auto* floats = std::get_if<std::vector<float>>(&array.values)) return std::move(*floats);
  return std::visit(
      [](const auto& values) {
        std::vector<float> result(values.size());
        std::ranges::transform(values, result.begin(), [](auto value) { return static_cast<float>(value); });
        return result;
      },
      array.values);
}

template <class T>
std::vector<T> to_integers(NpyArray array) {
  if (auto* same = std::get_if<std::vector<T>>(&array.values)) return std::move(*same);
  return std::visit(
      []<class From>(const std::vector<From>& values) -> std::vector<T> {
        if constexpr (std::is_floating_point_v<From>) {
          throw InputError("its type must be integers, got floats");
        } else {
          std::vector<T> result(values.size());
          for (std::size_t i = 0; i < values.size(); ++i) {
            if (!std::in_range<T>(values[i])) {
              throw InputError(fmt::format("its value {} must fit {} bytes, got {}", i, sizeof(T), values[i]));
            }
            result[i] = static_cast<T>(values[i]);
          }
          return result;
        }
      },
      array.values);
}

template std::vector<std::int32_t> to_integers(NpyArray array);
template std::vector<std::int64_t> to_integers(NpyArray array);

}  // namespace aria
