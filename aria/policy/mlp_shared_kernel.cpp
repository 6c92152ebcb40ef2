#include <utility>

#include "aria/policy/mlp_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/policy/mlp_shared_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/policy/mlp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// What a layer's units are in kVectors of worlds, and which of them are not zero in all of these worlds; the others are
// left out of the sums.
template <std::size_t kVectors>
struct UnitValues {
  float* values;         // (units x kVectors of worlds)
  std::uint32_t* units;  // (count): those that count, in order
  std::size_t count = 0;

  float* Row(std::size_t unit) const { return values + unit * kVectors * hn::Lanes(FloatTag()); }

  HWY_INLINE void Keep(std::size_t unit, const FloatVec (&of_worlds)[kVectors]) {
    const FloatTag d;
    auto any = of_worlds[0];
    for (std::size_t v = 0; v < kVectors; ++v) {
      hn::StoreU(of_worlds[v], d, Row(unit) + v * hn::Lanes(d));
      any = hn::Or(any, of_worlds[v]);
    }
    // listed in any case, and kept by counting it: which units are zero cannot be foretold
    units[count] = static_cast<std::uint32_t>(unit);
    count += hn::AllTrue(d, hn::Eq(any, hn::Zero(d))) ? 0 : 1;
  }
};

// Where actions go: rows of worlds, as the caller wants them.
struct Actions {
  float* values;
  std::size_t stride;
};

template <std::size_t kVectors>
HWY_INLINE void KeepSums(FloatVec (&sums)[kVectors], std::size_t output, UnitValues<kVectors>& to) {
  for (std::size_t v = 0; v < kVectors; ++v) sums[v] = Rectified(sums[v]);
  to.Keep(output, sums);
}

// tanh comes later, apart: here it would take the registers of the sums.
template <std::size_t kVectors>
HWY_INLINE void KeepSums(const FloatVec (&sums)[kVectors], std::size_t output, const Actions& to) {
  const FloatTag d;
  for (std::size_t v = 0; v < kVectors; ++v) {
    hn::StoreU(sums[v], d, to.values + output * to.stride + v * hn::Lanes(d));
  }
}

// kOutputs of a layer, from `column` on.
template <std::size_t kOutputs, std::size_t kVectors, class To>
HWY_INLINE void RunOutputs(const MlpLayer& layer, const float* policy, const UnitValues<kVectors>& from,
                           std::size_t column, To& to) {
  const FloatTag d;
  const std::size_t outputs = layer.outputs;
  const float* HWY_RESTRICT weights = policy + layer.weights + column;
  const float* HWY_RESTRICT biases = policy + layer.biases + column;
  FloatVec sums[kOutputs][kVectors];
  HWY_UNROLL(12)
  for (std::size_t o = 0; o < kOutputs; ++o) {
    for (std::size_t v = 0; v < kVectors; ++v) sums[o][v] = hn::Set(d, biases[o]);
  }
  const std::uint32_t* const end = from.units + from.count;
  for (const std::uint32_t* HWY_RESTRICT unit = from.units; unit != end; ++unit) {
    const float* HWY_RESTRICT row = weights + *unit * outputs;
    const float* HWY_RESTRICT of_worlds = from.Row(*unit);
    FloatVec values[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) values[v] = hn::LoadU(d, of_worlds + v * hn::Lanes(d));
    HWY_UNROLL(12)
    for (std::size_t o = 0; o < kOutputs; ++o) {
      const auto weight = hn::Set(d, row[o]);
      for (std::size_t v = 0; v < kVectors; ++v) sums[o][v] = hn::MulAdd(weight, values[v], sums[o][v]);
    }
  }
  To kept = to;  // in registers
  HWY_UNROLL(12)
  for (std::size_t o = 0; o < kOutputs; ++o) KeepSums(sums[o], column + o, kept);
  to = kept;
}

// As RunOutputs, for a number of outputs that is known only now: kMost or fewer.
template <std::size_t kMost, std::size_t kVectors, class To>
HWY_INLINE void RunSomeOutputs(std::size_t count, const MlpLayer& layer, const float* policy,
                               const UnitValues<kVectors>& from, std::size_t column, To& to) {
  if constexpr (kMost > 1) {
    if (count < kMost) return RunSomeOutputs<kMost - 1>(count, layer, policy, from, column, to);
  }
  RunOutputs<kMost>(layer, policy, from, column, to);
}

// Twelve sums keep both multipliers busy and leave registers for what goes into them. The outputs are dealt out evenly:
// few sums would wait for themselves.
template <std::size_t kVectors, class To>
HWY_NOINLINE void RunLayer(const MlpLayer& layer, const float* policy, const UnitValues<kVectors>& from, To& to) {
  constexpr std::size_t kMost = 12 / kVectors;
  const std::size_t turns = (layer.outputs + kMost - 1) / kMost;
  const std::size_t least = layer.outputs / turns;
  const std::size_t with_one_more = layer.outputs % turns;
  std::size_t column = 0;
  for (std::size_t turn = 0; turn < turns; ++turn) {
    const std::size_t count = least + (turn < with_one_more ? 1 : 0);
    RunSomeOutputs<kMost>(count, layer, policy, from, column, to);
    column += count;
  }
}

// kVectors of worlds through all layers.
template <std::size_t kVectors>
HWY_INLINE void RunTile(MlpWorkspace& workspace, const float* policy, const float* inputs, float* outputs,
                        std::size_t stride) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  UnitValues<kVectors> from{workspace.values(0), workspace.units(0)};
  UnitValues<kVectors> to{workspace.values(1), workspace.units(1)};
  for (std::size_t i = 0; i < workspace.layers().front().inputs; ++i) {
    FloatVec of_worlds[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) of_worlds[v] = hn::LoadU(d, inputs + i * stride + v * lanes);
    from.Keep(i, of_worlds);
  }
  Actions actions{outputs, stride};
  for (const MlpLayer& layer : workspace.layers()) {
    if (layer.last) {
      RunLayer(layer, policy, from, actions);
    } else {
      to.count = 0;
      RunLayer(layer, policy, from, to);
      std::swap(from, to);
    }
  }
  for (std::size_t o = 0; o < workspace.layers().back().outputs; ++o) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      float* at = outputs + o * stride + v * lanes;
      hn::StoreU(Action(hn::LoadU(d, at)), d, at);
    }
  }
}

void RunShared(MlpWorkspace& workspace, const float* policy, const float* inputs, float* outputs, std::size_t worlds,
               std::size_t stride) {
  const std::size_t lanes = hn::Lanes(FloatTag());
  std::size_t first = 0;
  for (; first + lanes < worlds; first += 2 * lanes) {
    RunTile<2>(workspace, policy, inputs + first, outputs + first, stride);
  }
  if (first < worlds) RunTile<1>(workspace, policy, inputs + first, outputs + first, stride);
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
