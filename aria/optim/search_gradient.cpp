#include "aria/optim/search_gradient.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

#include "aria/core/draws.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/optim/search_gradient.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/core/draws-inl.h"
#include "aria/core/normals-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// Weighs the noise of eight parameters at a time; `load(p, groups, values)` gives that of the pairs from p on and,
// where there are two groups, of those from p + 16 on. `weights` is padded with zeros to whole groups of sixteen pairs.
template <class Load>
HWY_INLINE void GradientOfEight(const float* weights, std::size_t padded_pairs, const Load& load, float* sums) {
  const FloatTag d;
  HWY_ALIGN float lanes[8][16];
  for (std::size_t lane = 0; lane < 16; lane += hn::Lanes(d)) {
    FloatVec sum[8];
    for (auto& s : sum) s = hn::Zero(d);
    for (std::size_t p = lane; p < padded_pairs; p += 32) {
      const std::size_t groups = p + 16 < padded_pairs ? 2 : 1;
      FloatVec noise[2][8];
      load(p, groups, noise);
      for (std::size_t g = 0; g < groups; ++g) {
        const auto weight = hn::LoadU(d, weights + p + 16 * g);
        for (int k = 0; k < 8; ++k) sum[k] = hn::MulAdd(weight, noise[g][k], sum[k]);
      }
    }
    for (int k = 0; k < 8; ++k) hn::StoreU(sum[k], d, lanes[k] + lane);
  }
  // the sixteen partial sums, by halves
  for (int k = 0; k < 8; ++k) {
    for (std::size_t half = 8; half > 0; half /= 2) {
      for (std::size_t i = 0; i < half; ++i) lanes[k][i] += lanes[k][i + half];
    }
    sums[k] = lanes[k][0];
  }
}

// The noise is drawn, used and forgotten in registers.
void DrawnGradient(Key key, std::uint32_t id, const float* weights, std::size_t padded_pairs, float* gradient,
                   std::size_t parameters) {
  const WordTag dw;
  const DrawKey draw_key(key, Purpose::kPerturbation);
  static_assert(kNormalsPerBlock == 8);
  for (std::size_t j = 0; j < parameters; j += 8) {
    const SharedBlock block(draw_key, id, static_cast<std::uint32_t>(j / 8));
    float sums[8];
    GradientOfEight(
        weights, padded_pairs,
        [&](std::size_t p, std::size_t, FloatVec(&noise)[2][8]) HWY_ATTR {
          const auto pair = hn::Add(hn::Set(dw, static_cast<std::uint32_t>(p)), hn::Iota(dw, 0));
          // two blocks at a time, the second of no use at the end: one alone waits for its own multiplications
          const SharedBlockName names[2] = {{&block, pair}, {&block, hn::Add(pair, hn::Set(dw, 16u))}};
          WordBlock bits[2];
          DrawBlocks(draw_key, names, bits);
          for (int g = 0; g < 2; ++g) NormalPairs<4>(bits[g].word, noise[g]);
        },
        sums);
    std::copy(sums, sums + std::min<std::size_t>(8, parameters - j), gradient + j);
  }
}

void KeptGradient(const float* kept, const float* weights, std::size_t padded_pairs, float* gradient,
                  std::size_t parameters) {
  const FloatTag d;
  for (std::size_t j = 0; j < parameters; j += 8) {
    const std::size_t count = std::min<std::size_t>(8, parameters - j);
    float sums[8];
    GradientOfEight(
        weights, padded_pairs,
        [&](std::size_t p, std::size_t groups, FloatVec(&noise)[2][8]) HWY_ATTR {
          for (std::size_t g = 0; g < groups; ++g) {
            const float* group = kept + ((p / 16 + g) * parameters + j) * 16 + p % 16;
            for (std::size_t k = 0; k < 8; ++k) noise[g][k] = k < count ? hn::LoadU(d, group + k * 16) : hn::Zero(d);
          }
        },
        sums);
    std::copy(sums, sums + count, gradient + j);
  }
}

// What each pair's noise is multiplied by: the difference of its utilities, scaled.
void PairWeights(const float* utility, std::size_t pairs, float scale, float* weights) {
  const FloatTag d;
  std::size_t p = 0;
  for (; p + hn::Lanes(d) <= pairs; p += hn::Lanes(d)) {
    FloatVec plus;
    FloatVec minus;
    hn::LoadInterleaved2(d, utility + 2 * p, plus, minus);
    hn::StoreU(hn::Mul(hn::Sub(plus, minus), hn::Set(d, scale)), d, weights + p);
  }
  for (; p < pairs; ++p) weights[p] = (utility[2 * p] - utility[2 * p + 1]) * scale;
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(DrawnGradient);
HWY_EXPORT(KeptGradient);
HWY_EXPORT(PairWeights);

namespace {

// Padded with zeros to whole groups of sixteen; good until the thread's next call.
std::span<const float> pair_weights(std::span<const float> utility) {
  assert(utility.size() % 2 == 0);
  const std::size_t pairs = utility.size() / 2;
  thread_local std::vector<float> weights;
  weights.resize((pairs + 15) / 16 * 16);
  HWY_DYNAMIC_DISPATCH(PairWeights)(utility.data(), pairs, 1.0f / static_cast<float>(pairs), weights.data());
  std::fill(weights.begin() + static_cast<std::ptrdiff_t>(pairs), weights.end(), 0.0f);
  return weights;
}

}  // namespace

void search_gradient(Key key, std::uint32_t id, std::span<const float> utility, std::span<float> gradient) {
  const std::span<const float> weights = pair_weights(utility);
  HWY_DYNAMIC_DISPATCH(DrawnGradient)(key, id, weights.data(), weights.size(), gradient.data(), gradient.size());
}

void search_gradient(std::span<const float> noise, std::span<const float> utility, std::span<float> gradient) {
  const std::span<const float> weights = pair_weights(utility);
  assert(noise.size() == weights.size() * gradient.size());
  HWY_DYNAMIC_DISPATCH(KeptGradient)(noise.data(), weights.data(), weights.size(), gradient.data(), gradient.size());
}

}  // namespace aria
#endif  // HWY_ONCE
