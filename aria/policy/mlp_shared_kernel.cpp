#include <algorithm>

#include "aria/policy/mlp_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/policy/mlp_shared_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/policy/mlp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// The units of a layer, kVectors of worlds each, that are not zero in all of these worlds; the others are left out.
template <std::size_t kVectors>
struct ActiveUnits {
  float* values;         // (count x worlds)
  std::uint32_t* units;  // (count): which they are, in order
  std::size_t count = 0;

  HWY_INLINE void Append(const FloatVec (&unit)[kVectors], std::uint32_t number) {
    const FloatTag d;
    auto any = unit[0];
    for (std::size_t v = 1; v < kVectors; ++v) any = hn::Or(any, unit[v]);
    // written in any case, and kept by counting it: whether a unit is zero cannot be foretold
    for (std::size_t v = 0; v < kVectors; ++v) {
      hn::StoreU(unit[v], d, values + (count * kVectors + v) * hn::Lanes(d));
    }
    units[count] = number;
    count += hn::AllTrue(d, hn::Eq(any, hn::Zero(d))) ? 0 : 1;
  }
};

// Sums of kOutputs outputs, from `column` on, of kVectors of worlds.
template <std::size_t kOutputs, std::size_t kVectors>
HWY_INLINE void Sum(const MlpLayer& layer, const float* policy, const ActiveUnits<kVectors>& from, std::size_t column,
                    FloatVec (&sums)[kOutputs][kVectors]) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  const float* weights = policy + layer.weights + column;
  for (std::size_t o = 0; o < kOutputs; ++o) {
    for (std::size_t v = 0; v < kVectors; ++v) sums[o][v] = hn::Set(d, policy[layer.biases + column + o]);
  }
  for (std::size_t n = 0; n < from.count; ++n) {
    const float* row = weights + from.units[n] * layer.outputs;
    FloatVec values[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) values[v] = hn::LoadU(d, from.values + (n * kVectors + v) * lanes);
    for (std::size_t o = 0; o < kOutputs; ++o) {
      const auto weight = hn::Set(d, row[o]);
      for (std::size_t v = 0; v < kVectors; ++v) sums[o][v] = hn::MulAdd(weight, values[v], sums[o][v]);
    }
  }
}

// kOutputs of a layer at a time, while as many are left.
template <std::size_t kOutputs, std::size_t kVectors>
HWY_INLINE void RunOutputs(const MlpLayer& layer, const float* policy, const ActiveUnits<kVectors>& from,
                           std::size_t end, std::size_t& column, ActiveUnits<kVectors>& to, float* actions,
                           std::size_t stride) {
  const FloatTag d;
  for (; column + kOutputs <= end; column += kOutputs) {
    FloatVec sums[kOutputs][kVectors];
    Sum(layer, policy, from, column, sums);
    for (std::size_t o = 0; o < kOutputs; ++o) {
      if (layer.last) {
        for (std::size_t v = 0; v < kVectors; ++v) {
          hn::StoreU(Action(sums[o][v]), d, actions + (column + o) * stride + v * hn::Lanes(d));
        }
      } else {
        for (std::size_t v = 0; v < kVectors; ++v) sums[o][v] = Rectified(sums[o][v]);
        to.Append(sums[o], static_cast<std::uint32_t>(column + o));
      }
    }
  }
}

// Twelve sums keep both multipliers busy and leave registers for what goes into them.
template <std::size_t kVectors>
HWY_NOINLINE void RunLayer(const MlpLayer& layer, const float* policy, const ActiveUnits<kVectors>& from,
                           ActiveUnits<kVectors>& to, float* actions, std::size_t stride) {
  constexpr std::size_t kMost = 12 / kVectors;
  constexpr std::size_t kSome = 8 / kVectors;
  std::size_t column = 0;
  // eight outputs are twice four, not six and two, whose few sums would wait for themselves
  const std::size_t rest = layer.outputs % kMost;
  const std::size_t end = layer.outputs - (rest != 0 && rest < kSome && layer.outputs >= kMost ? kMost + rest : rest);
  RunOutputs<kMost>(layer, policy, from, end, column, to, actions, stride);
  RunOutputs<kSome>(layer, policy, from, layer.outputs, column, to, actions, stride);
  RunOutputs<1>(layer, policy, from, layer.outputs, column, to, actions, stride);
}

// Up to kWorlds worlds, which is a whole number of tiles of kVectors.
template <std::size_t kVectors>
HWY_INLINE void RunTiles(MlpWorkspace& workspace, const float* policy, const float* inputs, float* outputs,
                         std::size_t worlds, std::size_t stride) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t tile = kVectors * lanes;
  const auto units_of = [&](std::size_t which, std::size_t first) {
    return ActiveUnits<kVectors>{workspace.values(which) + first * workspace.width(),
                                 workspace.units(which) + first * workspace.width()};
  };
  std::size_t counts[MlpWorkspace::kWorlds];
  for (std::size_t first = 0; first < worlds; first += tile) {
    ActiveUnits<kVectors> to = units_of(0, first);
    for (std::size_t i = 0; i < workspace.layers().front().inputs; ++i) {
      FloatVec values[kVectors];
      for (std::size_t v = 0; v < kVectors; ++v) values[v] = hn::LoadU(d, inputs + i * stride + first + v * lanes);
      to.Append(values, static_cast<std::uint32_t>(i));
    }
    counts[first] = to.count;
  }
  std::size_t which = 0;
  for (const MlpLayer& layer : workspace.layers()) {
    for (std::size_t first = 0; first < worlds; first += tile) {
      ActiveUnits<kVectors> from = units_of(which, first);
      from.count = counts[first];
      ActiveUnits<kVectors> to = units_of(1 - which, first);
      RunLayer(layer, policy, from, to, outputs + first, stride);
      counts[first] = to.count;
    }
    which = 1 - which;
  }
}

void RunShared(MlpWorkspace& workspace, const float* policy, const float* inputs, float* outputs, std::size_t worlds,
               std::size_t stride) {
  const std::size_t lanes = hn::Lanes(FloatTag());
  for (std::size_t first = 0; first < worlds; first += MlpWorkspace::kWorlds) {
    const std::size_t count = std::min(MlpWorkspace::kWorlds, worlds - first);
    // the last worlds may fill no more than one vector
    const std::size_t rest = count % (2 * lanes);
    const std::size_t pairs = count - (rest <= lanes ? rest : 0);
    if (pairs > 0) RunTiles<2>(workspace, policy, inputs + first, outputs + first, pairs, stride);
    if (pairs < count) {
      RunTiles<1>(workspace, policy, inputs + first + pairs, outputs + first + pairs, count - pairs, stride);
    }
  }
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(RunShared);

void run_shared_policy(MlpWorkspace& workspace, const float* policy, const float* inputs, float* outputs,
                       std::size_t worlds, std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(RunShared)(workspace, policy, inputs, outputs, worlds, stride);
}

}  // namespace aria
#endif  // HWY_ONCE
