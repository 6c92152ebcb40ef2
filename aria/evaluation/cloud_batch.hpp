// Means and variances over repeated evaluations of many solutions at once, for algorithms that evaluate every offspring
// a few dozen times. `cloud_mean` says the same of one solution; this one is quick and allocates nothing per solution.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "aria/core/matrix.hpp"

namespace aria {

// A failed evaluation is left out, as by `cloud_mean`: the mean is over what did not fail. Where nothing is left to
// tell from, the figure is NaN: no archive takes it.
struct CloudBatch {
  std::vector<float> fitness;  // (solutions) mean; NaN where every evaluation failed
  Matrix descriptors;          // (solutions x descriptor size) mean
  std::vector<double>
      variance;  // (solutions) trace of the descriptor's covariance, unbiased; NaN below two evaluations
};

// Row e of the evaluations is sample e % samples of solution e / samples. The variance is worked out only where it is
// wanted, else left empty. Fills `out`, whose memory is used again from call to call.
void summarise_clouds(std::span<const float> fitness, MatrixView descriptors, std::size_t samples, bool variance,
                      CloudBatch& out);

}  // namespace aria
