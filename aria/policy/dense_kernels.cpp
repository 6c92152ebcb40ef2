#include "aria/policy/dense_kernels.hpp"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/policy/dense_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/policy/mlp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

constexpr std::size_t kBlock = LaneMatrix::kLanes;
// A vector of AVX-512 is as long as a block of samples, and there are 32 of them instead of 16.
constexpr bool kVectorIsBlock = hn::MaxLanes(FloatTag()) == kBlock;
// A tile of the result is held in registers: at least eight, which hides the latency of the multiply-adds on two pipes.
// Two vectors wide, because each broadcast then serves twice: alone, broadcasts would keep the two load pipes busier
// than the multiply-adds keep theirs.
constexpr std::size_t kWide = 2;
constexpr std::size_t kGroup = kVectorIsBlock ? 12 : 6;  // rows of a tile
constexpr std::size_t kNarrowRows = 12;                  // of a tile of one vector

// sums[r][v] += a[r] * b[v] over `count` steps of the inner index: b goes on by `b_step`, a by `a_step`. The vectors of
// b lie `b_next` apart.
template <std::size_t kRows, std::size_t kVectors>
HWY_INLINE void Accumulate(const float* HWY_RESTRICT a, std::size_t row_stride, std::size_t a_step,
                           const float* HWY_RESTRICT b, std::size_t b_next, std::size_t b_step, std::size_t count,
                           FloatVec (&sums)[kRows][kVectors]) {
  const FloatTag d;
  for (std::size_t k = 0; k < count; ++k) {
    FloatVec values[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) values[v] = hn::Load(d, b + v * b_next);
    HWY_UNROLL(12)
    for (std::size_t r = 0; r < kRows; ++r) {
      const auto factor = hn::Set(d, a[r * row_stride]);
      for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] = hn::MulAdd(factor, values[v], sums[r][v]);
    }
    a += a_step;
    b += b_step;
  }
}

// Runs product.Run<kRows>(first) on what is left of the rows: kMost or fewer.
template <std::size_t kMost, class Product>
HWY_INLINE void RunRest(const Product& product, std::size_t first, std::size_t count) {
  if constexpr (kMost > 1) {
    if (count < kMost) return RunRest<kMost - 1>(product, first, count);
  }
  product.template Run<kMost>(first);
}

template <std::size_t kRows, class Product>
HWY_INLINE void RunRows(const Product& product, std::size_t rows) {
  std::size_t first = 0;
  for (; first + kRows <= rows; first += kRows) product.template Run<kRows>(first);
  if (first < rows) RunRest<kRows - 1>(product, first, rows - first);
}

// Rows of 16 samples, each vector of which lies `next` floats behind the one before: in the same row, or where vectors
// are as long as rows, in that of the next block.
template <class T>
struct Samples {
  T* rows;
  std::size_t next;
};

HWY_INLINE Samples<const float> SamplesOf(const LaneMatrix& matrix, std::size_t block, std::size_t row = 0) {
  return {matrix.row(block, row), kVectorIsBlock ? matrix.block_size() : hn::Lanes(FloatTag())};
}
HWY_INLINE Samples<float> SamplesOf(LaneMatrix& matrix, std::size_t block) {
  return {matrix.row(block, 0), kVectorIsBlock ? matrix.block_size() : hn::Lanes(FloatTag())};
}

// Calls run(block, vectors) for tiles of that many vectors. It sees to all samples of the block, and where a vector is
// a block, of as many blocks.
template <class F>
HWY_INLINE void ForBlocks(BlockRange range, const F& run) {
  constexpr std::size_t kStep = kVectorIsBlock ? kWide : 1;
  std::size_t block = range.first;
  for (; block + kStep <= range.end; block += kStep) run(block, std::integral_constant<std::size_t, kWide>());
  for (; block < range.end; ++block) run(block, std::integral_constant<std::size_t, 1>());
}

// Outputs of a block of samples, or of as many as there are vectors.
template <std::size_t kVectors>
struct ForwardBlock {
  std::size_t inputs;
  const float* packed;
  const float* biases;
  Samples<const float> x;  // (inputs x 16)
  Samples<float> y;        // (outputs x 16)
  bool rectified;

  template <std::size_t kRows>
  HWY_NOINLINE void Run(std::size_t first) const {
    const FloatTag d;
    for (std::size_t column = 0; column < kBlock; column += kVectors * hn::Lanes(d)) {
      FloatVec sums[kRows][kVectors];
      HWY_UNROLL(12)
      for (std::size_t r = 0; r < kRows; ++r) {
        for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] = hn::Set(d, biases[first + r]);
      }
      Accumulate(packed + first * inputs, 1, kRows, x.rows + column, x.next, kBlock, inputs, sums);
      HWY_UNROLL(12)
      for (std::size_t r = 0; r < kRows; ++r) {
        for (std::size_t v = 0; v < kVectors; ++v) {
          const auto kept = rectified ? Rectified(sums[r][v]) : sums[r][v];
          hn::Store(kept, d, y.rows + (first + r) * kBlock + column + v * y.next);
        }
      }
    }
  }
};

// Gradients with respect to inputs, of a block of samples, or of as many as there are vectors.
template <std::size_t kVectors>
struct InputGradientBlock {
  std::size_t outputs;
  const float* weights;            // of the first of the inputs
  Samples<const float> dy;         // (outputs x 16)
  Samples<const float> rectified;  // (inputs x 16), or null
  Samples<float> dx;               // (inputs x 16)

  template <std::size_t kRows>
  HWY_NOINLINE void Run(std::size_t first) const {
    const FloatTag d;
    for (std::size_t column = 0; column < kBlock; column += kVectors * hn::Lanes(d)) {
      FloatVec sums[kRows][kVectors];
      HWY_UNROLL(12)
      for (std::size_t r = 0; r < kRows; ++r) {
        for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] = hn::Zero(d);
      }
      Accumulate(weights + first * outputs, outputs, 1, dy.rows + column, dy.next, kBlock, outputs, sums);
      HWY_UNROLL(12)
      for (std::size_t r = 0; r < kRows; ++r) {
        for (std::size_t v = 0; v < kVectors; ++v) {
          const std::size_t at = (first + r) * kBlock + column;
          auto kept = sums[r][v];
          if (rectified.rows != nullptr) {
            const auto input = hn::Load(d, rectified.rows + at + v * rectified.next);
            kept = hn::IfThenElseZero(hn::Gt(input, hn::Zero(d)), kept);
          }
          hn::Store(kept, d, dx.rows + at + v * dx.next);
        }
      }
    }
  }
};

// Gradients of the parameters that lead to the `columns` outputs of a panel, from a range of samples. Rows are the
// layer's inputs and, last, the ones that biases multiply. kVectors of outputs are worked out at a time.
template <std::size_t kVectors>
struct ParameterGradientPanel {
  const LaneMatrix& x;
  BlockRange range;
  const float* dy;  // (samples of the range x kDensePanel)
  float* gradient;  // of the panel's first output
  std::size_t outputs;
  std::size_t columns;

  template <std::size_t kRows>
  HWY_NOINLINE void Run(std::size_t first) const {
    const FloatTag d;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t column = 0; column < columns; column += kVectors * lanes) {
      FloatVec sums[kRows][kVectors];
      HWY_UNROLL(12)
      for (std::size_t r = 0; r < kRows; ++r) {
        for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] = hn::Zero(d);
      }
      const float* a = x.row(range.first, first);
      const float* b = dy + column;
      const std::size_t samples = std::min(x.samples(), range.end * kBlock) - range.first * kBlock;
      for (std::size_t block = 0; block < samples / kBlock; ++block) {
        Accumulate(a, kBlock, 1, b, lanes, kDensePanel, kBlock, sums);
        a += x.block_size();
        b += kBlock * kDensePanel;
      }
      Accumulate(a, kBlock, 1, b, lanes, kDensePanel, samples % kBlock, sums);
      HWY_UNROLL(12)
      for (std::size_t r = 0; r < kRows; ++r) Keep(sums[r], first + r, column);
    }
  }

  HWY_INLINE void Keep(const FloatVec (&sums)[kVectors], std::size_t row, std::size_t column) const {
    const FloatTag d;
    const std::size_t lanes = hn::Lanes(d);
    float* to = gradient + row * outputs + column;
    if (column + kVectors * lanes <= columns) {
      for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(sums[v], d, to + v * lanes);
      return;
    }
    HWY_ALIGN float rest[kDensePanel];
    for (std::size_t v = 0; v < kVectors; ++v) hn::Store(sums[v], d, rest + v * lanes);
    std::memcpy(to, rest, (columns - column) * sizeof(float));
  }
};

// Four units of four samples, from rows of samples to rows of a panel.
HWY_INLINE void TransposeFour(const float* HWY_RESTRICT from, float* HWY_RESTRICT to) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) to[i * kDensePanel + j] = from[j * kBlock + i];
  }
#else
  const hn::FixedTag<float, 4> d;
  const hn::FixedTag<std::uint64_t, 2> pairs;
  const auto a = hn::Load(d, from);
  const auto b = hn::Load(d, from + kBlock);
  const auto c = hn::Load(d, from + 2 * kBlock);
  const auto e = hn::Load(d, from + 3 * kBlock);
  const auto ab = hn::BitCast(pairs, hn::InterleaveLower(d, a, b));
  const auto ce = hn::BitCast(pairs, hn::InterleaveLower(d, c, e));
  const auto ab_upper = hn::BitCast(pairs, hn::InterleaveUpper(d, a, b));
  const auto ce_upper = hn::BitCast(pairs, hn::InterleaveUpper(d, c, e));
  hn::Store(hn::BitCast(d, hn::InterleaveLower(pairs, ab, ce)), d, to);
  hn::Store(hn::BitCast(d, hn::InterleaveUpper(pairs, ab, ce)), d, to + kDensePanel);
  hn::Store(hn::BitCast(d, hn::InterleaveLower(pairs, ab_upper, ce_upper)), d, to + 2 * kDensePanel);
  hn::Store(hn::BitCast(d, hn::InterleaveUpper(pairs, ab_upper, ce_upper)), d, to + 3 * kDensePanel);
#endif
}

// The panel's columns of dy as (samples x kDensePanel): here lanes are outputs. Columns beyond the last output, up to a
// whole number of blocks, are zero.
HWY_NOINLINE void TransposePanel(const LaneMatrix& dy, std::size_t first, std::size_t columns, BlockRange range,
                                 float* panel) {
  const std::size_t end = (columns + kBlock - 1) / kBlock * kBlock;
  for (std::size_t block = range.first; block < range.end; ++block) {
    const float* from = dy.row(block, first);
    float* to = panel + (block - range.first) * kBlock * kDensePanel;
    std::size_t column = 0;
    for (; column + 4 <= columns; column += 4) {
      for (std::size_t s = 0; s < kBlock; s += 4) {
        TransposeFour(from + column * kBlock + s, to + s * kDensePanel + column);
      }
    }
    for (; column < end; ++column) {
      for (std::size_t s = 0; s < kBlock; ++s) {
        to[s * kDensePanel + column] = column < columns ? from[column * kBlock + s] : 0.0f;
      }
    }
  }
}

// For each group of outputs the weights (inputs x outputs of the group): what a tile reads lies in one stream, where in
// the genotype each of its rows begins a cache line of its own, often of the same set.
void PackWeights(DenseShape shape, const float* weights, float* packed) {
  for (std::size_t first = 0; first < shape.outputs; first += kGroup) {
    const std::size_t group = std::min(kGroup, shape.outputs - first);
    const float* from = weights + first;
    for (std::size_t i = 0; i < shape.inputs; ++i) {
      // a length that is known is copied in a register or two
      if (group == kGroup) {
        std::memcpy(packed, from, kGroup * sizeof(float));
      } else {
        std::memcpy(packed, from, group * sizeof(float));
      }
      packed += group;
      from += shape.outputs;
    }
  }
}

void Forward(DenseShape shape, const float* packed, const float* biases, const LaneMatrix& x, Activation activation,
             BlockRange range, LaneMatrix& y) {
  const bool rectified = activation == Activation::kRectified;
  ForBlocks(range, [&](std::size_t block, auto vectors) HWY_ATTR {
    const ForwardBlock<decltype(vectors)::value> product{shape.inputs,        packed,   biases, SamplesOf(x, block),
                                                         SamplesOf(y, block), rectified};
    RunRows<kGroup>(product, shape.outputs);
  });
  if (activation != Activation::kTanh) return;
  const FloatTag d;
  for (std::size_t block = range.first; block < range.end; ++block) {
    float* to = y.row(block, 0);
    for (std::size_t i = 0; i < shape.outputs * kBlock; i += hn::Lanes(d)) {
      hn::Store(Action(hn::Load(d, to + i)), d, to + i);
    }
  }
}

void InputGradient(DenseShape shape, const float* weights, const LaneMatrix& dy, std::size_t first_input,
                   const LaneMatrix* rectified, BlockRange range, LaneMatrix& dx) {
  const float* first = weights + first_input * shape.outputs;
  ForBlocks(range, [&](std::size_t block, auto vectors) HWY_ATTR {
    const auto mask = rectified != nullptr ? SamplesOf(*rectified, block, first_input) : Samples<const float>();
    const InputGradientBlock<decltype(vectors)::value> product{shape.outputs, first, SamplesOf(dy, block), mask,
                                                               SamplesOf(dx, block)};
    RunRows<kGroup>(product, dx.rows());
  });
}

void ParameterGradient(DenseShape shape, const LaneMatrix& x, const LaneMatrix& dy, std::size_t panel, BlockRange range,
                       float* scratch, float* gradient) {
  const std::size_t first = panel * kDensePanel;
  const std::size_t columns = std::min(kDensePanel, shape.outputs - first);
  TransposePanel(dy, first, columns, range, scratch);
  const auto run = [&](const auto& product, auto group)
                       HWY_ATTR { RunRows<decltype(group)::value>(product, shape.inputs + 1); };
  if (columns > hn::Lanes(FloatTag())) {
    run(ParameterGradientPanel<kWide>{x, range, scratch, gradient + first, shape.outputs, columns},
        std::integral_constant<std::size_t, kGroup>());
  } else {
    run(ParameterGradientPanel<1>{x, range, scratch, gradient + first, shape.outputs, columns},
        std::integral_constant<std::size_t, kNarrowRows>());
  }
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(PackWeights);
HWY_EXPORT(Forward);
HWY_EXPORT(InputGradient);
HWY_EXPORT(ParameterGradient);

void pack_dense_weights(DenseShape shape, const float* weights, float* packed) {
  HWY_DYNAMIC_DISPATCH(PackWeights)(shape, weights, packed);
}

void dense_forward(DenseShape shape, const float* packed, const float* biases, const LaneMatrix& x,
                   Activation activation, BlockRange range, LaneMatrix& y) {
  assert(x.rows() == shape.inputs && y.rows() >= shape.outputs && x.samples() == y.samples());
  HWY_DYNAMIC_DISPATCH(Forward)(shape, packed, biases, x, activation, range, y);
}

void dense_input_gradient(DenseShape shape, const float* weights, const LaneMatrix& dy, std::size_t first_input,
                          const LaneMatrix* rectified, BlockRange range, LaneMatrix& dx) {
  assert(dy.rows() == shape.outputs && first_input + dx.rows() <= shape.inputs && dx.samples() == dy.samples());
  HWY_DYNAMIC_DISPATCH(InputGradient)(shape, weights, dy, first_input, rectified, range, dx);
}

void dense_parameter_gradient(DenseShape shape, const LaneMatrix& x, const LaneMatrix& dy, std::size_t panel,
                              BlockRange range, CacheLine* scratch, float* gradient) {
  assert(x.rows() == shape.inputs && dy.rows() == shape.outputs && x.samples() == dy.samples());
  assert(range.first < range.end && range.end <= x.blocks());
  HWY_DYNAMIC_DISPATCH(ParameterGradient)(shape, x, dy, panel, range, scratch->values, gradient);
}

}  // namespace aria
#endif  // HWY_ONCE
