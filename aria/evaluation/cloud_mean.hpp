// Means over repeated evaluations of one solution. Failed evaluations are left out and counted.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "aria/core/matrix.hpp"

namespace aria {

struct CloudMean {
  std::size_t finite = 0;         // evaluations behind the means
  float fitness = 0;              // mean; 0 where nothing is finite
  std::vector<float> descriptor;  // (descriptor size) mean
};

// Sums are in double precision, in the order of the evaluations.
CloudMean cloud_mean(std::span<const float> fitness, MatrixView descriptors);

struct CloudSpread {
  float fitness = 0;              // standard deviation, unbiased
  std::vector<float> descriptor;  // (descriptor size) the same for each coordinate
  double variance = 0;            // trace of the descriptor's covariance, unbiased
};

CloudSpread cloud_spread(std::span<const float> fitness, MatrixView descriptors);

}  // namespace aria
