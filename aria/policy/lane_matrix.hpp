// Values of a batch as the kernels that train networks want them: sixteen samples side by side, one row per unit.
#pragma once

#include <cassert>
#include <cstddef>
#include <vector>

namespace aria {

// Sixteen floats that begin where a cache line does: no vector straddles two.
struct alignas(64) CacheLine {
  float values[16];
};

// (blocks x pitch x 16): sample s is lane s % 16 of block s / 16. Behind the rows of a block comes a row of ones, the
// input that a layer's biases multiply: so biases are trained as weights are.
class LaneMatrix {
 public:
  static constexpr std::size_t kLanes = 16;

  LaneMatrix(std::size_t rows, std::size_t samples)
      : rows_(rows),
        samples_(samples),
        // an odd number of cache lines: blocks a power of two apart would meet in the same sets of the cache
        pitch_((rows + 1) | 1),
        lines_(blocks() * pitch_) {
    for (std::size_t b = 0; b < blocks(); ++b) {
      for (float& one : lines_[b * pitch_ + rows_].values) one = 1.0f;
    }
  }

  std::size_t rows() const { return rows_; }
  std::size_t samples() const { return samples_; }
  std::size_t blocks() const { return (samples_ + kLanes - 1) / kLanes; }
  std::size_t block_size() const { return pitch_ * kLanes; }  // floats from one block to the next

  float* row(std::size_t block, std::size_t r) {
    assert(block < blocks() && r <= rows_);
    return lines_[block * pitch_ + r].values;
  }
  const float* row(std::size_t block, std::size_t r) const {
    assert(block < blocks() && r <= rows_);
    return lines_[block * pitch_ + r].values;
  }
  float& operator()(std::size_t r, std::size_t sample) { return row(sample / kLanes, r)[sample % kLanes]; }
  float operator()(std::size_t r, std::size_t sample) const { return row(sample / kLanes, r)[sample % kLanes]; }

 private:
  std::size_t rows_;
  std::size_t samples_;
  std::size_t pitch_;  // rows from one block to the next
  std::vector<CacheLine> lines_;
};

// Some of a matrix's blocks: what is done to samples can be shared out by blocks.
struct BlockRange {
  std::size_t first;
  std::size_t end;
};

inline BlockRange all_blocks(const LaneMatrix& matrix) { return {0, matrix.blocks()}; }

}  // namespace aria
