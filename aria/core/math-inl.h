// SIMD building blocks shared by kernels: sine and cosine of turns, tanh, arc tangent.
// Explicit fused multiply-adds, no contraction: every target with FMA gives the same bits.

// Included once per SIMD target.
#if defined(ARIA_CORE_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ARIA_CORE_MATH_INL_H_
#undef ARIA_CORE_MATH_INL_H_
#else
#define ARIA_CORE_MATH_INL_H_
#endif

#include <limits>

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

// Has the compiler work x out at this point of the code. Sixteen registers hold a kernel's state only if its operations
// keep their order; GCC moves them next to their uses and regroups xors, which costs spills in the middle of chains of
// dependent operations. With the 32 registers of AVX-512 nothing needs to be told.
template <class V>
HWY_INLINE void ComputeHere(V& x) {
#if HWY_TARGET == HWY_AVX2
  __asm__("" : "+x"(x.raw));
#else
  (void)x;
#endif
}

// Sine and cosine of an angle given in turns (1 turn = 2 pi); any finite angle below 2^20 turns.
HWY_INLINE void SinCosTurns(FloatVec turns, FloatVec& sine, FloatVec& cosine) {
  const FloatTag d;
  const IntTag di;
  // the nearest quarter turn is taken off; what is left is within an eighth of a turn
  const auto quarter = hn::NearestInt(hn::Mul(turns, hn::Set(d, 4.0f)));
  const auto rest = hn::MulAdd(turns, hn::Set(d, 8.0f), hn::Mul(hn::ConvertTo(d, quarter), hn::Set(d, -2.0f)));
  const auto rest2 = hn::Mul(rest, rest);
  auto s = hn::Set(d, kSinCoefficients[3]);
  auto c = hn::Set(d, kCosCoefficients[3]);
  for (int i = 2; i >= 0; --i) {
    s = hn::MulAdd(s, rest2, hn::Set(d, kSinCoefficients[i]));
    c = hn::MulAdd(c, rest2, hn::Set(d, kCosCoefficients[i]));
  }
  s = hn::Mul(s, rest);
  // quarters 1 and 3 swap sine and cosine; 2 and 3 turn the sine's sign, 1 and 2 the cosine's
  const auto one = hn::Set(di, 1);
  const auto swap = hn::RebindMask(d, hn::TestBit(quarter, one));
  const auto sine_sign = hn::ShiftLeft<30>(hn::And(quarter, hn::Set(di, 2)));
  const auto cosine_sign = hn::ShiftLeft<30>(hn::And(hn::Add(quarter, one), hn::Set(di, 2)));
  sine = hn::Xor(hn::IfThenElse(swap, c, s), hn::BitCast(d, sine_sign));
  cosine = hn::Xor(hn::IfThenElse(swap, s, c), hn::BitCast(d, cosine_sign));
}

// Within 2.5 ulp and 8e-8, odd, exactly 1 where that is the nearest float (from 9.02 on). Any NaN gives the one quiet
// NaN, because which of several NaNs survives a sum differs between instruction sets.
HWY_INLINE FloatVec Tanh(FloatVec x) {
  const FloatTag d;
  const IntTag di;
  // -2|x| = k log 2 + r, and e^r - 1 without cancellation; beyond 10 nothing changes
  const auto y = hn::Mul(hn::Min(hn::Abs(x), hn::Set(d, 10.0f)), hn::Set(d, -2.0f));
  const auto k = hn::NearestInt(hn::Mul(y, hn::Set(d, 1.44269504088896341f)));
  const auto r = hn::MulAdd(hn::ConvertTo(d, k), hn::Set(d, 0.5f * kMinusTwoLn2), y);
  auto p = hn::Set(d, kExpMinusOneCoefficients[4]);
  for (int i = 3; i >= 0; --i) p = hn::MulAdd(p, r, hn::Set(d, kExpMinusOneCoefficients[i]));
  p = hn::MulAdd(hn::Mul(r, r), p, r);
  // with e = e^(-2|x|), tanh|x| is (1 - e) / (1 + e) where it is small and 1 - 2e / (1 + e) where it is large
  const auto scale = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(k, hn::Set(di, 127))));
  const auto e = hn::MulAdd(scale, p, scale);
  const auto one = hn::Set(d, 1.0f);
  const auto large = hn::Lt(e, hn::Set(d, 0.25f));
  const auto one_less_e = hn::NegMulAdd(scale, p, hn::Sub(one, scale));
  const auto quotient = hn::Div(hn::IfThenElse(large, hn::Add(e, e), one_less_e), hn::Add(one, e));
  const auto result = hn::IfThenElse(large, hn::Sub(one, quotient), quotient);
  const auto nan = hn::Set(d, std::numeric_limits<float>::quiet_NaN());
  return hn::IfThenElse(hn::IsNaN(x), nan, hn::CopySign(result, x));
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
    const auto back = hn::Sub(hn::Set(d, kPi), quarter);
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

// The arc tangent of x, given its square too, where |x| is at most kSmallAtanLimit.
HWY_INLINE FloatVec SmallAtan(FloatVec x, FloatVec square) {
  const FloatTag d;
  const auto p = hn::MulAdd(hn::Set(d, kSmallAtanCoefficients[1]), square, hn::Set(d, kSmallAtanCoefficients[0]));
  return hn::MulAdd(hn::Mul(x, square), p, x);
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
