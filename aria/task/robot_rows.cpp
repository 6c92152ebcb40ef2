#include "aria/task/robot_rows.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/task/robot_rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/core/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// Rows are padded to whole vectors, so what lies beyond the worlds may be read and written.
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

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(ClipRows);
HWY_EXPORT(SubtractSquares);

void clip_rows(const WorldRows& from, std::span<const std::size_t> rows, float limit, float* to) {
  HWY_DYNAMIC_DISPATCH(ClipRows)(from, rows.data(), rows.size(), limit, to);
}

void subtract_squares(const WorldRows& from, std::span<const std::size_t> rows, float limit, float scale, float* sums) {
  HWY_DYNAMIC_DISPATCH(SubtractSquares)(from, rows.data(), rows.size(), limit, scale, sums);
}

}  // namespace aria
#endif  // HWY_ONCE
