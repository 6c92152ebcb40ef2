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

// Joints whose noise is drawn and used together: one block of draws.
constexpr std::size_t kJointsAtOnce = kNormalsPerBlock;

// Vectors of pairs that go through each phase together: drawing words, making normal variates of them, joints, results.
// With sixteen registers each phase fits them alone, and hands on what it has through the first-level cache. With the
// 32 of AVX-512 a vector goes through all phases in registers, but for the joints' noise.
#undef ARIA_PHASE
#if HWY_TARGET == HWY_AVX2
constexpr std::size_t kVectorsAtOnce = 16;
// a function of its own, since GCC would spend one phase's registers on another
#define ARIA_PHASE HWY_NOINLINE
#else
constexpr std::size_t kVectorsAtOnce = 1;
#define ARIA_PHASE HWY_INLINE
#endif

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
    const auto count = static_cast<float>(j + kCount);
    // nearly all angles are small, unless sigma is large or the joints are many
    if (HWY_LIKELY(2 * count * count < eighth_ * eighth_)) {
      Sums next = sums;
      for (std::size_t k = 0; k < kCount; ++k) AddNarrow(j + k, noise[k], next);
      // no sum of n numbers is farther from zero than the root of n times the sum of their squares (Cauchy-Schwarz)
      const auto widest = hn::Mul(next.squares, hn::Set(d, count));
      if (HWY_LIKELY(hn::AllTrue(d, hn::Lt(widest, hn::Set(d, 0.99f * eighth_ * eighth_))))) {
        sums = next;
        return;
      }
    }
    for (std::size_t k = 0; k < kCount; ++k) AddWide(j + k, noise[k], sums);
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
  HWY_INLINE void AddNoise(std::size_t j, FloatVec noise, Sums& sums) const {
    sums.noise = hn::Add(sums.noise, noise);
    sums.squares = hn::MulAdd(noise, noise, sums.squares);
    sums.products = hn::MulAdd(noise, hn::Set(FloatTag(), centre_.offset[j]), sums.products);
  }

  // For an angle within an eighth of a turn, where the polynomials hold.
  HWY_INLINE void SinCosNarrow(FloatVec angle, FloatVec& sine, FloatVec& cosine) const {
    const FloatTag d;
    const auto y = hn::Mul(angle, angle);
    sine = hn::Set(d, sine_[3]);
    cosine = hn::Set(d, cosine_[3]);
    for (int i = 2; i >= 0; --i) {
      sine = hn::MulAdd(sine, y, hn::Set(d, sine_[i]));
      cosine = hn::MulAdd(cosine, y, hn::Set(d, cosine_[i]));
    }
    sine = hn::Mul(sine, angle);
  }

  HWY_INLINE void AddNarrow(std::size_t j, FloatVec noise, Sums& sums) const {
    AddNoise(j, noise, sums);
    FloatVec sine;
    FloatVec cosine;
    SinCosNarrow(sums.noise, sine, cosine);
    sums.ends.Add(centre_, j, sine, cosine);
  }

  // For any angle, with the same bits for a small one.
  HWY_INLINE void AddWide(std::size_t j, FloatVec noise, Sums& sums) const {
    const FloatTag d;
    AddNoise(j, noise, sums);
    FloatVec narrow_sine;
    FloatVec narrow_cosine;
    SinCosNarrow(sums.noise, narrow_sine, narrow_cosine);
    FloatVec sine;
    FloatVec cosine;
    SinCosTurns(hn::Mul(sums.noise, hn::Set(d, sigma_)), sine, cosine);
    const auto narrow = hn::Lt(hn::Abs(sums.noise), hn::Set(d, eighth_));
    sums.ends.Add(centre_, j, hn::IfThenElse(narrow, narrow_sine, sine), hn::IfThenElse(narrow, narrow_cosine, cosine));
  }

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

// The vectors of pairs that go through the phases together.
struct Chunk {
  std::size_t first;    // pair of the request
  std::size_t vectors;  // kVectorsAtOnce at the most
  std::size_t pairs;    // in all of them
  std::size_t number;   // of the first pair, which names its draws

  HWY_INLINE WordVec Pairs(std::size_t vector) const {
    const WordTag dw;
    return hn::Add(hn::Set(dw, static_cast<std::uint32_t>(number + vector * hn::Lanes(dw))), hn::Iota(dw, 0));
  }
};

// Where the noise of one block of joints lies for a vector of pairs: a row of lanes for each joint.
struct NoiseRows {
  float* first;
  std::size_t stride;

  HWY_INLINE FloatVec Load(std::size_t k) const { return hn::LoadU(FloatTag(), first + k * stride); }
  HWY_INLINE void Store(std::size_t k, FloatVec noise) const { hn::StoreU(noise, FloatTag(), first + k * stride); }
};

// The noise of one block of joints for all vectors of a chunk. It is made where it is kept, if it is to be kept and the
// vectors lie there whole, else in a buffer. It is not written twice: on AMD's cores a vector's store takes the port
// through which a multiply-add reads its third operand.
class ChunkNoise {
 public:
  HWY_INLINE ChunkNoise(const Chunk& chunk, float* kept, std::size_t joints, std::size_t block)
      : chunk_(chunk), kept_(kept), joints_(joints), first_(block * kJointsAtOnce) {
    const std::size_t lanes = hn::Lanes(FloatTag());
    in_place_ = kept != nullptr && chunk.pairs == chunk.vectors * lanes && chunk.number % lanes == 0;
  }
  HWY_INLINE std::size_t first() const { return first_; }
  HWY_INLINE std::size_t count() const { return std::min(kJointsAtOnce, joints_ - first_); }
  HWY_INLINE NoiseRows RowsOf(std::size_t vector) {
    const std::size_t lanes = hn::Lanes(FloatTag());
    if (HWY_LIKELY(in_place_)) return {Kept(vector * lanes, first_), kPerturbationLanes};
    return {buffer_ + vector * kJointsAtOnce * lanes, lanes};
  }
  // Copies it to where it is kept, if it was not made there.
  void Keep() {
    const std::size_t lanes = hn::Lanes(FloatTag());
    if (kept_ == nullptr || in_place_) return;
    for (std::size_t pair = 0; pair < chunk_.pairs; ++pair) {
      const NoiseRows rows = RowsOf(pair / lanes);
      for (std::size_t k = 0; k < count(); ++k) {
        *Kept(pair, first_ + k) = rows.first[k * rows.stride + pair % lanes];
      }
    }
  }

 private:
  // Of a pair of the chunk; all pairs lie in groups of sixteen.
  HWY_INLINE float* Kept(std::size_t pair, std::size_t j) const {
    constexpr std::size_t kGroup = kPerturbationLanes;
    const std::size_t number = chunk_.number + pair;
    return kept_ + (number / kGroup * joints_ + j) * kGroup + number % kGroup;
  }

  const Chunk& chunk_;
  float* kept_;
  std::size_t joints_, first_;
  bool in_place_;
  HWY_ALIGN float buffer_[kVectorsAtOnce * kJointsAtOnce * 16];
};

// The phases that know nothing of arms. Words of two blocks, because one alone would wait for its own multiplications:
using TwoBlocks = WordBlock[2];

ARIA_PHASE void DrawTwoBlocks(const Chunk& chunk, const DrawKey& key, const SharedBlock& first,
                              const SharedBlock& second, TwoBlocks (&words)[kVectorsAtOnce]) {
  for (std::size_t v = 0; v < chunk.vectors; ++v) {
    const auto pairs = chunk.Pairs(v);
    const SharedBlockName names[2] = {{&first, pairs}, {&second, pairs}};
    DrawBlocks(key, names, words[v]);
  }
}

// Of one of the two blocks.
ARIA_PHASE void MakeJointNoise(const Chunk& chunk, const TwoBlocks (&words)[kVectorsAtOnce], std::size_t which,
                               ChunkNoise& noise) {
  const std::size_t count = noise.count();
  for (std::size_t v = 0; v < chunk.vectors; ++v) {
    const NoiseRows rows = noise.RowsOf(v);
    FloatVec variates[kJointsAtOnce];
    NormalPairs<kDrawsPerBlock>(words[v][which].word, variates);
    if (HWY_LIKELY(count == kJointsAtOnce)) {
      for (std::size_t k = 0; k < kJointsAtOnce; ++k) rows.Store(k, variates[k]);
    } else {
      for (std::size_t k = 0; k < count; ++k) rows.Store(k, variates[k]);
    }
  }
  noise.Keep();
}

// Of the second.
ARIA_PHASE void MakePairNoise(const Chunk& chunk, const TwoBlocks (&words)[kVectorsAtOnce],
                              PairNoise (&noise)[kVectorsAtOnce]) {
  for (std::size_t v = 0; v < chunk.vectors; ++v) noise[v] = PairNoise(words[v][1]);
}

template <class Pairs>
class PairEvaluator {
 public:
  HWY_INLINE PairEvaluator(const Pairs& pairs, const MirroredRequest& request, bool variance, ArmNoise noise,
                           const MirroredRows& out)
      : pairs_(pairs),
        joints_(request.centre.size()),
        variance_(variance),
        added_{noise},
        out_(out),
        key_(request.key, Purpose::kPerturbation),
        noise_block_(DrawKey(request.key, Purpose::kTaskNoise), request.id, 0) {
    // after the first, joints are drawn two blocks at a time
    for (std::size_t b = 0; b < normal_blocks(joints_) + 1; ++b) {
      joint_blocks_[b] = SharedBlock(key_, request.id, static_cast<std::uint32_t>(b));
    }
  }

  HWY_INLINE void Evaluate(const Chunk& chunk) const {
    // the first block of the joints' noise comes with the only one of the task's
    TwoBlocks words[kVectorsAtOnce];
    DrawTwoBlocks(chunk, key_, joint_blocks_[0], noise_block_, words);
    ChunkNoise first(chunk, out_.kept, joints_, 0);
    MakeJointNoise(chunk, words, 0, first);
    PairNoise noise[kVectorsAtOnce];
    MakePairNoise(chunk, words, noise);
    if (joints_ <= kJointsAtOnce) {
      AddAllJoints(chunk, first, noise);
    } else {
      AddManyJoints(chunk, first, noise);
    }
  }

 private:
  using Sums = typename Pairs::Sums;

  // Where the first block has all of them, sums stay in registers.
  ARIA_PHASE void AddAllJoints(const Chunk& chunk, ChunkNoise& first, const PairNoise (&noise)[kVectorsAtOnce]) const {
    for (std::size_t v = 0; v < chunk.vectors; ++v) {
      Sums sums;
      AddJoints(0, first.count(), first.RowsOf(v), sums);
      Finish(chunk, v, noise[v], sums);
    }
  }

  HWY_INLINE void AddManyJoints(const Chunk& chunk, ChunkNoise& first, const PairNoise (&noise)[kVectorsAtOnce]) const {
    Sums sums[kVectorsAtOnce];
    AddJoints(chunk, first, sums);
    const std::size_t blocks = normal_blocks(joints_);
    for (std::size_t b = 1; b < blocks; b += 2) {
      TwoBlocks words[kVectorsAtOnce];
      DrawTwoBlocks(chunk, key_, joint_blocks_[b], joint_blocks_[b + 1], words);
      for (std::size_t which = 0; which < std::min<std::size_t>(2, blocks - b); ++which) {
        ChunkNoise more(chunk, out_.kept, joints_, b + which);
        MakeJointNoise(chunk, words, which, more);
        AddJoints(chunk, more, sums);
      }
    }
    for (std::size_t v = 0; v < chunk.vectors; ++v) Finish(chunk, v, noise[v], sums[v]);
  }

  ARIA_PHASE void AddJoints(const Chunk& chunk, ChunkNoise& noise, Sums (&sums)[kVectorsAtOnce]) const {
    for (std::size_t v = 0; v < chunk.vectors; ++v) AddJoints(noise.first(), noise.count(), noise.RowsOf(v), sums[v]);
  }

  HWY_INLINE void AddJoints(std::size_t j, std::size_t count, const NoiseRows& rows, Sums& sums) const {
    // eight joints are unrolled, so that their noise stays in registers
    if (HWY_LIKELY(count == kJointsAtOnce)) {
      FloatVec noise[kJointsAtOnce];
      for (std::size_t k = 0; k < kJointsAtOnce; ++k) noise[k] = rows.Load(k);
      pairs_.template AddJoints<kJointsAtOnce>(j, noise, sums);
      return;
    }
    for (std::size_t k = 0; k < count; ++k) {
      const FloatVec noise = rows.Load(k);
      pairs_.template AddJoints<1>(j + k, &noise, sums);
    }
  }

  HWY_INLINE void Finish(const Chunk& chunk, std::size_t vector, const PairNoise& noise, const Sums& sums) const {
    const std::size_t before = vector * hn::Lanes(FloatTag());
    const std::size_t p = chunk.first + before;
    const std::size_t lanes = std::min(hn::Lanes(FloatTag()), chunk.pairs - before);
    FloatVec fitness_plus;
    FloatVec fitness_minus;
    pairs_.Fitness(sums, variance_, fitness_plus, fitness_minus);
    const FloatVec* plus = noise.plus();
    const FloatVec* minus = noise.minus();
    const MirroredEnds& ends = sums.ends;
    const float scale = 0.5f / static_cast<float>(joints_);
    StorePairs(added_.Fitness(fitness_plus, plus[0]), added_.Fitness(fitness_minus, minus[0]),
               added_.Coordinate(Coordinate(hn::Sub(ends.cc, ends.ss), scale), plus[1]),
               added_.Coordinate(Coordinate(hn::Add(ends.sc, ends.cs), scale), plus[2]),
               added_.Coordinate(Coordinate(hn::Add(ends.cc, ends.ss), scale), minus[1]),
               added_.Coordinate(Coordinate(hn::Sub(ends.sc, ends.cs), scale), minus[2]), lanes, out_.fitness + 2 * p,
               out_.descriptors + 4 * p);
  }

  const Pairs& pairs_;
  std::size_t joints_;
  bool variance_;
  AddedNoise added_;
  const MirroredRows& out_;
  DrawKey key_;
  SharedBlock joint_blocks_[normal_blocks(kMaxArmJoints) + 1];
  SharedBlock noise_block_;
};

template <class Pairs>
HWY_INLINE void EvaluatePairs(const Pairs& pairs, const MirroredRequest& request, bool variance, ArmNoise noise,
                              const MirroredRows& out) {
  const PairEvaluator<Pairs> evaluator(pairs, request, variance, noise, out);
  const std::size_t lanes = hn::Lanes(FloatTag());
  for (std::size_t p = 0; p < request.pairs; p += kVectorsAtOnce * lanes) {
    const std::size_t pairs_here = std::min(kVectorsAtOnce * lanes, request.pairs - p);
    // known when compiling where it is one
    const std::size_t vectors = kVectorsAtOnce == 1 ? 1 : (pairs_here + lanes - 1) / lanes;
    evaluator.Evaluate({p, vectors, pairs_here, request.first_pair + p});
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
