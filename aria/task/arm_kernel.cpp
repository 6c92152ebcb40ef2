#include "aria/task/arm_kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/task/arm_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/core/draws-inl.h"
#include "aria/core/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// Joints whose noise is drawn and used together: two blocks of draws.
constexpr std::size_t kJointsAtOnce = 2 * kDrawsPerBlock;

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
    const auto spread = hn::NegMulAdd(mean, mean, hn::Mul(squares, hn::Set(d, per_joint)));
    const auto positive = hn::Max(spread, hn::Zero(d));
    return hn::Neg(variance ? positive : hn::Sqrt(positive));
  }
};

// The end of the arm as a point of the unit square.
HWY_INLINE FloatVec Coordinate(FloatVec sum, float scale) {
  const FloatTag d;
  return hn::MulAdd(sum, hn::Set(d, scale), hn::Set(d, 0.5f));
}

HWY_INLINE FloatVec Fraction(FloatVec x) { return hn::Sub(x, hn::Floor(x)); }

void Forward(const float* joints, std::size_t joint_count, std::size_t count, bool variance, ArmTile& out) {
  const FloatTag d;
  const float per_joint = 1.0f / static_cast<float>(joint_count);
  for (std::size_t lane = 0; lane < count; lane += hn::Lanes(d)) {
    const auto pivot = Fraction(hn::LoadU(d, joints + lane));
    Spread spread;
    auto turns = hn::Zero(d);
    auto x = hn::Zero(d);
    auto y = hn::Zero(d);
    for (std::size_t j = 0; j < joint_count; ++j) {
      const auto position = hn::LoadU(d, joints + j * kDrawTile + lane);
      spread.Add(position, pivot);
      // whole turns are taken off at every joint, which keeps the angle accurate however long the arm
      turns = Fraction(hn::Add(turns, hn::Sub(position, hn::Set(d, 0.5f))));
      FloatVec sine;
      FloatVec cosine;
      SinCosTurns(turns, sine, cosine);
      x = hn::Add(x, cosine);
      y = hn::Add(y, sine);
    }
    hn::StoreU(spread.Fitness(per_joint, variance), d, out.fitness + lane);
    hn::StoreU(Coordinate(x, 0.5f * per_joint), d, out.x + lane);
    hn::StoreU(Coordinate(y, 0.5f * per_joint), d, out.y + lane);
  }
}

// Writes lanes to rows of results; a last vector that is not full goes by way of a buffer.
HWY_INLINE void StoreRows(FloatVec fitness, FloatVec x, FloatVec y, std::size_t lanes, float* fitness_out,
                          float* descriptors) {
  const FloatTag d;
  if (lanes == hn::Lanes(d)) {
    hn::StoreU(fitness, d, fitness_out);
    hn::StoreInterleaved2(x, y, d, descriptors);
    return;
  }
  HWY_ALIGN float buffer[3 * 16];
  hn::StoreU(fitness, d, buffer);
  hn::StoreInterleaved2(x, y, d, buffer + 16);
  std::memcpy(fitness_out, buffer, lanes * sizeof(float));
  std::memcpy(descriptors, buffer + 16, 2 * lanes * sizeof(float));
}

void AddNoise(const ArmTile& tile, Key key, ArmNoise noise, const std::uint32_t* ids, const std::uint32_t* samples,
              std::size_t count, float* fitness, float* descriptors) {
  const FloatTag d;
  const WordTag dw;
  const DrawKey draw_key(key, Purpose::kTaskNoise);
  for (std::size_t lane = 0; lane < count; lane += hn::Lanes(d)) {
    const BlockName names[1] = {{hn::LoadU(dw, ids + lane), hn::LoadU(dw, samples + lane), hn::Zero(dw)}};
    NormalBlock normals[1];
    DrawNormalBlocks(draw_key, names, normals);
    const auto* variate = normals[0].variate;
    StoreRows(hn::MulAdd(variate[0], hn::Set(d, noise.fitness), hn::LoadU(d, tile.fitness + lane)),
              hn::MulAdd(variate[1], hn::Set(d, noise.descriptor), hn::LoadU(d, tile.x + lane)),
              hn::MulAdd(variate[2], hn::Set(d, noise.descriptor), hn::LoadU(d, tile.y + lane)),
              std::min(hn::Lanes(d), count - lane), fitness + lane, descriptors + 2 * lane);
  }
}

// The angles of the centre's joints, shared by all samples around it.
struct Centre {
  float position[kMaxArmJoints];
  HWY_ALIGN float sine[kMaxArmJoints];
  HWY_ALIGN float cosine[kMaxArmJoints];

  HWY_INLINE Centre(const float* genotype, std::size_t joints) {
    const FloatTag d;
    float turns = 0;
    for (std::size_t j = 0; j < joints; ++j) {
      position[j] = genotype[j];
      turns += genotype[j] - 0.5f;
      turns -= std::floor(turns);
      sine[j] = turns;
    }
    for (std::size_t j = joints; j % 16 != 0; ++j) sine[j] = 0;
    for (std::size_t j = 0; j < joints; j += hn::Lanes(d)) {
      FloatVec s;
      FloatVec c;
      SinCosTurns(hn::Load(d, sine + j), s, c);
      hn::Store(s, d, sine + j);
      hn::Store(c, d, cosine + j);
    }
  }
};

// Both arms of a mirrored pair. With C the centre's angle and D the perturbation's, cos(C +- D) and sin(C +- D) share
// their products, so one sine and one cosine serve two samples.
struct MirroredArms {
  FloatVec cc, ss, sc, cs;  // sums of cos C cos D, sin C sin D, sin C cos D, cos C sin D
  Spread plus, minus;
  FloatVec turns;  // perturbation of the angle so far

  HWY_INLINE MirroredArms() {
    const FloatTag d;
    cc = ss = sc = cs = turns = hn::Zero(d);
  }

  // Joints j .. j + count - 1.
  HWY_INLINE void AddJoints(const Centre& centre, std::size_t j, std::size_t count, FloatVec pivot,
                            const FloatVec* noise, float sigma) {
    const FloatTag d;
    FloatVec step[kJointsAtOnce];
    FloatVec angle[kJointsAtOnce];
    auto widest = hn::Zero(d);
    for (std::size_t k = 0; k < count; ++k) {
      step[k] = hn::Mul(noise[k], hn::Set(d, sigma));
      turns = angle[k] = hn::Add(turns, step[k]);
      widest = hn::Max(widest, hn::Abs(turns));
    }
    // nearly always every angle is within an eighth of a turn, which spares the reduction; the bits are the same
    if (HWY_LIKELY(hn::AllTrue(d, hn::Lt(widest, hn::Set(d, 0.125f))))) {
      for (std::size_t k = 0; k < count; ++k) {
        FloatVec sine;
        FloatVec cosine;
        SinCosOctant(hn::Mul(angle[k], hn::Set(d, 8.0f)), sine, cosine);
        AddJoint(centre, j + k, pivot, step[k], sine, cosine);
      }
    } else {
      for (std::size_t k = 0; k < count; ++k) {
        FloatVec sine;
        FloatVec cosine;
        SinCosTurns(angle[k], sine, cosine);
        AddJoint(centre, j + k, pivot, step[k], sine, cosine);
      }
    }
  }

 private:
  HWY_INLINE void AddJoint(const Centre& centre, std::size_t j, FloatVec pivot, FloatVec step, FloatVec sine,
                           FloatVec cosine) {
    const FloatTag d;
    const auto position = hn::Set(d, centre.position[j]);
    plus.Add(hn::Add(position, step), pivot);
    minus.Add(hn::Sub(position, step), pivot);
    const auto centre_cosine = hn::Set(d, centre.cosine[j]);
    const auto centre_sine = hn::Set(d, centre.sine[j]);
    cc = hn::MulAdd(centre_cosine, cosine, cc);
    ss = hn::MulAdd(centre_sine, sine, ss);
    sc = hn::MulAdd(centre_sine, cosine, sc);
    cs = hn::MulAdd(centre_cosine, sine, cs);
  }
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

// Writes the noise of `lanes` pairs from `number` on, joints j .. j + count - 1, to where it is kept.
HWY_INLINE void KeepNoise(const FloatVec* noise, std::size_t count, std::size_t lanes, std::size_t number,
                          std::size_t j, std::size_t joints, float* kept) {
  const FloatTag d;
  if (lanes == hn::Lanes(d) && number % hn::Lanes(d) == 0) {
    float* group = kept + (number / 16 * joints + j) * 16 + number % 16;
    for (std::size_t k = 0; k < count; ++k) hn::StoreU(noise[k], d, group + k * 16);
    return;
  }
  // a part of a vector, or one that lies across two groups
  HWY_ALIGN float buffer[16];
  for (std::size_t k = 0; k < count; ++k) {
    hn::Store(noise[k], d, buffer);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const std::size_t pair = number + lane;
      kept[(pair / 16 * joints + j + k) * 16 + pair % 16] = buffer[lane];
    }
  }
}

void Mirrored(const MirroredRequest& request, bool variance, ArmNoise noise, const MirroredRows& out) {
  const FloatTag d;
  const WordTag dw;
  const std::size_t joints = request.centre.size();
  const Centre centre(request.centre.data(), joints);
  const DrawKey perturbation_key(request.key, Purpose::kPerturbation);
  const DrawKey noise_key(request.key, Purpose::kTaskNoise);
  SharedBlock blocks[draw_blocks(kMaxArmJoints) + 1];
  for (std::size_t b = 0; b < draw_blocks(joints) + 1; ++b) {
    blocks[b] = SharedBlock(perturbation_key, request.id, static_cast<std::uint32_t>(b));
  }
  const SharedBlock noise_block(noise_key, request.id, 0);
  const float per_joint = 1.0f / static_cast<float>(joints);
  const float scale = 0.5f * per_joint;
  const auto pivot = Fraction(hn::Set(d, request.centre[0]));
  const auto noise_f = hn::Set(d, noise.fitness);
  const auto noise_d = hn::Set(d, noise.descriptor);

  for (std::size_t p = 0; p < request.pairs; p += hn::Lanes(d)) {
    const std::size_t number = request.first_pair + p;
    const auto pair = hn::Add(hn::Set(dw, static_cast<std::uint32_t>(number)), hn::Iota(dw, 0));
    MirroredArms arms;
    for (std::size_t j = 0; j < joints; j += kJointsAtOnce) {
      const SharedBlock* block = blocks + j / kDrawsPerBlock;
      const SharedBlockName names[2] = {{block, pair}, {block + 1, pair}};
      NormalBlock normals[2];
      DrawNormalBlocks(perturbation_key, names, normals);
      FloatVec perturbation[kJointsAtOnce];
      for (std::size_t k = 0; k < kJointsAtOnce; ++k) {
        perturbation[k] = normals[k / kDrawsPerBlock].variate[k % kDrawsPerBlock];
      }
      const std::size_t count = std::min(joints - j, kJointsAtOnce);
      if (out.kept != nullptr) {
        KeepNoise(perturbation, count, std::min(hn::Lanes(d), request.pairs - p), number, j, joints, out.kept);
      }
      // eight joints are unrolled, so that their noise stays in registers
      if (HWY_LIKELY(count == kJointsAtOnce)) {
        arms.AddJoints(centre, j, kJointsAtOnce, pivot, perturbation, request.sigma);
      } else {
        arms.AddJoints(centre, j, count, pivot, perturbation, request.sigma);
      }
    }
    const auto sample = hn::Add(pair, pair);
    const SharedBlockName names[2] = {{&noise_block, sample}, {&noise_block, hn::Add(sample, hn::Set(dw, 1u))}};
    NormalBlock normals[2];
    DrawNormalBlocks(noise_key, names, normals);
    const auto& plus = normals[0].variate;
    const auto& minus = normals[1].variate;
    StorePairs(hn::MulAdd(plus[0], noise_f, arms.plus.Fitness(per_joint, variance)),
               hn::MulAdd(minus[0], noise_f, arms.minus.Fitness(per_joint, variance)),
               hn::MulAdd(plus[1], noise_d, Coordinate(hn::Sub(arms.cc, arms.ss), scale)),
               hn::MulAdd(plus[2], noise_d, Coordinate(hn::Add(arms.sc, arms.cs), scale)),
               hn::MulAdd(minus[1], noise_d, Coordinate(hn::Add(arms.cc, arms.ss), scale)),
               hn::MulAdd(minus[2], noise_d, Coordinate(hn::Sub(arms.sc, arms.cs), scale)),
               std::min(hn::Lanes(d), request.pairs - p), out.fitness + 2 * p, out.descriptors + 4 * p);
  }
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(Forward);
HWY_EXPORT(AddNoise);
HWY_EXPORT(Mirrored);

void arm_forward(const float* joints, std::size_t joint_count, std::size_t count, bool variance, ArmTile& out) {
  HWY_DYNAMIC_DISPATCH(Forward)(joints, joint_count, count, variance, out);
}

void arm_add_noise(const ArmTile& tile, Key key, ArmNoise noise, std::span<const std::uint32_t> ids,
                   std::span<const std::uint32_t> samples, float* fitness, float* descriptors) {
  std::array<std::uint32_t, kDrawTile> padded_ids{};
  std::array<std::uint32_t, kDrawTile> padded_samples{};
  std::ranges::copy(ids, padded_ids.begin());
  std::ranges::copy(samples, padded_samples.begin());
  HWY_DYNAMIC_DISPATCH(AddNoise)
  (tile, key, noise, padded_ids.data(), padded_samples.data(), ids.size(), fitness, descriptors);
}

void arm_mirrored(const MirroredRequest& request, bool variance, ArmNoise noise, const MirroredRows& out) {
  HWY_DYNAMIC_DISPATCH(Mirrored)(request, variance, noise, out);
}

}  // namespace aria
#endif  // HWY_ONCE
