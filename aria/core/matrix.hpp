// Row-major matrices of floats, and views of them that own nothing.
#pragma once

#include <cassert>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace aria {

// A view of `rows` x `columns` contiguous elements; T is `const float` where the view may not write.
template <class T>
class BasicMatrixView {
 public:
  BasicMatrixView() = default;
  BasicMatrixView(T* data, std::size_t rows, std::size_t columns) : data_(data), rows_(rows), columns_(columns) {}
  // a view that may write serves where one may only read
  template <class U>
  requires std::is_same_v<const U, T> BasicMatrixView(const BasicMatrixView<U>& other)
      : BasicMatrixView(other.data(), other.rows(), other.columns()) {}

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  std::size_t size() const { return rows_ * columns_; }
  bool empty() const { return size() == 0; }
  T* data() const { return data_; }
  std::span<T> row(std::size_t r) const {
    assert(r < rows_);
    return {data_ + r * columns_, columns_};
  }
  std::span<T> values() const { return {data_, size()}; }
  T& operator()(std::size_t r, std::size_t c) const {
    assert(r < rows_ && c < columns_);
    return data_[r * columns_ + c];
  }
  BasicMatrixView rows(std::size_t first, std::size_t count) const {
    assert(first + count <= rows_);
    return {data_ + first * columns_, count, columns_};
  }

 private:
  T* data_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
};

using MatrixView = BasicMatrixView<const float>;
using MutableMatrixView = BasicMatrixView<float>;

// A matrix that owns its elements. `resize` keeps the allocation, so a matrix can be refilled in a loop.
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t columns) : values_(rows * columns), rows_(rows), columns_(columns) {}
  Matrix(std::size_t rows, std::size_t columns, std::vector<float> values)
      : values_(std::move(values)), rows_(rows), columns_(columns) {
    assert(values_.size() == rows * columns);
  }

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  bool empty() const { return values_.empty(); }
  const std::vector<float>& values() const { return values_; }
  float* data() { return values_.data(); }
  const float* data() const { return values_.data(); }

  std::span<float> row(std::size_t r) { return view().row(r); }
  std::span<const float> row(std::size_t r) const { return view().row(r); }
  float& operator()(std::size_t r, std::size_t c) { return view()(r, c); }
  float operator()(std::size_t r, std::size_t c) const { return view()(r, c); }

  MutableMatrixView view() { return {values_.data(), rows_, columns_}; }
  MatrixView view() const { return {values_.data(), rows_, columns_}; }
  operator MatrixView() const { return view(); }

  void resize(std::size_t rows, std::size_t columns) {
    values_.resize(rows * columns);
    rows_ = rows;
    columns_ = columns;
  }
  void append_row(std::span<const float> row) {
    assert(rows_ == 0 || row.size() == columns_);
    values_.insert(values_.end(), row.begin(), row.end());
    columns_ = row.size();
    ++rows_;
  }

  friend bool operator==(const Matrix&, const Matrix&) = default;

 private:
  std::vector<float> values_;  // (rows x columns), row-major
  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
};

}  // namespace aria
