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

// The values that a group of worlds has in a layer, and a bit for each that counts: inputs that are not zero, hidden
// units that are on. The others are never looked at.
struct Values {
  float* values;        // (worlds x width)
  std::uint64_t* bits;  // (worlds x words)
  std::size_t width;
  std::size_t words;

  float* Row(std::size_t world) const { return values + world * width; }
  std::uint64_t* Bits(std::size_t world) const { return bits + world * words; }
};

// One layer of a group of worlds, each with its own policy.
struct OwnLayer {
  const MlpLayer& layer;
  const float* const* policies;
  std::size_t worlds;
  Values from;
  Values to;

  const float* Weights(std::size_t world) const { return policies[world] + layer.weights; }
  const float* Biases(std::size_t world) const { return policies[world] + layer.biases; }
};

HWY_INLINE std::uint64_t BitsOf(hn::Mask<FloatTag> mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(FloatTag(), mask, bytes);
  std::uint64_t result;
  std::memcpy(&result, bytes, sizeof(result));
  return result;
}

// The number of the lowest bit that is set, which is then cleared.
HWY_INLINE std::size_t TakeLowest(std::uint64_t& bits) {
  const std::size_t result = hwy::Num0BitsBelowLS1Bit_Nonzero64(bits);
  bits &= bits - 1;
  return result;
}

#if HWY_TARGET != HWY_SCALAR

// Four values of each of a vector's worth of worlds, to these worlds' rows. In `fours`, block b of sixteen bytes
// belongs to world 4b.
template <class D, class V>
HWY_INLINE void StoreFours(D d, V fours, float* rows, std::size_t width) {
  if constexpr (hn::MaxLanes(d) <= 4) {
    hn::StoreU(fours, d, rows);
  } else {
    const hn::Half<D> half;
    StoreFours(half, hn::LowerHalf(half, fours), rows, width);
    StoreFours(half, hn::UpperHalf(half, fours), rows + hn::MaxLanes(half) * width, width);
  }
}

// Four inputs of a vector's worth of worlds.
HWY_INLINE void FourToRows(const float* inputs, std::size_t stride, float* rows, std::size_t width) {
  const FloatTag d;
  const hn::Repartition<std::uint64_t, FloatTag> pairs;
  const auto a = hn::LoadU(d, inputs);
  const auto b = hn::LoadU(d, inputs + stride);
  const auto c = hn::LoadU(d, inputs + 2 * stride);
  const auto e = hn::LoadU(d, inputs + 3 * stride);
  const auto ab = hn::BitCast(pairs, hn::InterleaveLower(d, a, b));
  const auto ce = hn::BitCast(pairs, hn::InterleaveLower(d, c, e));
  const auto ab_upper = hn::BitCast(pairs, hn::InterleaveUpper(d, a, b));
  const auto ce_upper = hn::BitCast(pairs, hn::InterleaveUpper(d, c, e));
  StoreFours(d, hn::BitCast(d, hn::InterleaveLower(pairs, ab, ce)), rows, width);
  StoreFours(d, hn::BitCast(d, hn::InterleaveUpper(pairs, ab, ce)), rows + width, width);
  StoreFours(d, hn::BitCast(d, hn::InterleaveLower(pairs, ab_upper, ce_upper)), rows + 2 * width, width);
  StoreFours(d, hn::BitCast(d, hn::InterleaveUpper(pairs, ab_upper, ce_upper)), rows + 3 * width, width);
}

#else

HWY_INLINE void FourToRows(const float* inputs, std::size_t stride, float* rows, std::size_t /*width*/) {
  for (std::size_t i = 0; i < 4; ++i) rows[i] = inputs[i * stride];
}

#endif  // HWY_TARGET != HWY_SCALAR

// Inputs come with worlds fastest; here each world gets its own row, filled up with zeros to a whole vector.
void TakeInputs(const float* inputs, std::size_t stride, std::size_t count, std::size_t worlds, const Values& to) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  const auto copy = [&](std::size_t first_world, std::size_t end_world, std::size_t first) {
    for (std::size_t w = first_world; w < end_world; ++w) {
      for (std::size_t i = first; i < count; ++i) to.Row(w)[i] = inputs[i * stride + w];
    }
  };
  std::size_t w = 0;
  for (; w + lanes <= worlds; w += lanes) {
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) FourToRows(inputs + i * stride + w, stride, to.Row(w) + i, to.width);
    copy(w, w + lanes, i);
  }
  copy(w, worlds, 0);
  for (w = 0; w < worlds; ++w) {
    float* row = to.Row(w);
    for (std::size_t i = count; i % lanes != 0; ++i) row[i] = 0.0f;
    for (std::size_t word = 0; 64 * word < count; ++word) {
      std::uint64_t bits = 0;
      for (std::size_t i = 64 * word; i < std::min(count, 64 * word + 64); i += lanes) {
        // NaN is not zero
        bits |= BitsOf(hn::Not(hn::Eq(hn::LoadU(d, row + i), hn::Zero(d)))) << (i % 64);
      }
      to.Bits(w)[word] = bits;
    }
  }
}

// Keeps a vector of sums and gives the bits of the units that are on. NaN counts as on, so that it reaches the actions.
HWY_INLINE std::uint64_t KeepSums(FloatVec sums, float* to) {
  const FloatTag d;
  hn::StoreU(sums, d, to);
  return BitsOf(hn::Not(hn::Le(sums, hn::Zero(d))));
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

// Rows that are fetched ahead: they lie in the second-level cache, and which are needed no hardware can guess.
constexpr std::size_t kAhead = 4;

HWY_INLINE void Fetch(const float* from, std::size_t count) {
  for (std::size_t i = 0; i < count; i += 16) __builtin_prefetch(from + i);
}

// kVectors of a world's outputs, from `column` on, in as many sums; no more than 64 outputs.
template <std::size_t kVectors>
HWY_INLINE void WideColumns(const OwnLayer& own, std::size_t world, std::size_t column) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t outputs = own.layer.outputs;
  const float* HWY_RESTRICT weights = own.Weights(world) + column;
  const float* HWY_RESTRICT biases = own.Biases(world) + column;
  const float* HWY_RESTRICT values = own.from.Row(world);
  FloatVec sums[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) sums[v] = hn::LoadU(d, biases + v * lanes);
  for (std::size_t first = 0; first < own.layer.inputs; first += 64) {
    std::uint64_t bits = own.from.Bits(world)[first / 64];
    std::uint64_t ahead = bits;
    for (std::size_t n = 0; n < kAhead; ++n) ahead &= ahead - 1;
    while (bits != 0) {
      const std::size_t unit = TakeLowest(bits);
      const auto value = hn::Set(d, values[unit]);
      const float* HWY_RESTRICT row = weights + unit * outputs;
      if (ahead != 0) Fetch(weights + TakeLowest(ahead) * outputs, kVectors * lanes);
      for (std::size_t v = 0; v < kVectors; ++v) sums[v] = hn::MulAdd(value, hn::LoadU(d, row + v * lanes), sums[v]);
    }
    weights += 64 * outputs;
    values += 64;
  }
  std::uint64_t on = 0;
  for (std::size_t v = 0; v < kVectors; ++v) {
    on |= KeepSums(sums[v], own.to.Row(world) + column + v * lanes) << (v * lanes);
  }
  own.to.Bits(world)[column / 64] |= on << (column % 64);
}

// One vector of outputs of kWorlds worlds side by side, because each sum waits for itself.
template <std::size_t kWorlds, class Part>
HWY_INLINE void NarrowColumn(const OwnLayer& own, std::size_t first_world, std::size_t column, const Part& part) {
  const FloatTag d;
  const std::size_t outputs = own.layer.outputs;
  FloatVec sums[kWorlds];
  for (std::size_t w = 0; w < kWorlds; ++w) sums[w] = part.Load(own.Biases(first_world + w) + column);
  for (std::size_t first = 0; first < own.layer.inputs; first += 64) {
    std::uint64_t bits[kWorlds];
    const float* weights[kWorlds];
    const float* values[kWorlds];
    std::size_t common = 64;
    for (std::size_t w = 0; w < kWorlds; ++w) {
      bits[w] = own.from.Bits(first_world + w)[first / 64];
      weights[w] = own.Weights(first_world + w) + first * outputs + column;
      values[w] = own.from.Row(first_world + w) + first;
      common = std::min(common, hwy::PopCount(bits[w]));
    }
    const auto add = [&](std::size_t w) HWY_ATTR {
      const std::size_t unit = TakeLowest(bits[w]);
      sums[w] = hn::MulAdd(hn::Set(d, values[w][unit]), part.Load(weights[w] + unit * outputs), sums[w]);
    };
    for (std::size_t n = 0; n < common; ++n) {
      for (std::size_t w = 0; w < kWorlds; ++w) add(w);
    }
    for (std::size_t w = 0; w < kWorlds; ++w) {
      while (bits[w] != 0) add(w);
    }
  }
  for (std::size_t w = 0; w < kWorlds; ++w) {
    const std::uint64_t on = KeepSums(part.Kept(sums[w]), own.to.Row(first_world + w) + column);
    own.to.Bits(first_world + w)[column / 64] |= on << (column % 64);
  }
}

template <class Part>
HWY_INLINE void NarrowColumns(const OwnLayer& own, std::size_t column, const Part& part) {
  std::size_t w = 0;
  for (; w + 4 <= own.worlds; w += 4) NarrowColumn<4>(own, w, column, part);
  for (; w < own.worlds; ++w) NarrowColumn<1>(own, w, column, part);
}

HWY_NOINLINE void RunLayer(const OwnLayer& own) {
  const std::size_t lanes = hn::Lanes(FloatTag());
  const std::size_t outputs = own.layer.outputs;
  std::size_t column = 0;
  const auto wide = [&](auto vectors) HWY_ATTR {
    for (; column + vectors.value * lanes <= outputs; column += vectors.value * lanes) {
      for (std::size_t w = 0; w < own.worlds; ++w) WideColumns<vectors.value>(own, w, column);
    }
  };
  if constexpr (hn::MaxLanes(FloatTag()) <= 8) wide(std::integral_constant<std::size_t, 8>());
  wide(std::integral_constant<std::size_t, 4>());
  wide(std::integral_constant<std::size_t, 2>());
  if (column + lanes <= outputs) {
    NarrowColumns(own, column, WholeVector());
    column += lanes;
  }
  if (column < outputs) NarrowColumns(own, column, PartOfVector(outputs - column));
}

// Actions from the last layer's sums.
void GiveActions(const Values& sums, std::size_t count, std::size_t worlds, float* outputs, std::size_t stride) {
  const FloatTag d;
  for (std::size_t w = 0; w < worlds; ++w) {
    float* row = sums.Row(w);
    for (std::size_t i = 0; i < count; i += hn::Lanes(d)) hn::StoreU(Action(hn::LoadU(d, row + i)), d, row + i);
    for (std::size_t i = 0; i < count; ++i) outputs[i * stride + w] = row[i];
  }
}

void RunOwn(MlpWorkspace& workspace, const float* const* policies, std::size_t worlds, const float* inputs,
            float* outputs, std::size_t stride) {
  const std::vector<MlpLayer>& layers = workspace.layers();
  const std::size_t width = workspace.width();
  for (std::size_t first = 0; first < worlds; first += kGroup) {
    const std::size_t group = std::min(kGroup, worlds - first);
    Values values[2];
    for (std::size_t i = 0; i < 2; ++i) values[i] = {workspace.values(i), workspace.bits(i), width, workspace.words()};
    TakeInputs(inputs + first, stride, layers.front().inputs, group, values[0]);
    std::size_t from = 0;
    for (const MlpLayer& layer : layers) {
      const Values& to = values[1 - from];
      std::fill(to.bits, to.bits + group * to.words, std::uint64_t{0});
      RunLayer({layer, policies + first, group, values[from], to});
      from = 1 - from;
    }
    GiveActions(values[from], layers.back().outputs, group, outputs + first, stride);
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
