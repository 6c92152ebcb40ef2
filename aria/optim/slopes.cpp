#include "aria/optim/slopes.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

#include "aria/core/draws.hpp"
#include "aria/optim/cholesky.hpp"

namespace aria {

namespace {

// Up to this many parameters per pair the regression is solved exactly, and up to this many in all.
constexpr std::size_t kExactPerPair = 4;
constexpr std::size_t kMaxExact = 256;
constexpr std::size_t kLanes = 8;

// In a fixed order: eight partial sums.
double dot(std::span<const float> a, const float* b) {
  std::array<double, kLanes> sums{};
  const std::size_t whole = a.size() / kLanes * kLanes;
  for (std::size_t j = 0; j < whole; j += kLanes) {
    for (std::size_t k = 0; k < kLanes; ++k) sums[k] += double{a[j + k]} * double{b[j + k]};
  }
  double sum = 0;
  for (std::size_t j = whole; j < a.size(); ++j) sum += double{a[j]} * double{b[j]};
  for (const double s : sums) sum += s;
  return sum;
}

// Sums over the usable pairs.
struct Sums {
  Sums(std::size_t outputs, std::size_t parameters, bool exact)
      : weighted(outputs * parameters), covariance(exact ? parameters * parameters : 0) {}

  std::size_t pairs = 0;
  std::vector<double> weighted;    // (outputs x parameters) what the slopes leave unexplained times the noise
  std::vector<double> covariance;  // (parameters x parameters) of the noise; empty where it is not needed
};

void add_pair(const PairSamples& samples, std::size_t pair, const float* noise, MatrixView slopes, Sums& sums) {
  const std::size_t parameters = slopes.columns();
  for (std::size_t o = 0; o < slopes.rows(); ++o) {
    const double unexplained = samples.differences(pair, o) / samples.sigma - dot(slopes.row(o), noise);
    double* to = &sums.weighted[o * parameters];
    for (std::size_t j = 0; j < parameters; ++j) to[j] += unexplained * double{noise[j]};
  }
  ++sums.pairs;
  if (sums.covariance.empty()) return;
  for (std::size_t i = 0; i < parameters; ++i) {
    for (std::size_t j = 0; j <= i; ++j) sums.covariance[i * parameters + j] += double{noise[i]} * double{noise[j]};
  }
}

Sums sum_up(const PairSamples& samples, MatrixView slopes, bool exact) {
  const std::size_t parameters = slopes.columns();
  const std::size_t stride = normal_blocks(parameters) * kNormalsPerBlock;
  Sums sums(slopes.rows(), parameters, exact);
  std::vector<float> noise(stride * kLanes);
  const std::array<std::uint32_t, kLanes> ids = [&] {
    std::array<std::uint32_t, kLanes> all{};
    all.fill(samples.id);
    return all;
  }();
  for (std::size_t first = 0; first < samples.usable.size(); first += kLanes) {
    const std::size_t count = std::min(kLanes, samples.usable.size() - first);
    std::array<std::uint32_t, kLanes> pairs{};
    for (std::size_t i = 0; i < count; ++i) pairs[i] = static_cast<std::uint32_t>(first + i);
    draw_normal_rows(samples.key, Purpose::kPerturbation, std::span(ids).first(count), std::span(pairs).first(count),
                     parameters, noise.data());
    for (std::size_t i = 0; i < count; ++i) {
      if (samples.usable[first + i] != 0) add_pair(samples, first + i, &noise[i * stride], slopes, sums);
    }
  }
  return sums;
}

}  // namespace

void update_slopes(const PairSamples& samples, double memory, MutableMatrixView slopes) {
  assert(samples.differences.rows() == samples.usable.size() && samples.differences.columns() == slopes.rows());
  const std::size_t parameters = slopes.columns();
  const bool exact = parameters <= kMaxExact && parameters <= kExactPerPair * samples.usable.size();
  Sums sums = sum_up(samples, slopes, exact);
  if (sums.pairs == 0) return;
  if (exact) {
    for (std::size_t j = 0; j < parameters; ++j) sums.covariance[j * parameters + j] += memory;
    cholesky(sums.covariance, parameters);
  }
  for (std::size_t o = 0; o < slopes.rows(); ++o) {
    const std::span<double> change(&sums.weighted[o * parameters], parameters);
    if (exact) {
      cholesky_solve(sums.covariance, change);
    } else {
      for (double& c : change) c /= static_cast<double>(sums.pairs + parameters) + memory;
    }
    for (std::size_t j = 0; j < parameters; ++j) slopes(o, j) = static_cast<float>(double{slopes(o, j)} + change[j]);
  }
}

}  // namespace aria
