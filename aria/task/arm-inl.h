// What the SIMD kernels of the noisy arm share: spread, end point, noise, and how results are written.

// Included once per SIMD target.
#if defined(ARIA_TASK_ARM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ARIA_TASK_ARM_INL_H_
#undef ARIA_TASK_ARM_INL_H_
#else
#define ARIA_TASK_ARM_INL_H_
#endif

#include <cstring>

#include <hwy/highway.h>

#include "aria/core/math-inl.h"
#include "aria/core/normals-inl.h"
#include "aria/task/arm_kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// Minus the variance or the standard deviation; rounding may have left the variance below zero.
HWY_INLINE FloatVec FitnessOf(FloatVec spread, bool variance) {
  const auto positive = hn::Max(spread, hn::Zero(FloatTag()));
  return hn::Neg(variance ? positive : hn::Sqrt(positive));
}

// The spread of the joint positions, one pass. Positions are taken relative to a pivot among them, so the difference of
// the two sums does not cancel when the spread is small.
struct Spread {
  FloatVec sum;
  FloatVec squares;

  HWY_INLINE Spread() : sum(hn::Zero(FloatTag())), squares(hn::Zero(FloatTag())) {}

  // `position` is any real number, a joint is its fractional part
  HWY_INLINE void Add(FloatVec position, FloatVec pivot) {
    const auto offset = hn::Sub(hn::Sub(position, hn::Floor(position)), pivot);
    sum = hn::Add(sum, offset);
    squares = hn::MulAdd(offset, offset, squares);
  }
  HWY_INLINE FloatVec Fitness(float per_joint, bool variance) const {
    const FloatTag d;
    const auto mean = hn::Mul(sum, hn::Set(d, per_joint));
    return FitnessOf(hn::NegMulAdd(mean, mean, hn::Mul(squares, hn::Set(d, per_joint))), variance);
  }
};

// The end of the arm as a point of the unit square.
HWY_INLINE FloatVec Coordinate(FloatVec sum, float scale) {
  const FloatTag d;
  return hn::MulAdd(sum, hn::Set(d, scale), hn::Set(d, 0.5f));
}

HWY_INLINE FloatVec Fraction(FloatVec x) { return hn::Sub(x, hn::Floor(x)); }

// Adds noise to what an arm gives without.
struct AddedNoise {
  ArmNoise noise;

  HWY_INLINE FloatVec Fitness(FloatVec fitness, FloatVec variate) const {
    return hn::MulAdd(variate, hn::Set(FloatTag(), noise.fitness), fitness);
  }
  HWY_INLINE FloatVec Coordinate(FloatVec coordinate, FloatVec variate) const {
    return hn::MulAdd(variate, hn::Set(FloatTag(), noise.descriptor), coordinate);
  }
};

// The noise of samples 2 pair and 2 pair + 1, three variates each: first those of the one, then those of the other.
struct PairNoise {
  FloatVec variate[2 * kArmNoise];

  PairNoise() = default;
  HWY_INLINE explicit PairNoise(const WordBlock& words) { NormalPairs<kArmNoise>(words.word, variate); }
  HWY_INLINE const FloatVec* plus() const { return variate; }
  HWY_INLINE const FloatVec* minus() const { return variate + kArmNoise; }
};

// Writes pairs to two rows of results each: +, -, +, -, ...
HWY_INLINE void StorePairs(FloatVec fitness_plus, FloatVec fitness_minus, FloatVec x_plus, FloatVec y_plus,
                           FloatVec x_minus, FloatVec y_minus, std::size_t lanes, float* fitness, float* descriptors) {
  const FloatTag d;
  if (lanes == hn::Lanes(d)) {
    hn::StoreInterleaved2(fitness_plus, fitness_minus, d, fitness);
    hn::StoreInterleaved4(x_plus, y_plus, x_minus, y_minus, d, descriptors);
    return;
  }
  HWY_ALIGN float buffer[6 * 16];
  hn::StoreInterleaved2(fitness_plus, fitness_minus, d, buffer);
  hn::StoreInterleaved4(x_plus, y_plus, x_minus, y_minus, d, buffer + 32);
  std::memcpy(fitness, buffer, 2 * lanes * sizeof(float));
  std::memcpy(descriptors, buffer + 32, 4 * lanes * sizeof(float));
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
