// SIMD vectors, quaternions and rotations of rigid bodies, each lane its own world. For use inside physics kernels.

// Included once per SIMD target.
#if defined(ARIA_PHYSICS_RIGID_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ARIA_PHYSICS_RIGID_INL_H_
#undef ARIA_PHYSICS_RIGID_INL_H_
#else
#define ARIA_PHYSICS_RIGID_INL_H_
#endif

#include <cstddef>

#include <hwy/highway.h>

#include "aria/core/math-inl.h"
#include "aria/physics/physics_state.hpp"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

using FloatMask = hn::Mask<FloatTag>;

HWY_INLINE FloatVec Constant(float value) { return hn::Set(FloatTag(), value); }

// A vector in space.
struct Space {
  FloatVec x, y, z;
};

HWY_INLINE Space ZeroSpace() {
  const auto zero = hn::Zero(FloatTag());
  return {zero, zero, zero};
}
HWY_INLINE Space operator+(Space a, Space b) { return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)}; }
HWY_INLINE Space operator-(Space a, Space b) { return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)}; }
HWY_INLINE Space operator*(FloatVec s, Space a) { return {hn::Mul(s, a.x), hn::Mul(s, a.y), hn::Mul(s, a.z)}; }
// s a + b
HWY_INLINE Space MulAdd(FloatVec s, Space a, Space b) {
  return {hn::MulAdd(s, a.x, b.x), hn::MulAdd(s, a.y, b.y), hn::MulAdd(s, a.z, b.z)};
}
// b - s a
HWY_INLINE Space NegMulAdd(FloatVec s, Space a, Space b) {
  return {hn::NegMulAdd(s, a.x, b.x), hn::NegMulAdd(s, a.y, b.y), hn::NegMulAdd(s, a.z, b.z)};
}
HWY_INLINE FloatVec Dot(Space a, Space b) { return hn::MulAdd(a.x, b.x, hn::MulAdd(a.y, b.y, hn::Mul(a.z, b.z))); }
HWY_INLINE Space Cross(Space a, Space b) {
  return {hn::MulSub(a.y, b.z, hn::Mul(a.z, b.y)), hn::MulSub(a.z, b.x, hn::Mul(a.x, b.z)),
          hn::MulSub(a.x, b.y, hn::Mul(a.y, b.x))};
}
// a x b + c
HWY_INLINE Space CrossAdd(Space a, Space b, Space c) {
  return {hn::NegMulAdd(a.z, b.y, hn::MulAdd(a.y, b.z, c.x)), hn::NegMulAdd(a.x, b.z, hn::MulAdd(a.z, b.x, c.y)),
          hn::NegMulAdd(a.y, b.x, hn::MulAdd(a.x, b.y, c.z))};
}
// c - a x b
HWY_INLINE Space CrossSubtract(Space a, Space b, Space c) { return CrossAdd(b, a, c); }

HWY_INLINE Space IfThenElse(FloatMask mask, Space a, Space b) {
  return {hn::IfThenElse(mask, a.x, b.x), hn::IfThenElse(mask, a.y, b.y), hn::IfThenElse(mask, a.z, b.z)};
}

// Rows of a state: x, y and z of a body lie `stride` apart.
HWY_INLINE Space LoadSpace(const float* from, std::size_t stride) {
  const FloatTag d;
  return {hn::LoadU(d, from), hn::LoadU(d, from + stride), hn::LoadU(d, from + 2 * stride)};
}
HWY_INLINE void StoreSpace(Space a, float* to, std::size_t stride) {
  const FloatTag d;
  hn::StoreU(a.x, d, to);
  hn::StoreU(a.y, d, to + stride);
  hn::StoreU(a.z, d, to + 2 * stride);
}

// A vector in memory, for the arrays of kernels. It is written and read by its parts: GCC copies a struct of several
// vectors in halves of vectors, and a vector that is read after it was written in halves waits for long.
struct StoredSpace {
  FloatVec x, y, z;

  HWY_INLINE operator Space() const { return {x, y, z}; }  // NOLINT
  HWY_INLINE void operator=(Space a) {                     // NOLINT
    x = a.x;
    y = a.y;
    z = a.z;
  }
};

struct Quaternion {
  FloatVec w, x, y, z;
};

HWY_INLINE Quaternion LoadQuaternion(const float* from, std::size_t stride) {
  const FloatTag d;
  return {hn::LoadU(d, from), hn::LoadU(d, from + stride), hn::LoadU(d, from + 2 * stride),
          hn::LoadU(d, from + 3 * stride)};
}
HWY_INLINE void StoreQuaternion(Quaternion q, float* to, std::size_t stride) {
  const FloatTag d;
  hn::StoreU(q.w, d, to);
  hn::StoreU(q.x, d, to + stride);
  hn::StoreU(q.y, d, to + 2 * stride);
  hn::StoreU(q.z, d, to + 3 * stride);
}

struct StoredQuaternion {
  FloatVec w, x, y, z;

  HWY_INLINE operator Quaternion() const { return {w, x, y, z}; }  // NOLINT
  HWY_INLINE void operator=(Quaternion q) {                        // NOLINT
    w = q.w;
    x = q.x;
    y = q.y;
    z = q.z;
  }
};

HWY_INLINE FloatVec SquaredNorm(Quaternion q) {
  return hn::Add(hn::MulAdd(q.w, q.w, hn::Mul(q.x, q.x)), hn::MulAdd(q.y, q.y, hn::Mul(q.z, q.z)));
}
HWY_INLINE Quaternion operator*(FloatVec s, Quaternion q) {
  return {hn::Mul(s, q.w), hn::Mul(s, q.x), hn::Mul(s, q.y), hn::Mul(s, q.z)};
}
HWY_INLINE Quaternion Normalized(Quaternion q) { return hn::Div(Constant(1.0f), hn::Sqrt(SquaredNorm(q))) * q; }
HWY_INLINE Quaternion Product(Quaternion a, Quaternion b) {
  return {hn::NegMulAdd(a.z, b.z, hn::NegMulAdd(a.y, b.y, hn::NegMulAdd(a.x, b.x, hn::Mul(a.w, b.w)))),
          hn::NegMulAdd(a.z, b.y, hn::MulAdd(a.y, b.z, hn::MulAdd(a.x, b.w, hn::Mul(a.w, b.x)))),
          hn::MulAdd(a.z, b.x, hn::MulAdd(a.y, b.w, hn::NegMulAdd(a.x, b.z, hn::Mul(a.w, b.y)))),
          hn::MulAdd(a.z, b.w, hn::NegMulAdd(a.y, b.x, hn::MulAdd(a.x, b.y, hn::Mul(a.w, b.z))))};
}
// One Euler step q + (0, half_turn) q, not normalised; half_turn is half the spin times the substep.
HWY_INLINE Quaternion Turned(Quaternion q, Space half_turn) {
  const auto [x, y, z] = half_turn;
  return {hn::NegMulAdd(z, q.z, hn::NegMulAdd(y, q.y, hn::NegMulAdd(x, q.x, q.w))),
          hn::NegMulAdd(z, q.y, hn::MulAdd(y, q.z, hn::MulAdd(x, q.w, q.x))),
          hn::MulAdd(z, q.x, hn::MulAdd(y, q.w, hn::NegMulAdd(x, q.z, q.y))),
          hn::MulAdd(z, q.w, hn::NegMulAdd(y, q.x, hn::MulAdd(x, q.y, q.z)))};
}

// The axes of a body in the world: the columns of its rotation matrix.
struct Axes {
  Space x, y, z;
};

struct StoredAxes {
  StoredSpace x, y, z;

  HWY_INLINE operator Axes() const { return {x, y, z}; }  // NOLINT
  HWY_INLINE void operator=(const Axes& axes) {           // NOLINT
    x = axes.x;
    y = axes.y;
    z = axes.z;
  }
};

// Of a quaternion of any length; `scale` is 2 over its squared norm.
HWY_INLINE Axes AxesOf(Quaternion q, FloatVec scale) {
  const auto one = Constant(1.0f);
  const auto x2 = hn::Mul(q.x, scale);
  const auto y2 = hn::Mul(q.y, scale);
  const auto z2 = hn::Mul(q.z, scale);
  const auto wx = hn::Mul(q.w, x2);
  const auto wy = hn::Mul(q.w, y2);
  const auto wz = hn::Mul(q.w, z2);
  const auto xy = hn::Mul(q.x, y2);
  const auto xz = hn::Mul(q.x, z2);
  const auto yz = hn::Mul(q.y, z2);
  const auto one_xx = hn::NegMulAdd(q.x, x2, one);
  const auto one_yy = hn::NegMulAdd(q.y, y2, one);
  // additions where they will do: they have pipes of their own
  return {{hn::NegMulAdd(q.z, z2, one_yy), hn::Add(xy, wz), hn::Sub(xz, wy)},
          {hn::Sub(xy, wz), hn::NegMulAdd(q.z, z2, one_xx), hn::Add(yz, wx)},
          {hn::Add(xz, wy), hn::Sub(yz, wx), hn::NegMulAdd(q.y, y2, one_xx)}};
}
HWY_INLINE FloatVec ScaleOf(Quaternion q) { return hn::Div(Constant(2.0f), SquaredNorm(q)); }
HWY_INLINE Axes AxesOf(Quaternion q) { return AxesOf(q, ScaleOf(q)); }

// A direction of the body's frame in the world.
HWY_INLINE Space Rotated(const Axes& axes, const float (&v)[3]) {
  return MulAdd(Constant(v[0]), axes.x, MulAdd(Constant(v[1]), axes.y, Constant(v[2]) * axes.z));
}
HWY_INLINE Space Rotated(const Axes& axes, Space v) { return MulAdd(v.x, axes.x, MulAdd(v.y, axes.y, v.z * axes.z)); }

// An environment step of all worlds. `Worlds` knows how one vector of them is loaded, stepped and stored.
template <class Worlds, class Tables>
HWY_INLINE void StepVectors(const Tables& tables, PhysicsState& state, const float* actions) {
  for (std::size_t lane = 0; lane < state.worlds; lane += hn::Lanes(FloatTag())) {
    Worlds worlds(tables, state, lane);
    worlds.Load(actions);
    for (std::size_t i = 0; i < tables.substeps; ++i) worlds.Substep();
    worlds.Store();
  }
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
