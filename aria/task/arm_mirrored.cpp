#include "aria/task/arm_kernel.hpp"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/task/arm_mirrored.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/task/arm-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// Joints whose noise is drawn and used together: two blocks of draws.
constexpr std::size_t kJointsAtOnce = 2 * kDrawsPerBlock;

// What all samples around a centre share: its joints and their angles.
struct Centre {
  float position[kMaxArmJoints];  // as given, any real number
  float offset[kMaxArmJoints];    // of the fractional part, from the mean of all
  float variance;                 // of the fractional parts
  float room;                     // how far every joint is from where its fractional part jumps
  HWY_ALIGN float sine[kMaxArmJoints];
  HWY_ALIGN float cosine[kMaxArmJoints];

  HWY_INLINE Centre(const float* genotype, std::size_t joints) {
    const FloatTag d;
    float turns = 0;
    double sum = 0;
    room = 1;
    for (std::size_t j = 0; j < joints; ++j) {
      position[j] = genotype[j];
      const float fraction = genotype[j] - std::floor(genotype[j]);
      offset[j] = fraction;
      sum += fraction;
      room = std::min({room, fraction, 1 - fraction});
      turns += genotype[j] - 0.5f;
      turns -= std::floor(turns);
      sine[j] = turns;
    }
    const double mean = sum / static_cast<double>(joints);
    double squares = 0;
    for (std::size_t j = 0; j < joints; ++j) {
      const double difference = offset[j] - mean;
      offset[j] = static_cast<float>(difference);
      squares += difference * difference;
    }
    variance = static_cast<float>(squares / static_cast<double>(joints));
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

// The ends of both arms of a mirrored pair. With C the centre's angle and D the perturbation's, cos(C +- D) and
// sin(C +- D) share their products, so one sine and one cosine serve two samples.
struct MirroredEnds {
  FloatVec cc, ss, sc, cs;  // sums of cos C cos D, sin C sin D, sin C cos D, cos C sin D

  HWY_INLINE MirroredEnds() { cc = ss = sc = cs = hn::Zero(FloatTag()); }

  HWY_INLINE void Add(const Centre& centre, std::size_t j, FloatVec sine, FloatVec cosine) {
    const FloatTag d;
    const auto centre_cosine = hn::Set(d, centre.cosine[j]);
    const auto centre_sine = hn::Set(d, centre.sine[j]);
    cc = hn::MulAdd(centre_cosine, cosine, cc);
    ss = hn::MulAdd(centre_sine, sine, ss);
    sc = hn::MulAdd(centre_sine, cosine, sc);
    cs = hn::MulAdd(centre_cosine, sine, cs);
  }
};

// Pairs of arms around a centre that is so far from where a joint's fractional part jumps that no sample gets there. In
// units of sigma, so that a joint costs as little as possible: its noise comes in only here.
class NearPairs {
 public:
  HWY_INLINE NearPairs(const Centre& centre, float sigma, std::size_t joints)
      : centre_(centre), sigma_(sigma), per_joint_(1.0f / static_cast<float>(joints)), eighth_(0.125f / sigma) {
    float power = 1;
    for (int i = 0; i < 4; ++i) {
      cosine_[i] = kCosCoefficients[i] * power;
      sine_[i] = kSinCoefficients[i] * power * (8 * sigma);
      power *= (8 * sigma) * (8 * sigma);
    }
  }
  // The noise of a pair may reach this far.
  static bool Serves(const Centre& centre, float sigma) { return centre.room > kLongestNormal * sigma; }

  struct Sums {
    MirroredEnds ends;
    FloatVec noise, squares, products;  // sums of noise, noise squared, noise times the centre's offset

    HWY_INLINE Sums() { noise = squares = products = hn::Zero(FloatTag()); }
  };

  template <std::size_t kCount>
  HWY_INLINE void AddJoints(std::size_t j, const FloatVec* noise, Sums& sums) const {
    const FloatTag d;
    FloatVec angle[kCount];
    for (std::size_t k = 0; k < kCount; ++k) {
      sums.noise = angle[k] = hn::Add(sums.noise, noise[k]);
      sums.squares = hn::MulAdd(noise[k], noise[k], sums.squares);
      sums.products = hn::MulAdd(noise[k], hn::Set(d, centre_.offset[j + k]), sums.products);
    }
    // no sum of n numbers is farther from zero than the root of n times the sum of their squares (Cauchy-Schwarz)
    const float widest = 0.99f * eighth_ * eighth_ / static_cast<float>(j + kCount);
    const bool narrow = hn::AllTrue(d, hn::Lt(sums.squares, hn::Set(d, widest)));
    for (std::size_t k = 0; k < kCount; ++k) {
      const auto y = hn::Mul(angle[k], angle[k]);
      auto s = hn::Set(d, sine_[3]);
      auto c = hn::Set(d, cosine_[3]);
      for (int i = 2; i >= 0; --i) {
        s = hn::MulAdd(s, y, hn::Set(d, sine_[i]));
        c = hn::MulAdd(c, y, hn::Set(d, cosine_[i]));
      }
      s = hn::Mul(s, angle[k]);
      // the polynomials hold within an eighth of a turn, where nearly all angles are
      if (HWY_UNLIKELY(!narrow)) {
        FloatVec sine;
        FloatVec cosine;
        SinCosTurns(hn::Mul(angle[k], hn::Set(d, sigma_)), sine, cosine);
        const auto inside = hn::Lt(hn::Abs(angle[k]), hn::Set(d, eighth_));
        s = hn::IfThenElse(inside, s, sine);
        c = hn::IfThenElse(inside, c, cosine);
      }
      sums.ends.Add(centre_, j + k, s, c);
    }
  }

  // The variance of (offset +- step) over the joints, from the variance of the offsets and the sums.
  HWY_INLINE void Fitness(const Sums& sums, bool variance, FloatVec& plus, FloatVec& minus) const {
    const FloatTag d;
    const auto mean = hn::Mul(sums.noise, hn::Set(d, sigma_ * per_joint_));
    const auto squares =
        hn::MulAdd(sums.squares, hn::Set(d, sigma_ * sigma_ * per_joint_), hn::Set(d, centre_.variance));
    const auto common = hn::NegMulAdd(mean, mean, squares);
    const auto twice = hn::Set(d, 2 * sigma_ * per_joint_);
    plus = FitnessOf(hn::MulAdd(sums.products, twice, common), variance);
    minus = FitnessOf(hn::NegMulAdd(sums.products, twice, common), variance);
  }

 private:
  const Centre& centre_;
  float sigma_, per_joint_;
  float eighth_;  // of a turn
  float sine_[4], cosine_[4];
};

// Pairs of arms around any centre.
class AnyPairs {
 public:
  HWY_INLINE AnyPairs(const Centre& centre, float sigma, std::size_t joints)
      : centre_(centre),
        sigma_(sigma),
        per_joint_(1.0f / static_cast<float>(joints)),
        pivot_(centre.position[0] - std::floor(centre.position[0])) {}

  struct Sums {
    MirroredEnds ends;
    Spread plus, minus;
    FloatVec turns;  // perturbation of the angle so far

    HWY_INLINE Sums() { turns = hn::Zero(FloatTag()); }
  };

  template <std::size_t kCount>
  HWY_INLINE void AddJoints(std::size_t j, const FloatVec* noise, Sums& sums) const {
    const FloatTag d;
    const auto pivot = hn::Set(d, pivot_);
    for (std::size_t k = 0; k < kCount; ++k) {
      const auto step = hn::Mul(noise[k], hn::Set(d, sigma_));
      const auto position = hn::Set(d, centre_.position[j + k]);
      sums.turns = hn::Add(sums.turns, step);
      sums.plus.Add(hn::Add(position, step), pivot);
      sums.minus.Add(hn::Sub(position, step), pivot);
      FloatVec sine;
      FloatVec cosine;
      SinCosTurns(sums.turns, sine, cosine);
      sums.ends.Add(centre_, j + k, sine, cosine);
    }
  }

  HWY_INLINE void Fitness(const Sums& sums, bool variance, FloatVec& plus, FloatVec& minus) const {
    plus = sums.plus.Fitness(per_joint_, variance);
    minus = sums.minus.Fitness(per_joint_, variance);
  }

 private:
  const Centre& centre_;
  float sigma_, per_joint_;
  float pivot_;
};

// Where the noise of `lanes` pairs from `number` on is kept; it lies in groups of sixteen pairs.
struct KeptPairs {
  float* kept;
  std::size_t joints, number, lanes;

  HWY_INLINE void Store(std::size_t j, FloatVec noise) const {
    const FloatTag d;
    if (HWY_LIKELY(lanes == hn::Lanes(d) && number % hn::Lanes(d) == 0)) {
      hn::StoreU(noise, d, Of(number, j));
      return;
    }
    // a part of a vector, or one that lies across two groups
    HWY_ALIGN float buffer[16];
    hn::Store(noise, d, buffer);
    for (std::size_t lane = 0; lane < lanes; ++lane) *Of(number + lane, j) = buffer[lane];
  }

 private:
  HWY_INLINE float* Of(std::size_t pair, std::size_t j) const {
    constexpr std::size_t kGroup = kPerturbationLanes;
    return kept + (pair / kGroup * joints + j) * kGroup + pair % kGroup;
  }
};

// The perturbations around one centre.
struct MirroredDraws {
  DrawKey key;
  SharedBlock blocks[draw_blocks(kMaxArmJoints) + 1];

  HWY_INLINE explicit MirroredDraws(const MirroredRequest& request) : key(request.key, Purpose::kPerturbation) {
    // joints are drawn two blocks at a time
    for (std::size_t b = 0; b < draw_blocks(request.centre.size()) + 1; ++b) {
      blocks[b] = SharedBlock(key, request.id, static_cast<std::uint32_t>(b));
    }
  }

  // Joints j .. j + 7.
  HWY_INLINE void Draw(WordVec pair, std::size_t j, FloatVec* out) const {
    const SharedBlock* block = blocks + j / kDrawsPerBlock;
    const SharedBlockName names[2] = {{block, pair}, {block + 1, pair}};
    NormalBlock normals[2];
    DrawNormalBlocks(key, names, normals);
    for (std::size_t k = 0; k < kJointsAtOnce; ++k) out[k] = normals[k / kDrawsPerBlock].variate[k % kDrawsPerBlock];
  }
};

template <class Pairs>
HWY_INLINE void EvaluatePairs(const Pairs& pairs, const MirroredRequest& request, bool variance, ArmNoise noise,
                              const MirroredRows& out) {
  const FloatTag d;
  const WordTag dw;
  const std::size_t joints = request.centre.size();
  const MirroredDraws draws(request);
  const PairNoise noise_draws(request.key, request.id);
  const AddedNoise added{noise};
  const float scale = 0.5f / static_cast<float>(joints);
  for (std::size_t p = 0; p < request.pairs; p += hn::Lanes(d)) {
    const std::size_t number = request.first_pair + p;
    const auto pair = hn::Add(hn::Set(dw, static_cast<std::uint32_t>(number)), hn::Iota(dw, 0));
    const KeptPairs kept{out.kept, joints, number, std::min(hn::Lanes(d), request.pairs - p)};
    typename Pairs::Sums sums;
    FloatVec perturbation[kJointsAtOnce];
    std::size_t j = 0;
    // eight joints are unrolled, so that their noise stays in registers
    for (; j + kJointsAtOnce <= joints; j += kJointsAtOnce) {
      draws.Draw(pair, j, perturbation);
      if (out.kept != nullptr) {
        for (std::size_t k = 0; k < kJointsAtOnce; ++k) kept.Store(j + k, perturbation[k]);
      }
      pairs.template AddJoints<kJointsAtOnce>(j, perturbation, sums);
    }
    if (j < joints) {
      draws.Draw(pair, j, perturbation);
      for (std::size_t k = 0; j + k < joints; ++k) {
        if (out.kept != nullptr) kept.Store(j + k, perturbation[k]);
        pairs.template AddJoints<1>(j + k, perturbation + k, sums);
      }
    }
    FloatVec fitness_plus;
    FloatVec fitness_minus;
    pairs.Fitness(sums, variance, fitness_plus, fitness_minus);
    FloatVec plus[kArmNoise];
    FloatVec minus[kArmNoise];
    noise_draws.Draw(pair, plus, minus);
    const MirroredEnds& ends = sums.ends;
    StorePairs(added.Fitness(fitness_plus, plus[0]), added.Fitness(fitness_minus, minus[0]),
               added.Coordinate(Coordinate(hn::Sub(ends.cc, ends.ss), scale), plus[1]),
               added.Coordinate(Coordinate(hn::Add(ends.sc, ends.cs), scale), plus[2]),
               added.Coordinate(Coordinate(hn::Add(ends.cc, ends.ss), scale), minus[1]),
               added.Coordinate(Coordinate(hn::Sub(ends.sc, ends.cs), scale), minus[2]), kept.lanes,
               out.fitness + 2 * p, out.descriptors + 4 * p);
  }
}

void Mirrored(const MirroredRequest& request, bool variance, ArmNoise noise, const MirroredRows& out) {
  const std::size_t joints = request.centre.size();
  const Centre centre(request.centre.data(), joints);
  if (NearPairs::Serves(centre, request.sigma)) {
    EvaluatePairs(NearPairs(centre, request.sigma, joints), request, variance, noise, out);
  } else {
    EvaluatePairs(AnyPairs(centre, request.sigma, joints), request, variance, noise, out);
  }
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(Mirrored);

void arm_mirrored(const MirroredRequest& request, bool variance, ArmNoise noise, const MirroredRows& out) {
  HWY_DYNAMIC_DISPATCH(Mirrored)(request, variance, noise, out);
}

}  // namespace aria
#endif  // HWY_ONCE
