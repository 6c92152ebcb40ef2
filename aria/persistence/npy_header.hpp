// The header of a NumPy `.npy` array: element type, order, shape.
// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aria/persistence/input_file.hpp"

namespace aria {

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";
inline constexpr std::size_t kMaxNpyDimensions = 8;
inline constexpr std::size_t kMaxNpyHeaderBytes = 10000;  // as NumPy's own limit

struct NpyHeader {
  std::string type;           // kind and bytes per element: f2 f4 f8, i1..i8, u1..u8, b1
  std::size_t item_size = 0;  // bytes
  bool big_endian = false;
  bool fortran_order = false;      // the first dimension is the fastest
  std::vector<std::size_t> shape;  // its product, and the product's bytes, are known to fit std::size_t
};

std::size_t npy_count(const NpyHeader& header);

// A shape as Python writes a tuple: "()", "(3,)", "(3, 4)".
std::string shape_text(std::span<const std::size_t> shape);

// Reads versions 1 to 3 and leaves the source at the first element.
NpyHeader read_npy_header(ByteSource& source);

// The bytes of a version 1.0 header, padded so that the elements start at a multiple of 64 bytes.
// `type` as in NpyHeader; little-endian, C order.
std::string format_npy_header(std::string_view type, std::span<const std::size_t> shape);

}  // namespace aria
