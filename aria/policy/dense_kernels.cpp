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
// A tile of the result is held in twelve registers: that hides the latency of the multiply-adds on two pipes and leaves
// registers for the operands. Two vectors wide, because each broadcast then serves twice.
constexpr std::size_t kTile = 12;
constexpr std::size_t kWide = hn::MaxLanes(FloatTag()) == kBlock ? 1 : 2;
constexpr std::size_t kGroup = kTile / kWide;  // rows of a tile

// sums[r] += a[r] * b over `count` steps of the inner index: b goes on by one row of a block, a by `step`.
template <std::size_t kRows, std::size_t kVectors>
HWY_INLINE void Accumulate(const float* HWY_RESTRICT a, std::size_t row_stride, std::size_t step,
                           const float* HWY_RESTRICT b, std::size_t count, FloatVec (&sums)[kRows][kVectors]) {
  const FloatTag d;
  for (std::size_t k = 0; k < count; ++k) {
    FloatVec values[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) values[v] = hn::Load(d, b + v * hn::Lanes(d));
    HWY_UNROLL(12)
    for (std::size_t r = 0; r < kRows; ++r) {
      const auto factor = hn::Set(d, a[r * row_stride]);
      for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] = hn::MulAdd(factor, values[v], sums[r][v]);
    }
    a += step;
    b += kBlock;
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

// Outputs of one block of samples.
struct ForwardBlock {
  std::size_t inputs;
  const float* packed;
  const float* biases;
  const float* x;  // (inputs x 16)
  float* y;        // (outputs x 16)
  bool rectified;

  template <std::size_t kRows>
  HWY_NOINLINE void Run(std::size_t first) const {
    const FloatTag d;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t column = 0; column < kBlock; column += kWide * lanes) {
      FloatVec sums[kRows][kWide];
      HWY_UNROLL(12)
      for (std::size_t r = 0; r < kRows; ++r) {
        for (std::size_t v = 0; v < kWide; ++v) sums[r][v] = hn::Set(d, biases[first + r]);
      }
      Accumulate(packed + first * inputs, 1, kRows, x + column, inputs, sums);
      HWY_UNROLL(12)
      for (std::size_t r = 0; r < kRows; ++r) {
        for (std::size_t v = 0; v < kWide; ++v) {
          const auto kept = rectified ? Rectified(sums[r][v]) : sums[r][v];
          hn::Store(kept, d, y + (first + r) * kBlock + column + v * lanes);
        }
      }
    }
  }
};

// Gradients of one block of samples with respect to inputs.
struct InputGradientBlock {
  std::size_t outputs;
  const float* weights;    // of the first of the inputs
  const float* dy;         // (outputs x 16)
  const float* rectified;  // (inputs x 16), or null
  float* dx;               // (inputs x 16)

  template <std::size_t kRows>
  HWY_NOINLINE void Run(std::size_t first) const {
    const FloatTag d;
    const std::size_t lanes = hn::Lanes(d);
    for (std::size_t column = 0; column < kBlock; column += kWide * lanes) {
      FloatVec sums[kRows][kWide];
      HWY_UNROLL(12)
      for (std::size_t r = 0; r < kRows; ++r) {
        for (std::size_t v = 0; v < kWide; ++v) sums[r][v] = hn::Zero(d);
      }
      Accumulate(weights + first * outputs, outputs, 1, dy + column, outputs, sums);
      HWY_UNROLL(12)
      for (std::size_t r = 0; r < kRows; ++r) {
        for (std::size_t v = 0; v < kWide; ++v) {
          const std::size_t at = (first + r) * kBlock + column + v * lanes;
          auto kept = sums[r][v];
          if (rectified != nullptr) {
            kept = hn::IfThenElseZero(hn::Gt(hn::Load(d, rectified + at), hn::Zero(d)), kept);
          }
          hn::Store(kept, d, dx + at);
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
  const float* dy;  // (samples of the range x 16)
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
        Accumulate(a, kBlock, 1, b, kBlock, sums);
        a += x.block_size();
        b += kBlock * kBlock;
      }
      Accumulate(a, kBlock, 1, b, samples % kBlock, sums);
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
    HWY_ALIGN float rest[kBlock];
    for (std::size_t v = 0; v < kVectors; ++v) hn::Store(sums[v], d, rest + v * lanes);
    std::memcpy(to, rest, (columns - column) * sizeof(float));
  }
};

// Four units of four samples, from rows of samples to rows of units.
HWY_INLINE void TransposeFour(const float* HWY_RESTRICT from, float* HWY_RESTRICT to) {
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) to[i * kBlock + j] = from[j * kBlock + i];
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
  hn::Store(hn::BitCast(d, hn::InterleaveUpper(pairs, ab, ce)), d, to + kBlock);
  hn::Store(hn::BitCast(d, hn::InterleaveLower(pairs, ab_upper, ce_upper)), d, to + 2 * kBlock);
  hn::Store(hn::BitCast(d, hn::InterleaveUpper(pairs, ab_upper, ce_upper)), d, to + 3 * kBlock);
#endif
}

// The panel's columns of dy as (samples x 16): here lanes are outputs. Columns beyond the last output are zero.
HWY_NOINLINE void TransposePanel(const LaneMatrix& dy, std::size_t first, std::size_t columns, BlockRange range,
                                 float* panel) {
  for (std::size_t block = range.first; block < range.end; ++block) {
    const float* from = dy.row(block, first);
    float* to = panel + (block - range.first) * kBlock * kBlock;
    std::size_t column = 0;
    for (; column + 4 <= columns; column += 4) {
      for (std::size_t s = 0; s < kBlock; s += 4) {
        TransposeFour(from + column * kBlock + s, to + s * kBlock + column);
      }
    }
    for (; column < kBlock; ++column) {
      for (std::size_t s = 0; s < kBlock; ++s) {
        to[s * kBlock + column] = column < columns ? from[column * kBlock + s] : 0.0f;
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
  const FloatTag d;
  for (std::size_t block = range.first; block < range.end; ++block) {
    float* to = y.row(block, 0);
    const bool rectified = activation == Activation::kRectified;
    RunRows<kGroup>(ForwardBlock{shape.inputs, packed, biases, x.row(block, 0), to, rectified}, shape.outputs);
    if (activation != Activation::kTanh) continue;
    for (std::size_t i = 0; i < shape.outputs * kBlock; i += hn::Lanes(d)) {
      hn::Store(Action(hn::Load(d, to + i)), d, to + i);
    }
  }
}

void InputGradient(DenseShape shape, const float* weights, const LaneMatrix& dy, std::size_t first_input,
                   const LaneMatrix* rectified, BlockRange range, LaneMatrix& dx) {
  const float* first = weights + first_input * shape.outputs;
  for (std::size_t block = range.first; block < range.end; ++block) {
    const float* mask = rectified != nullptr ? rectified->row(block, first_input) : nullptr;
    RunRows<kGroup>(InputGradientBlock{shape.outputs, first, dy.row(block, 0), mask, dx.row(block, 0)}, dx.rows());
  }
}

void ParameterGradient(DenseShape shape, const LaneMatrix& x, const LaneMatrix& dy, std::size_t panel, BlockRange range,
                       float* scratch, float* gradient) {
  const std::size_t first = panel * kBlock;
  const std::size_t columns = std::min(kBlock, shape.outputs - first);
  TransposePanel(dy, first, columns, range, scratch);
  const auto run = [&](const auto& product, auto group)
                       HWY_ATTR { RunRows<decltype(group)::value>(product, shape.inputs + 1); };
  if (columns > hn::Lanes(FloatTag())) {
    run(ParameterGradientPanel<kWide>{x, range, scratch, gradient + first, shape.outputs, columns},
        std::integral_constant<std::size_t, kGroup>());
  } else {
    run(ParameterGradientPanel<1>{x, range, scratch, gradient + first, shape.outputs, columns},
        std::integral_constant<std::size_t, kTile>());
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
