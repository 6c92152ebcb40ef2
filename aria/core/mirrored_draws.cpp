#include "aria/core/mirrored_draws.hpp"

#include <algorithm>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/core/mirrored_draws.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/core/normals-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// Products and sums are rounded apart, as in the plain loop.
HWY_INLINE void StorePair(const float* noise, const float* centre, float scale, float* plus, float* minus) {
  const FloatTag d;
  const auto step = hn::Mul(hn::Set(d, scale), hn::Load(d, noise));
  const auto middle = hn::LoadU(d, centre);
  hn::StoreU(hn::Add(middle, step), d, plus);
  hn::StoreU(hn::Sub(middle, step), d, minus);
}

void DrawMirrored(Key key, Purpose purpose, std::uint32_t id, std::uint32_t sample, const float* centre,
                  std::size_t count, float scale, float* plus, float* minus) {
  const FloatTag d;
  const WordTag dw;
  const DrawKey draw_key(key, purpose);
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t at_once = 2 * kNormalsPerBlock * lanes;  // two blocks in every lane
  HWY_ALIGN float noise[2 * kNormalsPerBlock * 16];
  auto block = hn::Iota(dw, 0);
  const auto step = hn::Set(dw, static_cast<std::uint32_t>(lanes));
  for (std::size_t first = 0; first < count; first += at_once) {
    const auto next = hn::Add(block, step);
    const BlockName names[2] = {{hn::Set(dw, id), hn::Set(dw, sample), block},
                                {hn::Set(dw, id), hn::Set(dw, sample), next}};
    block = hn::Add(next, step);
    NormalBlock normals[2];
    DrawNormalBlocks(draw_key, names, normals);
    for (std::size_t n = 0; n < 2; ++n) StoreAsRows(normals[n], noise + kNormalsPerBlock * n * lanes);
    const std::size_t whole = std::min(at_once, count - first) / lanes * lanes;
    std::size_t i = 0;
    for (; i < whole; i += lanes) {
      StorePair(noise + i, centre + first + i, scale, plus + first + i, minus + first + i);
    }
    for (; i < std::min(at_once, count - first); ++i) {
      const float shift = scale * noise[i];
      plus[first + i] = centre[first + i] + shift;
      minus[first + i] = centre[first + i] - shift;
    }
  }
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(DrawMirrored);

void draw_mirrored(Key key, Purpose purpose, std::uint32_t id, std::uint32_t sample, std::span<const float> centre,
                   float scale, float* plus, float* minus) {
  HWY_DYNAMIC_DISPATCH(DrawMirrored)(key, purpose, id, sample, centre.data(), centre.size(), scale, plus, minus);
}

}  // namespace aria
#endif  // HWY_ONCE
