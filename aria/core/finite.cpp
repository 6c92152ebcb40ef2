#include "aria/core/finite.hpp"

#include <algorithm>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/core/finite.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// 0 * x is a NaN for what is not finite and 0 for the rest, and a NaN stays in a sum. Looks at whole vectors, gives
// back how many values those were, or nothing where one is not finite.
std::size_t CountFinite(const float* values, std::size_t n) {
  const hn::ScalableTag<float> d;
  const std::size_t lanes = hn::Lanes(d);
  auto sum0 = hn::Zero(d);
  auto sum1 = hn::Zero(d);
  std::size_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    sum0 = hn::MulAdd(hn::LoadU(d, values + i), hn::Zero(d), sum0);
    sum1 = hn::MulAdd(hn::LoadU(d, values + i + lanes), hn::Zero(d), sum1);
  }
  const auto sum = hn::Add(sum0, sum1);
  return hn::AllTrue(d, hn::Eq(sum, sum)) ? i : 0;
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(CountFinite);

bool all_finite_by_vectors(std::span<const float> values) {
  const std::size_t looked_at = HWY_DYNAMIC_DISPATCH(CountFinite)(values.data(), values.size());
  return std::all_of(values.begin() + static_cast<std::ptrdiff_t>(looked_at), values.end(), is_finite);
}

}  // namespace aria
#endif  // HWY_ONCE
