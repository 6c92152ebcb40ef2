// NumPy arrays in memory: read from `.npy` bytes whatever their type, then converted to the type that is wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "aria/persistence/input_file.hpp"

namespace aria {

// Always in C order and in the machine's byte order. Arrays in Fortran order are transposed at reading, so that element
// [i][j] stays element [i][j]; booleans become uint8, floats of 2 bytes become floats of 4 (both without loss).
struct NpyArray {
  using Values =
      std::variant<std::vector<float>, std::vector<double>, std::vector<std::int8_t>, std::vector<std::int16_t>,
                   std::vector<std::int32_t>, std::vector<std::int64_t>, std::vector<std::uint8_t>,
                   std::vector<std::uint16_t>, std::vector<std::uint32_t>, std::vector<std::uint64_t>>;

  std::vector<std::size_t> shape;  // row-major; the product is the number of values
  Values values;

  friend bool operator==(const NpyArray&, const NpyArray&) = default;
};

// The type as NumPy writes it without byte order: "f4" for float, "i8" for std::int64_t, ...
template <class T>
std::string_view npy_type();

// Reads to the end of the source. Refuses (InputError) what claims more or fewer bytes than there are, before
// allocating.
NpyArray read_npy(ByteSource& source);

// Any float or integer type, rounded to the nearest float; too large a double becomes infinite.
std::vector<float> to_floats(NpyArray array);

// Integer types and booleans only, and only values that fit T (std::int32_t or std::int64_t).
template <class T>
std::vector<T> to_integers(NpyArray array);

}  // namespace aria
