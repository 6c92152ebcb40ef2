#include <algorithm>
#include <cstring>
#include <utility>

#include "aria/policy/mlp_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/policy/mlp_own_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/policy/mlp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// Worlds that go through a layer together. Their sums do not wait for each other, so that one world's last additions
// overlap with the next one's first; and so many policies fit into the second-level cache.
constexpr std::size_t kGroup = std::max<std::size_t>(hn::MaxLanes(FloatTag()), 8);

// Of a few outputs, as a last layer has: rows of no more than eight weights lie in one or two cache lines, and a vector
// of sixteen would read two of them for nearly every row.
using NarrowTag = hn::CappedTag<float, 8>;
using NarrowVec = hn::Vec<NarrowTag>;

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

template <class D>
HWY_INLINE std::uint64_t BitsOf(D d, hn::Mask<D> mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  // byte by byte: read at once they would wait until they are written
  if constexpr (hn::MaxLanes(d) <= 8) return bytes[0];
  return bytes[0] | std::uint64_t{bytes[1]} << 8;
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

// Four inputs of a vector's worth of worlds; those from `count` on are zero.
HWY_INLINE void FourToRows(const float* inputs, std::size_t stride, std::size_t count, float* rows, std::size_t width) {
  const FloatTag d;
  const hn::Repartition<std::uint64_t, FloatTag> pairs;
  const auto a = count > 0 ? hn::LoadU(d, inputs) : hn::Zero(d);
  const auto b = count > 1 ? hn::LoadU(d, inputs + stride) : hn::Zero(d);
  const auto c = count > 2 ? hn::LoadU(d, inputs + 2 * stride) : hn::Zero(d);
  const auto e = count > 3 ? hn::LoadU(d, inputs + 3 * stride) : hn::Zero(d);
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

HWY_INLINE void FourToRows(const float* inputs, std::size_t stride, std::size_t count, float* rows,
                           std::size_t /*width*/) {
  for (std::size_t i = 0; i < 4; ++i) rows[i] = i < count ? inputs[i * stride] : 0.0f;
}

#endif  // HWY_TARGET != HWY_SCALAR

// Inputs come with worlds fastest; here each world gets its own row, filled up with zeros to whole vectors.
void TakeInputs(const float* inputs, std::size_t stride, std::size_t count, std::size_t worlds, const Values& to) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t padded = hwy::RoundUpTo(count, std::max<std::size_t>(lanes, 4));
  std::size_t w = 0;
  for (; w + lanes <= worlds; w += lanes) {
    std::size_t i = 0;
    for (; i < count; i += 4) FourToRows(inputs + i * stride + w, stride, count - i, to.Row(w) + i, to.width);
    for (; i < padded; i += 4) FourToRows(inputs, stride, 0, to.Row(w) + i, to.width);
  }
  for (; w < worlds; ++w) {
    for (std::size_t i = 0; i < padded; ++i) to.Row(w)[i] = i < count ? inputs[i * stride + w] : 0.0f;
  }
  for (w = 0; w < worlds; ++w) {
    const float* row = to.Row(w);
    for (std::size_t word = 0; 64 * word < count; ++word) {
      std::uint64_t zero = 0;
      const std::size_t end = std::min<std::size_t>(padded - 64 * word, 64);
      // NaN is not zero
      for (std::size_t i = 0; i < end; i += lanes) {
        zero |= BitsOf(d, hn::Eq(hn::LoadU(d, row + 64 * word + i), hn::Zero(d))) << i;
      }
      to.Bits(w)[word] = ~zero & (end < 64 ? (std::uint64_t{1} << end) - 1 : ~std::uint64_t{0});
    }
  }
}

// How a vector's worth of outputs is read: whole, or its first lanes only, for a genotype may end behind them.
struct WholeVector {
  HWY_INLINE NarrowVec Load(const float* from) const { return hn::LoadU(NarrowTag(), from); }
  HWY_INLINE NarrowVec Kept(NarrowVec values) const { return values; }
};

struct PartOfVector {
  std::size_t count;
  hn::Mask<NarrowTag> mask;

  explicit PartOfVector(std::size_t lanes) : count(lanes), mask(hn::FirstN(NarrowTag(), lanes)) {}
  HWY_INLINE NarrowVec Load(const float* from) const {
    const NarrowTag d;
#if HWY_TARGET == HWY_AVX2 || !HWY_MEM_OPS_MIGHT_FAULT
    return hn::MaskedLoad(mask, d, from);
#else
    HWY_ALIGN float buffer[8] = {};
    std::memcpy(buffer, from, count * sizeof(float));
    return hn::Load(d, buffer);
#endif
  }
  HWY_INLINE NarrowVec Kept(NarrowVec values) const { return hn::IfThenElseZero(mask, values); }
};

// Rows of weights of which a whole vector from `column` on may be read: the policy goes on as far as the biases' end.
HWY_INLINE std::size_t WholeRows(const MlpLayer& layer, std::size_t column) {
  const std::size_t all = (layer.inputs + 1) * layer.outputs;
  const std::size_t reach = column + hn::Lanes(NarrowTag());
  return all < reach ? 0 : (all - reach) / layer.outputs + 1;
}

// One layer of a group of worlds, each with its own policy.
struct OwnLayer {
  const MlpLayer& layer;
  const float* const* policies;
  std::size_t worlds;
  Values from;
  Values to;

  const float* Weights(std::size_t world) const { return policies[world] + layer.weights; }
  const float* Biases(std::size_t world) const { return policies[world] + layer.biases; }
  std::size_t Words() const { return (layer.inputs + 63) / 64; }
};

// Rows that are fetched ahead of those in use: they lie in the second-level cache, and which are needed no hardware can
// guess. None with AVX-512: a row is four loads there, and CPUs that have it look far enough ahead by themselves.
constexpr std::size_t kAhead = hn::MaxLanes(FloatTag()) <= 8 ? 6 : 0;

// Goes ahead of the sums through all inputs of all worlds, and fetches the rows of their weights.
struct RowsAhead {
  const MlpInputs* inputs;
  std::uint64_t bits;
  std::size_t weights;  // of a layer: as far behind the first of them are the biases

  // Where there are no inputs, as behind the last, this fetches in vain, which costs less than asking. The lowest bit
  // of none is not defined: the highest one, which is always there, is no lower than any other.
  HWY_INLINE void Fetch(std::size_t outputs, std::size_t count) {
    if constexpr (kAhead == 0) return;
    constexpr std::uint64_t kHighest = std::uint64_t{1} << 63;
    const float* row = inputs->weights + hwy::Num0BitsBelowLS1Bit_Nonzero64(bits | kHighest) * outputs;
    for (std::size_t i = 0; i < count; i += 16) __builtin_prefetch(row + i);
    bits &= bits - 1;
    if (bits == 0) {
      bits = (++inputs)->bits;
      for (std::size_t i = 0; i < count; i += 16) __builtin_prefetch(inputs->weights + weights + i);
    }
  }
};

// Keeps a vector of a layer's sums and gives the bits of the units that are off; those are kept as zero, but for the
// last layer's. NaN counts as on, so that it reaches the actions.
template <class V>
HWY_INLINE std::uint64_t KeepSums(V sums, bool last, float* HWY_RESTRICT to) {
  const hn::DFromV<V> d;
  const auto off = hn::Le(sums, hn::Zero(d));
  hn::StoreU(last ? sums : hn::IfThenZeroElse(off, sums), d, to);
  return BitsOf(d, off);
}

// Bits of `count` outputs from `column` on; they come in order.
HWY_INLINE void KeepBits(std::uint64_t off, std::size_t column, std::size_t count, std::uint64_t* words) {
  const std::uint64_t on = ~off & (~std::uint64_t{0} >> (64 - count));
  std::uint64_t& word = words[column / 64];
  word = column % 64 == 0 ? on : word | on << (column % 64);
}

// Adds a row of weights times a value to sums, every other vector first: that takes turns between cache lines.
template <std::size_t... v>
HWY_INLINE void AddRow(FloatVec value, const float* HWY_RESTRICT row, FloatVec (&sums)[sizeof...(v)],
                       std::index_sequence<v...>) {
  const FloatTag d;
  const auto add = [&](std::size_t i)
                       HWY_ATTR { sums[i] = hn::MulAdd(value, hn::LoadU(d, row + i * hn::Lanes(d)), sums[i]); };
  ((v % 2 == 0 ? add(v) : void()), ...);
  ((v % 2 == 1 ? add(v) : void()), ...);
}

template <std::size_t... v>
HWY_INLINE void LoadSums(const float* HWY_RESTRICT from, FloatVec (&sums)[sizeof...(v)], std::index_sequence<v...>) {
  ((sums[v] = hn::LoadU(FloatTag(), from + v * hn::Lanes(FloatTag()))), ...);
}

template <std::size_t... v>
HWY_INLINE std::uint64_t KeepSums(const FloatVec (&sums)[sizeof...(v)], bool last, float* HWY_RESTRICT to,
                                  std::index_sequence<v...>) {
  const std::size_t lanes = hn::Lanes(FloatTag());
  return ((KeepSums(sums[v], last, to + v * lanes) << (v * lanes)) | ...);
}

// kVectors of all worlds' outputs, in as many sums; no more than 64 outputs.
template <std::size_t kVectors>
HWY_NOINLINE void WideColumns(const OwnLayer& own, std::size_t column, MlpInputs* HWY_RESTRICT inputs) {
  const FloatTag d;
  constexpr std::make_index_sequence<kVectors> vectors;
  const std::size_t count = kVectors * hn::Lanes(d);
  const std::size_t outputs = own.layer.outputs;
  const std::size_t words = own.Words();
  const bool last = own.layer.last;
  for (std::size_t w = 0; w < own.worlds; ++w) {
    for (std::size_t i = 0; i < words; ++i) {
      inputs[w * words + i] = {own.from.Bits(w)[i], own.from.Row(w) + 64 * i,
                               own.Weights(w) + 64 * i * outputs + column};
    }
  }
  // behind them the weights of the first world's next layer are fetched
  inputs[own.worlds * words] = {~std::uint64_t{0}, nullptr, own.Biases(0) + outputs};
  RowsAhead ahead = {inputs, inputs->bits, own.layer.inputs * outputs};
  for (std::size_t n = 0; n < kAhead; ++n) ahead.Fetch(outputs, count);
  for (std::size_t w = 0; w < own.worlds; ++w) {
    FloatVec sums[kVectors];
    LoadSums(own.Biases(w) + column, sums, vectors);
    for (std::size_t i = 0; i < words; ++i, ++inputs) {
      const float* HWY_RESTRICT values = inputs->values;
      const float* HWY_RESTRICT weights = inputs->weights;
      std::uint64_t bits = inputs->bits;
      while (bits != 0) {
        const std::size_t unit = TakeLowest(bits);
        ahead.Fetch(outputs, count);
        AddRow(hn::Set(d, values[unit]), weights + unit * outputs, sums, vectors);
      }
    }
    const std::uint64_t off = KeepSums(sums, last, own.to.Row(w) + column, vectors);
    KeepBits(off, column, count, own.to.Bits(w));
  }
}

// One vector of outputs of kWorlds worlds side by side, because each sum waits for itself. Units that are off in all of
// these worlds are left out: which are on differs little between perturbed policies, and loops of different lengths
// would each end by surprise.
template <std::size_t kWorlds, class Part>
HWY_NOINLINE void NarrowColumn(const OwnLayer& own, std::size_t first_world, std::size_t column, const Part& part) {
  const NarrowTag d;
  const std::size_t outputs = own.layer.outputs;
  const std::size_t inputs = own.layer.inputs;
  const std::size_t whole = WholeRows(own.layer, column);
  NarrowVec sums[kWorlds];
  const float* weights[kWorlds];
  const float* values[kWorlds];
  for (std::size_t w = 0; w < kWorlds; ++w) {
    sums[w] = part.Load(own.Biases(first_world + w) + column);
    weights[w] = own.Weights(first_world + w) + column;
    values[w] = own.from.Row(first_world + w);
  }
  const auto add = [&](std::size_t unit, const auto& how) HWY_ATTR {
    const std::size_t row = unit * outputs;
    for (std::size_t w = 0; w < kWorlds; ++w) {
      sums[w] = hn::MulAdd(hn::Set(d, values[w][unit]), how.Load(weights[w] + row), sums[w]);
    }
  };
  for (std::size_t first = 0; first < inputs; first += 64) {
    std::uint64_t bits = 0;
    for (std::size_t w = 0; w < kWorlds; ++w) bits |= own.from.Bits(first_world + w)[first / 64];
    std::uint64_t rest = whole >= first + 64 ? 0 : whole <= first ? bits : bits >> (whole - first) << (whole - first);
    bits ^= rest;
    while (bits != 0) add(first + TakeLowest(bits), WholeVector());
    while (rest != 0) add(first + TakeLowest(rest), part);
  }
  for (std::size_t w = 0; w < kWorlds; ++w) {
    const std::size_t world = first_world + w;
    const std::uint64_t off = KeepSums(part.Kept(sums[w]), own.layer.last, own.to.Row(world) + column);
    KeepBits(off, column, hn::Lanes(d), own.to.Bits(world));
  }
}

template <class Part>
HWY_INLINE void NarrowColumns(const OwnLayer& own, std::size_t column, const Part& part) {
  std::size_t w = 0;
  for (; w + 4 <= own.worlds; w += 4) NarrowColumn<4>(own, w, column, part);
  for (; w < own.worlds; ++w) NarrowColumn<1>(own, w, column, part);
}

void RunLayer(const OwnLayer& own, MlpInputs* inputs) {
  const std::size_t lanes = hn::Lanes(FloatTag());
  const std::size_t outputs = own.layer.outputs;
  std::size_t column = 0;
  const auto wide = [&](auto vectors) HWY_ATTR {
    for (; column + vectors.value * lanes <= outputs; column += vectors.value * lanes) {
      WideColumns<vectors.value>(own, column, inputs);
    }
  };
  if constexpr (hn::MaxLanes(FloatTag()) <= 8) wide(std::integral_constant<std::size_t, 8>());
  wide(std::integral_constant<std::size_t, 4>());
  wide(std::integral_constant<std::size_t, 2>());
  const std::size_t narrow = hn::Lanes(NarrowTag());
  for (; column + narrow <= outputs; column += narrow) NarrowColumns(own, column, WholeVector());
  if (column < outputs) NarrowColumns(own, column, PartOfVector(outputs - column));
}

// Actions from the last layer's sums. They go back to worlds fastest, by way of `columns`, (outputs x 16) in whole
// vectors.
void GiveActions(const Values& sums, std::size_t count, std::size_t worlds, float* columns, float* outputs,
                 std::size_t stride) {
  const FloatTag d;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    for (std::size_t w = 0; w < worlds; w += 4) {
      FourToRows(sums.Row(w) + i, sums.width, worlds - w, columns + i * 16 + w, 16);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    float* column = columns + i * 16;
    for (std::size_t w = 0; w < worlds; w += hn::Lanes(d)) hn::Store(Action(hn::Load(d, column + w)), d, column + w);
    // a length that is known is copied in a register
    std::memcpy(outputs + i * stride, column, (worlds == kGroup ? kGroup : worlds) * sizeof(float));
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
      RunLayer({layer, policies + first, group, values[from], to}, workspace.inputs());
      from = 1 - from;
    }
    GiveActions(values[from], layers.back().outputs, group, workspace.values(1 - from), outputs + first, stride);
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
