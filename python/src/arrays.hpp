// Arrays between NumPy and the library. What Python hands over is contiguous and of the right type already: the
// package sees to that, and says what is wrong in its own words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "aria/core/matrix.hpp"

namespace aria::python {

namespace nb = nanobind;

template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// An array of NumPy's that owns the values.
template <class T>
nb::object to_numpy(std::vector<T> values, const std::vector<std::size_t>& shape) {
  auto owner = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owner->data();
  const nb::capsule deleter(owner.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(data, shape.size(), shape.data(), deleter));
}
template <class T>
nb::object to_numpy(const std::vector<T>& values) {
  return to_numpy(values, {values.size()});
}
inline nb::object to_numpy(const Matrix& matrix) {
  return to_numpy(matrix.values(), {matrix.rows(), matrix.columns()});
}

// An array of NumPy's whose rows are to be written.
using WritableRows = nb::ndarray<nb::numpy, float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
inline nb::object empty_rows(std::size_t rows, std::size_t columns) {
  return nb::module_::import_("numpy").attr("empty")(nb::make_tuple(rows, columns), "float32");
}
inline MutableMatrixView rows_of(const nb::object& array) {
  const auto rows = nb::cast<WritableRows>(array);
  return {rows.data(), rows.shape(0), rows.shape(1)};
}

inline Matrix to_matrix(const Rows& array) {
  return {array.shape(0), array.shape(1), std::vector<float>(array.data(), array.data() + array.size())};
}
template <class T>
std::vector<T> to_vector(const Vector<T>& array) {
  return {array.data(), array.data() + array.size()};
}

}  // namespace aria::python
