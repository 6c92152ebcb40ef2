#include <algorithm>

#include "aria/policy/mlp_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/policy/mlp_shared_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/policy/mlp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// The values of a layer in kVectors of worlds: of the units that are not zero in all of these worlds.
struct ActiveUnits {
  float* values;         // (count x worlds)
  std::uint32_t* units;  // (count): which they are, in order
  std::size_t count;
};

// Takes what is not zero in all worlds of `units` rows that are `stride` apart; `to` may be where they lie.
template <std::size_t kVectors>
HWY_INLINE void TakeActive(const float* rows, std::size_t stride, std::size_t units, ActiveUnits& to) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t count = 0;
  for (std::size_t i = 0; i < units; ++i) {
    FloatVec values[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) values[v] = hn::LoadU(d, rows + i * stride + v * lanes);
    auto any = values[0];
    for (std::size_t v = 1; v < kVectors; ++v) any = hn::Or(any, values[v]);
    // written in any case, and kept by counting it: which units are zero cannot be foretold
    for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(values[v], d, to.values + (count * kVectors + v) * lanes);
    to.units[count] = static_cast<std::uint32_t>(i);
    count += hn::AllTrue(d, hn::Eq(any, hn::Zero(d))) ? 0 : 1;
  }
  to.count = count;
}

// Sums of kOutputs outputs, from `column` on, of kVectors of worlds, to rows that are `stride` apart.
template <std::size_t kOutputs, std::size_t kVectors>
HWY_INLINE void RunOutputs(const MlpLayer& layer, const float* policy, const ActiveUnits& from, std::size_t column,
                           float* to, std::size_t stride) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  const float* weights = policy + layer.weights + column;
  const float* biases = policy + layer.biases + column;
  FloatVec sums[kOutputs][kVectors];
  for (std::size_t o = 0; o < kOutputs; ++o) {
    for (std::size_t v = 0; v < kVectors; ++v) sums[o][v] = hn::Set(d, biases[o]);
  }
  const std::size_t outputs = layer.outputs;
  const std::size_t count = from.count;
  for (std::size_t n = 0; n < count; ++n) {
    const float* row = weights + from.units[n] * outputs;
    FloatVec values[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) values[v] = hn::LoadU(d, from.values + (n * kVectors + v) * lanes);
    for (std::size_t o = 0; o < kOutputs; ++o) {
      const auto weight = hn::Set(d, row[o]);
      for (std::size_t v = 0; v < kVectors; ++v) sums[o][v] = hn::MulAdd(weight, values[v], sums[o][v]);
    }
  }
  to += column * stride;
  for (std::size_t o = 0; o < kOutputs; ++o) {
    for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(sums[o][v], d, to + o * stride + v * lanes);
  }
}

// Twelve sums keep both multipliers busy and leave registers for what goes into them.
template <std::size_t kVectors>
HWY_NOINLINE void RunLayer(const MlpLayer& layer, const float* policy, const ActiveUnits& from, float* to,
                           std::size_t stride) {
  constexpr std::size_t kMost = 12 / kVectors;
  constexpr std::size_t kSome = 8 / kVectors;
  const std::size_t outputs = layer.outputs;
  std::size_t column = 0;
  // eight outputs are twice four, not six and two, whose few sums would wait for themselves
  const std::size_t rest = outputs % kMost;
  const std::size_t end = outputs - (rest != 0 && rest < kSome && outputs >= kMost ? kMost + rest : rest);
  for (; column < end; column += kMost) RunOutputs<kMost, kVectors>(layer, policy, from, column, to, stride);
  for (; column + kSome <= outputs; column += kSome) {
    RunOutputs<kSome, kVectors>(layer, policy, from, column, to, stride);
  }
  for (; column < outputs; ++column) RunOutputs<1, kVectors>(layer, policy, from, column, to, stride);
}

template <std::size_t kVectors, class Function>
HWY_INLINE void Apply(const Function& function, std::size_t rows, float* values, std::size_t stride) {
  const FloatTag d;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      float* at = values + i * stride + v * hn::Lanes(d);
      hn::StoreU(function(hn::LoadU(d, at)), d, at);
    }
  }
}

// Up to kWorlds worlds, which is a whole number of tiles of kVectors.
template <std::size_t kVectors>
HWY_INLINE void RunTiles(MlpWorkspace& workspace, const float* policy, const float* inputs, float* outputs,
                         std::size_t worlds, std::size_t stride) {
  const std::size_t tile = kVectors * hn::Lanes(FloatTag());
  std::size_t which = 0;
  for (const MlpLayer& layer : workspace.layers()) {
    const bool first_layer = layer.weights == 0;
    for (std::size_t first = 0; first < worlds; first += tile) {
      float* values = workspace.values(which) + first * workspace.width();
      ActiveUnits from{values, workspace.units(), 0};
      if (first_layer) {
        TakeActive<kVectors>(inputs + first, stride, layer.inputs, from);
      } else {
        TakeActive<kVectors>(values, tile, layer.inputs, from);
      }
      if (layer.last) {
        RunLayer<kVectors>(layer, policy, from, outputs + first, stride);
        Apply<kVectors>([](FloatVec sum) HWY_ATTR { return Action(sum); }, layer.outputs, outputs + first, stride);
      } else {
        float* to = workspace.values(1 - which) + first * workspace.width();
        RunLayer<kVectors>(layer, policy, from, to, tile);
        Apply<kVectors>([](FloatVec sum) HWY_ATTR { return Rectified(sum); }, layer.outputs, to, tile);
      }
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
