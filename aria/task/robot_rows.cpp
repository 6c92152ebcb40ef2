#include "aria/task/robot_rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/task/robot_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/core/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// Rows are padded to whole vectors, so what lies beyond the worlds may be read and written.
void CopyRows(const RowCopy* copies, std::size_t count, std::size_t worlds, std::size_t stride) {
  const FloatTag d;
  for (std::size_t i = 0; i < count; ++i) {
    const RowCopy& copy = copies[i];
    for (std::size_t row = 0; row < copy.rows * stride; row += stride) {
      for (std::size_t world = row; world < row + worlds; world += hn::Lanes(d)) {
        hn::StoreU(hn::LoadU(d, copy.from + world), d, copy.to + world);
      }
    }
  }
}

void CountPushes(const WorldRows& pushes, const std::size_t* bodies, std::size_t count, float* counts) {
  const FloatTag d;
  const auto zero = hn::Zero(d);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t world = 0; world < pushes.worlds; world += hn::Lanes(d)) {
      const float* push = pushes.values + 3 * bodies[i] * pushes.stride + world;
      const auto still =
          hn::And(hn::And(hn::Eq(hn::LoadU(d, push), zero), hn::Eq(hn::LoadU(d, push + pushes.stride), zero)),
                  hn::Eq(hn::LoadU(d, push + 2 * pushes.stride), zero));
      float* sum = counts + i * pushes.stride + world;
      hn::StoreU(hn::Add(hn::LoadU(d, sum), hn::IfThenZeroElse(still, hn::Set(d, 1.0f))), d, sum);
    }
  }
}

HWY_INLINE FloatVec ClippedRow(const WorldRows& from, std::size_t row, std::size_t world, FloatVec limit) {
  const auto value = hn::LoadU(FloatTag(), from.values + row * from.stride + world);
  // not Clamp: this way round a NaN stays one
  return hn::Max(hn::Neg(limit), hn::Min(limit, value));
}

void ClipRows(const WorldRows& from, const std::size_t* rows, std::size_t count, float limit, float* to) {
  const FloatTag d;
  const auto limits = hn::Set(d, limit);
  for (std::size_t world = 0; world < from.worlds; world += hn::Lanes(d)) {
    for (std::size_t i = 0; i < count; ++i) {
      hn::StoreU(ClippedRow(from, rows[i], world, limits), d, to + rows[i] * from.stride + world);
    }
  }
}

void SubtractSquares(const WorldRows& from, const std::size_t* rows, std::size_t count, float limit, float scale,
                     float* sums) {
  const FloatTag d;
  const auto limits = hn::Set(d, limit);
  const auto scales = hn::Set(d, scale);
  for (std::size_t world = 0; world < from.worlds; world += hn::Lanes(d)) {
    auto sum = hn::LoadU(d, sums + world);
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = ClippedRow(from, rows[i], world, limits);
      sum = hn::NegMulAdd(scales, hn::Mul(value, value), sum);
    }
    hn::StoreU(sum, d, sums + world);
  }
}

// Of the arc sine: x + x^3 P(x^2) for |x| <= 1/2, a least-maximum fit with a relative error of 5e-9.
constexpr float kArcSine[] = {0.16666753590106964f, 0.07495241612195969f, 0.04547710344195366f, 0.02414758689701557f,
                              0.04221859201788902f};

// Beyond 1 as at 1. A NaN stays one.
HWY_INLINE FloatVec ArcSine(FloatVec x) {
  const FloatTag d;
  const auto size = hn::Min(hn::Set(d, 1.0f), hn::Abs(x));
  // the upper half by way of the half angle
  const auto upper = hn::Gt(size, hn::Set(d, 0.5f));
  const auto rest = hn::NegMulAdd(size, hn::Set(d, 0.5f), hn::Set(d, 0.5f));
  const auto square = hn::IfThenElse(upper, rest, hn::Mul(size, size));
  const auto root = hn::IfThenElse(upper, hn::Sqrt(square), size);
  auto p = hn::Set(d, kArcSine[4]);
  for (int i = 3; i >= 0; --i) p = hn::MulAdd(p, square, hn::Set(d, kArcSine[i]));
  const auto inner = hn::MulAdd(hn::Mul(root, square), p, root);
  const auto outer = hn::NegMulAdd(inner, hn::Set(d, 2.0f), hn::Set(d, 1.57079632679489662f));
  const auto angle = hn::CopySign(hn::IfThenElse(upper, outer, inner), x);
  return hn::IfThenElse(hn::IsNaN(x), x, angle);
}

void Tilts(const WorldRows& rotation, float* out) {
  const FloatTag d;
  for (std::size_t world = 0; world < rotation.worlds; world += hn::Lanes(d)) {
    const auto w = hn::LoadU(d, rotation.values + world);
    const auto y = hn::LoadU(d, rotation.values + 2 * rotation.stride + world);
    hn::StoreU(ArcSine(hn::Mul(hn::Add(w, w), y)), d, out + world);
  }
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(CopyRows);
HWY_EXPORT(CountPushes);
HWY_EXPORT(ClipRows);
HWY_EXPORT(SubtractSquares);
HWY_EXPORT(Tilts);

void copy_rows(std::span<const RowCopy> copies, std::size_t worlds, std::size_t stride) {
  HWY_DYNAMIC_DISPATCH(CopyRows)(copies.data(), copies.size(), worlds, stride);
}

void count_pushes(const WorldRows& pushes, std::span<const std::size_t> bodies, float* counts) {
  HWY_DYNAMIC_DISPATCH(CountPushes)(pushes, bodies.data(), bodies.size(), counts);
}

void clip_rows(const WorldRows& from, std::span<const std::size_t> rows, float limit, float* to) {
  HWY_DYNAMIC_DISPATCH(ClipRows)(from, rows.data(), rows.size(), limit, to);
}

void subtract_squares(const WorldRows& from, std::span<const std::size_t> rows, float limit, float scale, float* sums) {
  HWY_DYNAMIC_DISPATCH(SubtractSquares)(from, rows.data(), rows.size(), limit, scale, sums);
}

void tilts(const WorldRows& rotation, float* out) { HWY_DYNAMIC_DISPATCH(Tilts)(rotation, out); }

}  // namespace aria
#endif  // HWY_ONCE
