#include "aria/optim/adam.hpp"

#include <cassert>
#include <cmath>

#include "aria/core/require.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/optim/adam.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef ARIA_OPTIM_ADAM_STEP
#define ARIA_OPTIM_ADAM_STEP
namespace aria {

// The numbers of one step that all parameters share.
struct AdamStep {
  float beta1, beta2;
  float rest1, rest2;  // 1 - beta
  float step;
  float root_correction;
  float epsilon;
};

}  // namespace aria
#endif

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// For a whole number of vectors if `d` is a vector's tag; the rest goes through a tag of one lane. No operation is
// fused, and each rounds exactly: the same bits on every CPU.
template <class D>
HWY_INLINE std::size_t Ascend(D d, const AdamStep& s, const float* HWY_RESTRICT gradient, float* HWY_RESTRICT mean,
                              float* HWY_RESTRICT square, float* HWY_RESTRICT parameters, std::size_t i,
                              std::size_t count) {
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    const auto g = hn::LoadU(d, gradient + i);
    const auto m = hn::Add(hn::Mul(hn::Set(d, s.beta1), hn::LoadU(d, mean + i)), hn::Mul(hn::Set(d, s.rest1), g));
    const auto v =
        hn::Add(hn::Mul(hn::Set(d, s.beta2), hn::LoadU(d, square + i)), hn::Mul(hn::Set(d, s.rest2), hn::Mul(g, g)));
    const auto divisor = hn::Add(hn::Mul(hn::Sqrt(v), hn::Set(d, s.root_correction)), hn::Set(d, s.epsilon));
    const auto move = hn::Div(hn::Mul(hn::Set(d, s.step), m), divisor);
    hn::StoreU(m, d, mean + i);
    hn::StoreU(v, d, square + i);
    hn::StoreU(hn::Add(hn::LoadU(d, parameters + i), move), d, parameters + i);
  }
  return i;
}

void AscendAll(const AdamStep& s, const float* gradient, float* mean, float* square, float* parameters,
               std::size_t count) {
  const std::size_t rest = Ascend(hn::CappedTag<float, 16>(), s, gradient, mean, square, parameters, 0, count);
  Ascend(hn::CappedTag<float, 1>(), s, gradient, mean, square, parameters, rest, count);
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(AscendAll);

void AdamConfig::validate() const {
  require(learning_rate > 0 && learning_rate <= 10, "learning_rate", "above 0, at most 10", learning_rate);
  require(beta1 >= 0 && beta1 < 1, "beta1", "at least 0, below 1", beta1);
  require(beta2 >= 0 && beta2 < 1, "beta2", "at least 0, below 1", beta2);
  require(epsilon > 0, "epsilon", "above 0", epsilon);
}

void adam_ascend(const AdamConfig& config, AdamState& state, std::span<const float> gradient,
                 std::span<float> parameters) {
  assert(gradient.size() == parameters.size() && state.mean.size() == parameters.size());
  ++state.steps;
  // bias correction of both means, folded into the step size and the divisor
  const auto steps = static_cast<double>(state.steps);
  const AdamStep step{.beta1 = static_cast<float>(config.beta1),
                      .beta2 = static_cast<float>(config.beta2),
                      .rest1 = static_cast<float>(1 - config.beta1),
                      .rest2 = static_cast<float>(1 - config.beta2),
                      .step = static_cast<float>(config.learning_rate / (1 - std::pow(config.beta1, steps))),
                      .root_correction = static_cast<float>(1 / std::sqrt(1 - std::pow(config.beta2, steps))),
                      .epsilon = static_cast<float>(config.epsilon)};
  HWY_DYNAMIC_DISPATCH(AscendAll)
  (step, gradient.data(), state.mean.data(), state.square.data(), parameters.data(), parameters.size());
}

}  // namespace aria
#endif  // HWY_ONCE
