#include <algorithm>
#include <cstring>

#include "aria/policy/mlp_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/policy/mlp_own_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/policy/mlp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// Worlds that go through a layer together. Their sums do not wait for each other, so that one world's last additions
// overlap with the next one's first; and eight policies fit into the second-level cache.
constexpr std::size_t kGroup = 8;

// One layer of a group of worlds: rows of values, one per world, `width` apart; beyond the inputs a row is zero up to a
// whole vector.
struct OwnLayer {
  const MlpLayer& layer;
  const float* const* policies;
  std::size_t worlds;
  std::size_t width;
  const float* from;           // (worlds x width)
  float* to;                   // (worlds x width)
  std::uint32_t* units;        // (worlds x width): the inputs that are not zero, in order
  std::size_t counts[kGroup];  // of them

  const float* Weights(std::size_t world) const { return policies[world] + layer.weights; }
  const float* Biases(std::size_t world) const { return policies[world] + layer.biases; }
};

// Inputs come with worlds fastest; here each world gets its own row.
void ToRows(const float* inputs, std::size_t stride, std::size_t count, std::size_t worlds, std::size_t width,
            float* rows) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t padded = (count + 15) / 16 * 16;
  for (std::size_t w = 0; w < worlds; ++w) std::fill(rows + w * width + count, rows + w * width + padded, 0.0f);
  std::size_t w = 0;
  const std::size_t fours = count / 4 * 4;
  for (; w + lanes <= worlds; w += lanes) {
    HWY_ALIGN float four[4 * 16];
    for (std::size_t i = 0; i < fours; i += 4) {
      const float* from = inputs + i * stride + w;
      hn::StoreInterleaved4(hn::LoadU(d, from), hn::LoadU(d, from + stride), hn::LoadU(d, from + 2 * stride),
                            hn::LoadU(d, from + 3 * stride), d, four);
      for (std::size_t k = 0; k < lanes; ++k) std::memcpy(rows + (w + k) * width + i, four + 4 * k, 4 * sizeof(float));
    }
    for (std::size_t i = fours; i < count; ++i) {
      for (std::size_t k = 0; k < lanes; ++k) rows[(w + k) * width + i] = inputs[i * stride + w + k];
    }
  }
  for (; w < worlds; ++w) {
    for (std::size_t i = 0; i < count; ++i) rows[w * width + i] = inputs[i * stride + w];
  }
}

// Lists the inputs that are not zero; NaN is not.
HWY_INLINE std::size_t ListNonZero(const float* values, std::size_t count, std::uint32_t* units) {
  const FloatTag d;
  const WordTag dw;
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto zero = hn::Eq(hn::LoadU(d, values + i), hn::Zero(d));
    const auto numbers = hn::Add(hn::Set(dw, static_cast<std::uint32_t>(i)), hn::Iota(dw, 0));
    found += hn::CompressStore(numbers, hn::RebindMask(dw, hn::Not(zero)), dw, units + found);
  }
  return found;
}

// How a vector's worth of outputs is read: whole, or its first lanes only, for a genotype may end behind them.
struct WholeVector {
  HWY_INLINE FloatVec Load(const float* from) const { return hn::LoadU(FloatTag(), from); }
  HWY_INLINE FloatVec Kept(FloatVec values) const { return values; }
};

struct PartOfVector {
  std::size_t count;
  hn::Mask<FloatTag> mask;

  explicit PartOfVector(std::size_t lanes) : count(lanes), mask(hn::FirstN(FloatTag(), lanes)) {}
  HWY_INLINE FloatVec Load(const float* from) const {
    const FloatTag d;
#if HWY_TARGET == HWY_AVX2 || !HWY_MEM_OPS_MIGHT_FAULT
    return hn::MaskedLoad(mask, d, from);
#else
    HWY_ALIGN float buffer[16] = {};
    std::memcpy(buffer, from, count * sizeof(float));
    return hn::Load(d, buffer);
#endif
  }
  HWY_INLINE FloatVec Kept(FloatVec values) const { return hn::IfThenElseZero(mask, values); }
};

// kVectors of a world's outputs, from `column` on, in as many sums.
template <std::size_t kVectors>
HWY_INLINE void WideColumns(const OwnLayer& own, std::size_t world, std::size_t column) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t outputs = own.layer.outputs;
  const float* weights = own.Weights(world) + column;
  const float* biases = own.Biases(world) + column;
  const float* from = own.from + world * own.width;
  const std::uint32_t* units = own.units + world * own.width;
  FloatVec sums[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) sums[v] = hn::LoadU(d, biases + v * lanes);
  for (std::size_t n = 0; n < own.counts[world]; ++n) {
    const std::size_t unit = units[n];
    const auto value = hn::Set(d, from[unit]);
    const float* row = weights + unit * outputs;
    for (std::size_t v = 0; v < kVectors; ++v) sums[v] = hn::MulAdd(value, hn::LoadU(d, row + v * lanes), sums[v]);
  }
  float* to = own.to + world * own.width + column;
  for (std::size_t v = 0; v < kVectors; ++v) {
    hn::StoreU(own.layer.last ? Action(sums[v]) : Rectified(sums[v]), d, to + v * lanes);
  }
}

// One vector of outputs of kWorlds worlds side by side, because each sum waits for itself.
template <std::size_t kWorlds, class Part>
HWY_INLINE void NarrowColumn(const OwnLayer& own, std::size_t first, std::size_t column, const Part& part) {
  const FloatTag d;
  const std::size_t outputs = own.layer.outputs;
  FloatVec sums[kWorlds];
  const float* weights[kWorlds];
  std::size_t common = own.counts[first];
  for (std::size_t w = 0; w < kWorlds; ++w) {
    sums[w] = part.Load(own.Biases(first + w) + column);
    weights[w] = own.Weights(first + w) + column;
    common = std::min(common, own.counts[first + w]);
  }
  const float* from = own.from + first * own.width;
  const std::uint32_t* units = own.units + first * own.width;
  const auto add = [&](std::size_t w, std::size_t n) HWY_ATTR {
    const std::size_t unit = units[w * own.width + n];
    sums[w] = hn::MulAdd(hn::Set(d, from[w * own.width + unit]), part.Load(weights[w] + unit * outputs), sums[w]);
  };
  for (std::size_t n = 0; n < common; ++n) {
    for (std::size_t w = 0; w < kWorlds; ++w) add(w, n);
  }
  for (std::size_t w = 0; w < kWorlds; ++w) {
    for (std::size_t n = common; n < own.counts[first + w]; ++n) add(w, n);
    const auto result = own.layer.last ? Action(sums[w]) : Rectified(sums[w]);
    hn::StoreU(part.Kept(result), d, own.to + (first + w) * own.width + column);
  }
}

template <class Part>
HWY_INLINE void NarrowColumns(const OwnLayer& own, std::size_t column, const Part& part) {
  std::size_t w = 0;
  for (; w + 4 <= own.worlds; w += 4) NarrowColumn<4>(own, w, column, part);
  for (; w < own.worlds; ++w) NarrowColumn<1>(own, w, column, part);
}

HWY_NOINLINE void RunLayer(OwnLayer& own) {
  const std::size_t lanes = hn::Lanes(FloatTag());
  const std::size_t outputs = own.layer.outputs;
  for (std::size_t w = 0; w < own.worlds; ++w) {
    own.counts[w] = ListNonZero(own.from + w * own.width, own.layer.inputs, own.units + w * own.width);
  }
  std::size_t column = 0;
  const auto wide = [&](auto vectors) HWY_ATTR {
    for (; column + vectors.value * lanes <= outputs; column += vectors.value * lanes) {
      for (std::size_t w = 0; w < own.worlds; ++w) WideColumns<vectors.value>(own, w, column);
    }
  };
  wide(std::integral_constant<std::size_t, 8>());
  wide(std::integral_constant<std::size_t, 4>());
  wide(std::integral_constant<std::size_t, 2>());
  if (column + lanes <= outputs) {
    NarrowColumns(own, column, WholeVector());
    column += lanes;
  }
  if (column < outputs) NarrowColumns(own, column, PartOfVector(outputs - column));
}

void RunOwn(MlpWorkspace& workspace, const float* const* policies, std::size_t worlds, const float* inputs,
            float* outputs, std::size_t stride) {
  const std::size_t width = workspace.width();
  for (std::size_t first = 0; first < worlds; first += kGroup) {
    const std::size_t count = std::min(kGroup, worlds - first);
    std::size_t from = 0;
    ToRows(inputs + first, stride, workspace.layers().front().inputs, count, width, workspace.values(from));
    for (const MlpLayer& layer : workspace.layers()) {
      OwnLayer own{
          layer, policies + first, count, width, workspace.values(from), workspace.values(1 - from), workspace.units(0),
          {}};
      RunLayer(own);
      from = 1 - from;
    }
    const float* actions = workspace.values(from);
    for (std::size_t i = 0; i < workspace.layers().back().outputs; ++i) {
      for (std::size_t w = 0; w < count; ++w) outputs[i * stride + first + w] = actions[w * width + i];
    }
  }
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(RunOwn);

void run_own_policies(MlpWorkspace& workspace, std::span<const float* const> policies, const float* inputs,
                      float* outputs, std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(RunOwn)(workspace, policies.data(), policies.size(), inputs, outputs, stride);
}

}  // namespace aria
#endif  // HWY_ONCE
