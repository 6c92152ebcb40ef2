// SIMD building blocks shared by kernels: logarithm, sine and cosine of turns, arc tangent.
// Explicit fused multiply-adds, no contraction: every target with FMA gives the same bits.

// Included once per SIMD target.
#if defined(ARIA_CORE_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ARIA_CORE_MATH_INL_H_
#undef ARIA_CORE_MATH_INL_H_
#else
#define ARIA_CORE_MATH_INL_H_
#endif

#include <hwy/highway.h>

#include "aria/core/polynomials.hpp"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Sixteen lanes at most: sums are kept in sixteen partial sums whatever the vector length, so their order is fixed.
using FloatTag = hn::CappedTag<float, 16>;
using WordTag = hn::RebindToUnsigned<FloatTag>;
using IntTag = hn::RebindToSigned<FloatTag>;
using FloatVec = hn::Vec<FloatTag>;
using WordVec = hn::Vec<WordTag>;

// -2 log(x / 2^31) for 1/2 <= x <= 2^31, the squared radius of a pair of normal variates.
HWY_INLINE FloatVec MinusTwoLogOf31Bits(FloatVec x) {
  const FloatTag d;
  const IntTag di;
  // x / 2^31 = 2^exponent * (1 + t) with 1 + t in [sqrt(1/2), sqrt(2))
  const auto bits = hn::Sub(hn::BitCast(di, x), hn::Set(di, static_cast<int>(kSqrtHalfBits + (31u << 23))));
  // 2^23 times the exponent: an And costs less than a shift
  const auto exponent = hn::ConvertTo(d, hn::And(bits, hn::Set(di, static_cast<int>(~kMantissaBits))));
  const auto mantissa = hn::Add(hn::And(bits, hn::Set(di, static_cast<int>(kMantissaBits))),
                                hn::Set(di, static_cast<int>(kSqrtHalfBits)));
  const auto t = hn::Sub(hn::BitCast(d, mantissa), hn::Set(d, 1.0f));
  auto p = hn::Set(d, kMinusTwoLogCoefficients[6]);
  for (int i = 5; i >= 0; --i) p = hn::MulAdd(p, t, hn::Set(d, kMinusTwoLogCoefficients[i]));
  const auto t2 = hn::Mul(t, t);
  const auto tail = hn::MulAdd(hn::Mul(t2, t), p, t2);
  return hn::MulAdd(exponent, hn::Set(d, kMinusTwoLn2 * 0x1p-23f), hn::MulAdd(t, hn::Set(d, -2.0f), tail));
}

// sin(pi/4 x) and cos(pi/4 x) for |x| <= 1.
HWY_INLINE void SinCosOctant(FloatVec x, FloatVec& sine, FloatVec& cosine) {
  const FloatTag d;
  const auto x2 = hn::Mul(x, x);
  auto s = hn::Set(d, kSinCoefficients[3]);
  auto c = hn::Set(d, kCosCoefficients[3]);
  for (int i = 2; i >= 0; --i) {
    s = hn::MulAdd(s, x2, hn::Set(d, kSinCoefficients[i]));
    c = hn::MulAdd(c, x2, hn::Set(d, kCosCoefficients[i]));
  }
  sine = hn::Mul(s, x);
  cosine = c;
}

// Sine and cosine of an angle given in turns (1 turn = 2 pi); any finite angle below 2^20 turns.
HWY_INLINE void SinCosTurns(FloatVec turns, FloatVec& sine, FloatVec& cosine) {
  const FloatTag d;
  const IntTag di;
  // the nearest quarter turn is taken off; what is left is within an eighth of a turn
  const auto quarter = hn::NearestInt(hn::Mul(turns, hn::Set(d, 4.0f)));
  const auto rest = hn::MulAdd(turns, hn::Set(d, 8.0f), hn::Mul(hn::ConvertTo(d, quarter), hn::Set(d, -2.0f)));
  FloatVec s;
  FloatVec c;
  SinCosOctant(rest, s, c);
  // quarters 1 and 3 swap sine and cosine; 2 and 3 turn the sine's sign, 1 and 2 the cosine's
  const auto one = hn::Set(di, 1);
  const auto swap = hn::RebindMask(d, hn::TestBit(quarter, one));
  const auto sine_sign = hn::ShiftLeft<30>(hn::And(quarter, hn::Set(di, 2)));
  const auto cosine_sign = hn::ShiftLeft<30>(hn::And(hn::Add(quarter, one), hn::Set(di, 2)));
  sine = hn::Xor(hn::IfThenElse(swap, c, s), hn::BitCast(d, sine_sign));
  cosine = hn::Xor(hn::IfThenElse(swap, s, c), hn::BitCast(d, cosine_sign));
}

// The angles of N points (x, y) from the x axis, in (-pi, pi]; 0 or pi where y is 0, not a number where both are. Side
// by side, because one alone waits for its own polynomial.
template <int N>
HWY_INLINE void Atan2(const FloatVec (&y)[N], const FloatVec (&x)[N], FloatVec (&angle)[N]) {
  const FloatTag d;
  FloatVec slope[N];
  FloatVec square[N];
  FloatVec p[N];
  for (int n = 0; n < N; ++n) {
    // within an eighth of a turn of the nearer axis
    slope[n] = hn::Div(hn::Min(hn::Abs(y[n]), hn::Abs(x[n])), hn::Max(hn::Abs(y[n]), hn::Abs(x[n])));
  }
  for (int n = 0; n < N; ++n) {
    square[n] = hn::Mul(slope[n], slope[n]);
    p[n] = hn::MulAdd(hn::Set(d, kAtanCoefficients[7]), square[n], hn::Set(d, kAtanCoefficients[6]));
  }
  for (int i = 5; i >= 0; --i) {
    const auto coefficient = hn::Set(d, kAtanCoefficients[i]);
    for (int n = 0; n < N; ++n) p[n] = hn::MulAdd(p[n], square[n], coefficient);
  }
  for (int n = 0; n < N; ++n) {
    const auto first = hn::MulAdd(hn::Mul(slope[n], square[n]), p[n], slope[n]);
    const auto steep = hn::Gt(hn::Abs(y[n]), hn::Abs(x[n]));
    const auto quarter = hn::IfThenElse(steep, hn::Sub(hn::Set(d, 1.57079632679f), first), first);
    const auto back = hn::Sub(hn::Set(d, 3.14159265359f), quarter);
    angle[n] = hn::CopySignToAbs(hn::IfNegativeThenElse(x[n], back, quarter), y[n]);
  }
}

HWY_INLINE FloatVec Atan2(FloatVec y, FloatVec x) {
  const FloatVec ys[1] = {y};
  const FloatVec xs[1] = {x};
  FloatVec angle[1];
  Atan2(ys, xs, angle);
  return angle[0];
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
