// Solves small symmetric positive definite systems.
#pragma once

#include <cassert>
#include <cmath>
#include <cstddef>
#include <span>

namespace aria {

// Turns the lower triangle of the n x n matrix (row-major) into its Cholesky factor. The matrix must be positive
// definite, which a ridge on its diagonal makes sure of.
inline void cholesky(std::span<double> matrix, std::size_t n) {
  assert(matrix.size() == n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = matrix[i * n + j];
      for (std::size_t k = 0; k < j; ++k) sum -= matrix[i * n + k] * matrix[j * n + k];
      matrix[i * n + j] = i == j ? std::sqrt(sum) : sum / matrix[j * n + j];
    }
  }
}

// Replaces `values` by the solution of the system whose factor is given.
inline void cholesky_solve(std::span<const double> factor, std::span<double> values) {
  const std::size_t n = values.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) values[i] -= factor[i * n + k] * values[k];
    values[i] /= factor[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) values[i] -= factor[k * n + i] * values[k];
    values[i] /= factor[i * n + i];
  }
}

}  // namespace aria
