// SIMD normal variates from random words, by Box and Muller's transformation. For use inside other kernels.

// Included once per SIMD target.
#if defined(ARIA_CORE_NORMALS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ARIA_CORE_NORMALS_INL_H_
#undef ARIA_CORE_NORMALS_INL_H_
#else
#define ARIA_CORE_NORMALS_INL_H_
#endif

#include <cstring>

#include <hwy/highway.h>

#include "aria/core/draws-inl.h"
#include "aria/core/draws.hpp"
#include "aria/core/math-inl.h"
#include "aria/core/polynomials.hpp"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// A constant in a register. GCC reads it from memory at every use, and kernels full of constants then wait for the two
// loads that a cycle has.
template <class D, class T>
HWY_INLINE hn::Vec<D> Constant(D d, T value) {
  auto constant = hn::Set(d, value);
  ComputeHere(constant);
  return constant;
}

// p = c[0] + c[1] x + ... for N numbers side by side, so that each constant is loaded once and chains overlap.
template <int N, int kDegree>
HWY_INLINE void Polynomials(const FloatVec (&x)[N], const float* c, FloatVec (&p)[N]) {
  const FloatTag d;
  const auto last = Constant(d, c[kDegree]);
  for (int n = 0; n < N; ++n) p[n] = last;
  for (int i = kDegree - 1; i >= 0; --i) {
    const auto next = Constant(d, c[i]);
    for (int n = 0; n < N; ++n) {
      p[n] = hn::MulAdd(p[n], x[n], next);
      ComputeHere(p[n]);
    }
  }
}

// x / 2^31 = 2^exponent * (1 + t) with 1 + t in [sqrt(1/2), sqrt(2)); the logarithm of the first factor, times -2.
template <int N>
HWY_INLINE void SplitExponents(const FloatVec (&x)[N], FloatVec (&t)[N], FloatVec (&first)[N]) {
  const FloatTag d;
  const IntTag di;
  const auto to_offset = Constant(di, static_cast<int>(kSqrtHalfBits + (31u << 23)));
  const auto mantissa_bits = Constant(di, static_cast<int>(kMantissaBits));
  const auto sqrt_half_bits = Constant(di, static_cast<int>(kSqrtHalfBits));
  const auto one = Constant(d, 1.0f);
  for (int n = 0; n < N; ++n) {
    const auto offset = hn::Sub(hn::BitCast(di, x[n]), to_offset);
    // 2^23 times the exponent: an AndNot costs less than a shift
    first[n] = hn::ConvertTo(d, hn::AndNot(mantissa_bits, offset));
    t[n] = hn::Sub(hn::BitCast(d, hn::Add(hn::And(offset, mantissa_bits), sqrt_half_bits)), one);
    ComputeHere(t[n]);
  }
  const auto unit = Constant(d, kMinusTwoLn2 * 0x1p-23f);
  for (int n = 0; n < N; ++n) {
    first[n] = hn::Mul(first[n], unit);
    ComputeHere(first[n]);
  }
}

// The radii of N pairs of normal variates, sqrt(-2 log(steps / 2^31)) for odd steps of 31 bits: the smallest
// reaches 6.6 standard deviations. The highest and the lowest bit of the words are left over.
template <int N>
HWY_INLINE void Radii(const WordVec* words, FloatVec (&radius)[N]) {
  const FloatTag d;
  const WordTag dw;
  const auto low_bits = Constant(dw, 0x7FFFFFFFu);
  const auto lowest_bit = Constant(dw, 1u);
  for (int n = 0; n < N; ++n) {
    radius[n] = hn::ConvertTo(d, hn::BitCast(IntTag(), hn::And(hn::Or(words[n], lowest_bit), low_bits)));
  }
  FloatVec t[N];
  FloatVec exponent_part[N];
  SplitExponents(radius, t, exponent_part);
  // two coefficients at a time, which makes the chain shorter
  FloatVec t2[N];
  FloatVec p[N];
  const auto& c = kRadiusCoefficients;
  const auto c4 = Constant(d, c[4]);
  const auto c5 = Constant(d, c[5]);
  const auto c6 = Constant(d, c[6]);
  for (int n = 0; n < N; ++n) {
    t2[n] = hn::Mul(t[n], t[n]);
    ComputeHere(t2[n]);
    p[n] = hn::MulAdd(c6, t2[n], hn::MulAdd(c5, t[n], c4));
    ComputeHere(p[n]);
  }
  for (int i = 2; i >= 0; i -= 2) {
    const auto low = Constant(d, c[i]);
    const auto high = Constant(d, c[i + 1]);
    for (int n = 0; n < N; ++n) {
      p[n] = hn::MulAdd(p[n], t2[n], hn::MulAdd(high, t[n], low));
      ComputeHere(p[n]);
    }
  }
  for (int n = 0; n < N; ++n) {
    radius[n] = hn::Sqrt(hn::MulAdd(p[n], t[n], exponent_part[n]));
    ComputeHere(radius[n]);
  }
}

// Sines and cosines of N angles within an eighth of a turn: the other coordinates of the words in the lattice.
template <int N>
HWY_INLINE void SinesAndCosines(const WordVec* words, FloatVec (&sine)[N], FloatVec (&cosine)[N]) {
  const FloatTag d;
  const WordTag dw;
  FloatVec x[N];
  FloatVec x2[N];
  const auto multiplier = Constant(dw, kLatticeMultiplier);
  const auto one_bits = Constant(dw, kOneBits);
  const auto middle = Constant(d, 1.5f);
  for (int n = 0; n < N; ++n) {
    const auto other = hn::ShiftRight<9>(hn::Mul(words[n], multiplier));
    x[n] = hn::Sub(hn::BitCast(d, hn::Or(other, one_bits)), middle);
    ComputeHere(x[n]);
    x2[n] = hn::Mul(x[n], x[n]);
    ComputeHere(x2[n]);
  }
  Polynomials<N, 2>(x2, kAngleSineCoefficients, sine);
  for (int n = 0; n < N; ++n) {
    sine[n] = hn::Mul(sine[n], x[n]);
    ComputeHere(sine[n]);
  }
  Polynomials<N, 3>(x2, kAngleCosineCoefficients, cosine);
}

// Pairs of independent standard normal variates, each from one word (Box-Muller), N of them side by side.
template <int N>
HWY_INLINE void NormalPairs(const WordVec* words, FloatVec* out) {
  const FloatTag d;
  FloatVec radius[N];
  FloatVec sine[N];
  FloatVec cosine[N];
  Radii(words, radius);
  SinesAndCosines(words, sine, cosine);
  for (int n = 0; n < N; ++n) {
    // the two bits that are left over choose the quadrant
    const auto a = hn::Mul(radius[n], hn::CopySignToAbs(cosine[n], hn::BitCast(d, words[n])));
    const auto b = hn::Mul(radius[n], sine[n]);
#if HWY_TARGET == HWY_AVX2
    // this blend looks at the highest bit only
    const auto swap = hn::MaskFromVec(hn::BitCast(d, hn::ShiftLeft<31>(words[n])));
#else
    const auto swap = hn::RebindMask(d, hn::TestBit(words[n], hn::Set(WordTag(), 1u)));
#endif
    out[2 * n] = hn::IfThenElse(swap, b, a);
    out[2 * n + 1] = hn::IfThenElse(swap, a, b);
  }
}

// The eight normal variates of one block.
struct NormalBlock {
  FloatVec variate[kNormalsPerBlock];
};

template <class Name, int N>
HWY_INLINE void DrawNormalBlocks(const DrawKey& key, const Name (&name)[N], NormalBlock (&out)[N]) {
  WordBlock bits[N];
  DrawBlocks(key, name, bits);
  for (int n = 0; n < N; ++n) NormalPairs<kDrawsPerBlock>(bits[n].word, out[n].variate);
}

// The variates of each lane side by side: those of lane i to to[8 i ...].
HWY_INLINE void StoreAsRows(const NormalBlock& block, float* to) {
  const FloatTag d;
  const auto& v = block.variate;
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t k = 0; k < kNormalsPerBlock; ++k) hn::Store(v[k], d, to + k);
#else
  // within blocks of 128 bits: lanes i, i + 4, ... of four variates together
  const hn::Repartition<std::uint64_t, FloatTag> dpair;
  const auto lower = [&](FloatVec a, FloatVec b) HWY_ATTR { return hn::BitCast(dpair, hn::InterleaveLower(d, a, b)); };
  const auto upper = [&](FloatVec a, FloatVec b) HWY_ATTR { return hn::BitCast(dpair, hn::InterleaveUpper(d, a, b)); };
  FloatVec four[2][4];  // of variates 0 to 3, of variates 4 to 7
  for (std::size_t h = 0; h < 2; ++h) {
    const FloatVec* of = v + 4 * h;
    four[h][0] = hn::BitCast(d, hn::InterleaveLower(dpair, lower(of[0], of[1]), lower(of[2], of[3])));
    four[h][1] = hn::BitCast(d, hn::InterleaveUpper(dpair, lower(of[0], of[1]), lower(of[2], of[3])));
    four[h][2] = hn::BitCast(d, hn::InterleaveLower(dpair, upper(of[0], of[1]), upper(of[2], of[3])));
    four[h][3] = hn::BitCast(d, hn::InterleaveUpper(dpair, upper(of[0], of[1]), upper(of[2], of[3])));
  }
  for (std::size_t i = 0; i < 4; ++i) {
#if HWY_TARGET == HWY_AVX2
    hn::StoreU(hn::ConcatLowerLower(d, four[1][i], four[0][i]), d, to + kNormalsPerBlock * i);
    hn::StoreU(hn::ConcatUpperUpper(d, four[1][i], four[0][i]), d, to + kNormalsPerBlock * (i + 4));
#else
    HWY_ALIGN float blocks[2][16];
    for (std::size_t h = 0; h < 2; ++h) hn::Store(four[h][i], d, blocks[h]);
    for (std::size_t lane = 0; lane < hn::Lanes(d); lane += 4) {
      float* row = to + kNormalsPerBlock * (lane + i);
      for (std::size_t h = 0; h < 2; ++h) std::memcpy(row + 4 * h, blocks[h] + lane, 4 * sizeof(float));
    }
#endif
  }
#endif
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
