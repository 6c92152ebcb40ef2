// SIMD building blocks shared by kernels: logarithm, sine and cosine of turns.
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

// -2 log x for N numbers 2^-32 <= x <= 1 side by side, the squared radii of pairs of normal variates. Each is one chain
// of dependent operations, and the processor does not look far enough ahead to overlap chains that follow each other.
template <int N>
HWY_INLINE void MinusTwoLog(FloatVec (&x)[N]) {
  const FloatTag d;
  const IntTag di;
  FloatVec exponent[N];
  FloatVec t[N];
  FloatVec p[N];
  for (int n = 0; n < N; ++n) {
    // x = 2^exponent * (1 + t) with 1 + t in [sqrt(1/2), sqrt(2))
    const auto bits = hn::BitCast(di, x[n]);
    const auto offset = hn::Sub(bits, hn::Set(di, static_cast<int>(kSqrtHalfBits)));
    // 2^23 times the exponent: an And costs less than a shift
    const auto power = hn::And(offset, hn::Set(di, static_cast<int>(~kMantissaBits)));
    exponent[n] = hn::ConvertTo(d, power);
    t[n] = hn::Sub(hn::BitCast(d, hn::Sub(bits, power)), hn::Set(d, 1.0f));
    p[n] = hn::Set(d, kMinusTwoLogCoefficients[6]);
    ComputeHere(t[n]);
    ComputeHere(exponent[n]);
  }
  for (int i = 5; i >= 0; --i) {
    for (int n = 0; n < N; ++n) {
      p[n] = hn::MulAdd(p[n], t[n], hn::Set(d, kMinusTwoLogCoefficients[i]));
      ComputeHere(p[n]);
    }
  }
  for (int n = 0; n < N; ++n) {
    const auto t2 = hn::Mul(t[n], t[n]);
    const auto tail = hn::MulAdd(hn::Mul(t2, t[n]), p[n], t2);
    x[n] = hn::MulAdd(exponent[n], hn::Set(d, kMinusTwoLn2 * 0x1p-23f), hn::MulAdd(t[n], hn::Set(d, -2.0f), tail));
  }
}

// sin(pi/4 x) and cos(pi/4 x) for N numbers |x| <= 1 side by side.
template <int N>
HWY_INLINE void SinCosOctant(const FloatVec (&x)[N], FloatVec (&sine)[N], FloatVec (&cosine)[N]) {
  const FloatTag d;
  FloatVec x2[N];
  for (int n = 0; n < N; ++n) {
    x2[n] = hn::Mul(x[n], x[n]);
    ComputeHere(x2[n]);
    sine[n] = hn::Set(d, kSinCoefficients[3]);
    cosine[n] = hn::Set(d, kCosCoefficients[3]);
  }
  for (int i = 2; i >= 0; --i) {
    for (int n = 0; n < N; ++n) {
      sine[n] = hn::MulAdd(sine[n], x2[n], hn::Set(d, kSinCoefficients[i]));
      ComputeHere(sine[n]);
      cosine[n] = hn::MulAdd(cosine[n], x2[n], hn::Set(d, kCosCoefficients[i]));
      ComputeHere(cosine[n]);
    }
  }
  for (int n = 0; n < N; ++n) {
    sine[n] = hn::Mul(sine[n], x[n]);
    ComputeHere(sine[n]);
  }
}

// Sine and cosine of an angle given in turns (1 turn = 2 pi); any finite angle below 2^20 turns.
HWY_INLINE void SinCosTurns(FloatVec turns, FloatVec& sine, FloatVec& cosine) {
  const FloatTag d;
  const IntTag di;
  // the nearest quarter turn is taken off; what is left is within an eighth of a turn
  const auto quarter = hn::NearestInt(hn::Mul(turns, hn::Set(d, 4.0f)));
  const FloatVec rest[1] = {hn::MulAdd(turns, hn::Set(d, 8.0f), hn::Mul(hn::ConvertTo(d, quarter), hn::Set(d, -2.0f)))};
  FloatVec s[1];
  FloatVec c[1];
  SinCosOctant(rest, s, c);
  // quarters 1 and 3 swap sine and cosine; 2 and 3 turn the sine's sign, 1 and 2 the cosine's
  const auto one = hn::Set(di, 1);
  const auto swap = hn::RebindMask(d, hn::TestBit(quarter, one));
  const auto sine_sign = hn::ShiftLeft<30>(hn::And(quarter, hn::Set(di, 2)));
  const auto cosine_sign = hn::ShiftLeft<30>(hn::And(hn::Add(quarter, one), hn::Set(di, 2)));
  sine = hn::Xor(hn::IfThenElse(swap, c[0], s[0]), hn::BitCast(d, sine_sign));
  cosine = hn::Xor(hn::IfThenElse(swap, s[0], c[0]), hn::BitCast(d, cosine_sign));
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
