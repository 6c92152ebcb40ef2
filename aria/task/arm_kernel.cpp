#include "aria/task/arm_kernel.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>
#include <vector>

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

// Minus the variance or the standard deviation; rounding may have left the variance below zero.
HWY_INLINE FloatVec FitnessOf(FloatVec spread, bool variance) {
  const auto positive = hn::Max(spread, hn::Zero(FloatTag()));
  return hn::Neg(variance ? positive : hn::Sqrt(positive));
}

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
    return FitnessOf(hn::NegMulAdd(mean, mean, hn::Mul(squares, hn::Set(d, per_joint))), variance);
  }
};

// The end of the arm as a point of the unit square.
HWY_INLINE FloatVec Coordinate(FloatVec sum, float scale) {
  const FloatTag d;
  return hn::MulAdd(sum, hn::Set(d, scale), hn::Set(d, 0.5f));
}

HWY_INLINE FloatVec Fraction(FloatVec x) { return hn::Sub(x, hn::Floor(x)); }

// kVectors of arms side by side, because the angles of one wait for each other.
template <std::size_t kVectors>
HWY_INLINE void ForwardVectors(const float* joints, std::size_t joint_count, bool variance, std::size_t lane,
                               ArmTile& out) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  const float per_joint = 1.0f / static_cast<float>(joint_count);
  FloatVec pivot[kVectors];
  Spread spread[kVectors];
  FloatVec turns[kVectors];
  FloatVec x[kVectors];
  FloatVec y[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) {
    pivot[v] = Fraction(hn::LoadU(d, joints + lane + v * lanes));
    turns[v] = x[v] = y[v] = hn::Zero(d);
  }
  for (std::size_t j = 0; j < joint_count; ++j) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      const auto position = hn::LoadU(d, joints + j * kDrawTile + lane + v * lanes);
      spread[v].Add(position, pivot[v]);
      // whole turns are taken off at every joint, which keeps the angle accurate however long the arm
      turns[v] = Fraction(hn::Add(turns[v], hn::Sub(position, hn::Set(d, 0.5f))));
      FloatVec sine;
      FloatVec cosine;
      SinCosTurns(turns[v], sine, cosine);
      x[v] = hn::Add(x[v], cosine);
      y[v] = hn::Add(y[v], sine);
    }
  }
  for (std::size_t v = 0; v < kVectors; ++v) {
    hn::StoreU(spread[v].Fitness(per_joint, variance), d, out.fitness + lane + v * lanes);
    hn::StoreU(Coordinate(x[v], 0.5f * per_joint), d, out.x + lane + v * lanes);
    hn::StoreU(Coordinate(y[v], 0.5f * per_joint), d, out.y + lane + v * lanes);
  }
}

void Forward(const float* joints, std::size_t joint_count, std::size_t count, bool variance, ArmTile& out) {
  const std::size_t lanes = hn::Lanes(FloatTag());
  std::size_t lane = 0;
  for (; lane + 2 * lanes <= kDrawTile && lane + lanes < count; lane += 2 * lanes) {
    ForwardVectors<2>(joints, joint_count, variance, lane, out);
  }
  if (lane < count) ForwardVectors<1>(joints, joint_count, variance, lane, out);
}

// Rows of genotypes to columns of a tile; joint j of genotype i goes to joints[j * kDrawTile + i].
void ToColumns(const float* genotypes, std::size_t joint_count, std::size_t count, float* joints) {
  std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
  // eight joints, the arm of the paper: a row is two groups of four, which the odd and even lanes then tell apart
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  for (; joint_count == 8 && i + lanes <= count; i += lanes) {
    FloatVec low[4];
    FloatVec high[4];
    const float* rows = genotypes + 8 * i;
    hn::LoadInterleaved4(d, rows, low[0], low[1], low[2], low[3]);
    hn::LoadInterleaved4(d, rows + 4 * lanes, high[0], high[1], high[2], high[3]);
    for (std::size_t k = 0; k < 4; ++k) {
      hn::StoreU(hn::ConcatEven(d, high[k], low[k]), d, joints + k * kDrawTile + i);
      hn::StoreU(hn::ConcatOdd(d, high[k], low[k]), d, joints + (4 + k) * kDrawTile + i);
    }
  }
#endif
  for (; i < count; ++i) {
    for (std::size_t j = 0; j < joint_count; ++j) joints[j * kDrawTile + i] = genotypes[i * joint_count + j];
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

// Adds noise to what an arm gives without.
struct AddedNoise {
  ArmNoise noise;

  HWY_INLINE FloatVec Fitness(FloatVec fitness, FloatVec variate) const {
    return hn::MulAdd(variate, hn::Set(FloatTag(), noise.fitness), fitness);
  }
  HWY_INLINE FloatVec Coordinate(FloatVec coordinate, FloatVec variate) const {
    return hn::MulAdd(variate, hn::Set(FloatTag(), noise.descriptor), coordinate);
  }
};

// The noise of samples 2 pair and 2 pair + 1 of one id, three variates each.
class PairNoise {
 public:
  HWY_INLINE PairNoise(Key key, std::uint32_t id)
      : key_(key, Purpose::kTaskNoise), blocks_{SharedBlock(key_, id, 0), SharedBlock(key_, id, 1)} {}

  HWY_INLINE void Draw(WordVec pair, FloatVec (&plus)[kArmNoise], FloatVec (&minus)[kArmNoise]) const {
    const SharedBlockName names[2] = {{&blocks_[0], pair}, {&blocks_[1], pair}};
    NormalBlock normals[2];
    DrawNormalBlocks(key_, names, normals);
    for (std::size_t k = 0; k < kArmNoise; ++k) {
      plus[k] = normals[0].variate[k];
      minus[k] = normals[(kArmNoise + k) / kDrawsPerBlock].variate[(kArmNoise + k) % kDrawsPerBlock];
    }
  }

 private:
  DrawKey key_;
  SharedBlock blocks_[2];
};

// Each entry the first sample of its own id. `ids` holds kDrawTile entries, so that whole vectors can be read.
void AddSingleNoise(const ArmTile& tile, Key key, ArmNoise noise, const std::uint32_t* ids, std::size_t count,
                    float* fitness, float* descriptors) {
  const FloatTag d;
  const WordTag dw;
  const DrawKey draw_key(key, Purpose::kTaskNoise);
  const AddedNoise added{noise};
  const std::size_t lanes = hn::Lanes(d);
  // two blocks at a time: one alone waits for its own multiplications
  for (std::size_t i = 0; i < count; i += 2 * lanes) {
    const auto zero = hn::Zero(dw);
    const BlockName names[2] = {{hn::LoadU(dw, ids + i), zero, zero}, {hn::LoadU(dw, ids + i + lanes), zero, zero}};
    NormalBlock normals[2];
    DrawNormalBlocks(draw_key, names, normals);
    for (std::size_t n = 0; n < 2; ++n) {
      const std::size_t at = i + n * lanes;
      if (at >= count) break;
      const auto& variate = normals[n].variate;
      StoreRows(added.Fitness(hn::LoadU(d, tile.fitness + at), variate[0]),
                added.Coordinate(hn::LoadU(d, tile.x + at), variate[1]),
                added.Coordinate(hn::LoadU(d, tile.y + at), variate[2]), std::min(lanes, count - at), fitness + at,
                descriptors + 2 * at);
    }
  }
}

// Each entry any sample of any id: of the six variates of a pair each lane takes its three.
void AddNoise(const ArmTile& tile, Key key, ArmNoise noise, const std::uint32_t* ids, const std::uint32_t* samples,
              std::size_t count, float* fitness, float* descriptors) {
  const FloatTag d;
  const WordTag dw;
  const DrawKey draw_key(key, Purpose::kTaskNoise);
  const AddedNoise added{noise};
  for (std::size_t lane = 0; lane < count; lane += hn::Lanes(d)) {
    const auto id = hn::LoadU(dw, ids + lane);
    const auto sample = hn::LoadU(dw, samples + lane);
    const auto pair = hn::ShiftRight<1>(sample);
    const BlockName names[2] = {{id, pair, hn::Zero(dw)}, {id, pair, hn::Set(dw, 1u)}};
    NormalBlock normals[2];
    DrawNormalBlocks(draw_key, names, normals);
    const auto odd = hn::RebindMask(d, hn::TestBit(sample, hn::Set(dw, 1u)));
    const auto& first = normals[0].variate;
    const auto& second = normals[1].variate;
    StoreRows(added.Fitness(hn::LoadU(d, tile.fitness + lane), hn::IfThenElse(odd, first[3], first[0])),
              added.Coordinate(hn::LoadU(d, tile.x + lane), hn::IfThenElse(odd, second[0], first[1])),
              added.Coordinate(hn::LoadU(d, tile.y + lane), hn::IfThenElse(odd, second[1], first[2])),
              std::min(hn::Lanes(d), count - lane), fitness + lane, descriptors + 2 * lane);
  }
}

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

// Many samples of one arm: their noise is drawn in pairs.
void AddRepeatedNoise(const ArmTile& tile, std::size_t entry, const RepeatedSamples& samples, Key key, ArmNoise noise,
                      float* fitness, float* descriptors) {
  const FloatTag d;
  const WordTag dw;
  const PairNoise draws(key, samples.id);
  const AddedNoise added{noise};
  const std::size_t lanes = hn::Lanes(d);
  const auto arm_fitness = hn::Set(d, tile.fitness[entry]);
  const auto x = hn::Set(d, tile.x[entry]);
  const auto y = hn::Set(d, tile.y[entry]);
  const std::size_t end = samples.first + samples.count;
  for (std::size_t begin = samples.first / 2 * 2; begin < end; begin += 2 * lanes) {
    const auto pair = hn::Add(hn::Set(dw, static_cast<std::uint32_t>(begin / 2)), hn::Iota(dw, 0));
    FloatVec plus[kArmNoise];
    FloatVec minus[kArmNoise];
    draws.Draw(pair, plus, minus);
    // where the samples wanted begin or end within a vector's worth, the others are left out
    HWY_ALIGN float buffer[6 * 16];
    const std::size_t from = std::max(begin, samples.first);
    const std::size_t count = std::min(begin + 2 * lanes, end) - from;
    const bool whole = count == 2 * lanes;
    float* fitness_to = whole ? fitness + (from - samples.first) : buffer;
    float* descriptors_to = whole ? descriptors + 2 * (from - samples.first) : buffer + 2 * 16;
    StorePairs(added.Fitness(arm_fitness, plus[0]), added.Fitness(arm_fitness, minus[0]), added.Coordinate(x, plus[1]),
               added.Coordinate(y, plus[2]), added.Coordinate(x, minus[1]), added.Coordinate(y, minus[2]), lanes,
               fitness_to, descriptors_to);
    if (!whole) {
      std::copy_n(buffer + (from - begin), count, fitness + (from - samples.first));
      std::copy_n(buffer + 2 * 16 + 2 * (from - begin), 2 * count, descriptors + 2 * (from - samples.first));
    }
  }
}

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
    auto widest = hn::Zero(d);
    for (std::size_t k = 0; k < kCount; ++k) {
      sums.noise = angle[k] = hn::Add(sums.noise, noise[k]);
      sums.squares = hn::MulAdd(noise[k], noise[k], sums.squares);
      sums.products = hn::MulAdd(noise[k], hn::Set(d, centre_.offset[j + k]), sums.products);
      widest = hn::Max(widest, hn::Abs(angle[k]));
    }
    const bool narrow = hn::AllTrue(d, hn::Lt(widest, hn::Set(d, eighth_)));
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

HWY_EXPORT(ToColumns);
HWY_EXPORT(Forward);
HWY_EXPORT(AddSingleNoise);
HWY_EXPORT(AddRepeatedNoise);
HWY_EXPORT(AddNoise);
HWY_EXPORT(Mirrored);

namespace {

// Kernels read whole vectors: short lists of names are padded with zeros.
std::array<std::uint32_t, kDrawTile> padded(std::span<const std::uint32_t> names) {
  assert(names.size() <= kDrawTile);
  std::array<std::uint32_t, kDrawTile> result{};
  std::ranges::copy(names, result.begin());
  return result;
}

}  // namespace

void arm_forward(MatrixView genotypes, bool variance, ArmTile& out) {
  assert(genotypes.rows() <= kDrawTile);
  thread_local std::vector<float> joints;
  joints.resize(genotypes.columns() * kDrawTile);
  HWY_DYNAMIC_DISPATCH(ToColumns)
  (genotypes.values().data(), genotypes.columns(), genotypes.rows(), joints.data());
  HWY_DYNAMIC_DISPATCH(Forward)(joints.data(), genotypes.columns(), genotypes.rows(), variance, out);
}

void arm_add_single_noise(const ArmTile& tile, Key key, ArmNoise noise, std::span<const std::uint32_t> ids,
                          float* fitness, float* descriptors) {
  HWY_DYNAMIC_DISPATCH(AddSingleNoise)(tile, key, noise, padded(ids).data(), ids.size(), fitness, descriptors);
}

void arm_add_repeated_noise(const ArmTile& tile, std::size_t entry, const RepeatedSamples& samples, Key key,
                            ArmNoise noise, float* fitness, float* descriptors) {
  HWY_DYNAMIC_DISPATCH(AddRepeatedNoise)(tile, entry, samples, key, noise, fitness, descriptors);
}

void arm_add_noise(const ArmTile& tile, Key key, ArmNoise noise, std::span<const std::uint32_t> ids,
                   std::span<const std::uint32_t> samples, float* fitness, float* descriptors) {
  HWY_DYNAMIC_DISPATCH(AddNoise)
  (tile, key, noise, padded(ids).data(), padded(samples).data(), ids.size(), fitness, descriptors);
}

void arm_mirrored(const MirroredRequest& request, bool variance, ArmNoise noise, const MirroredRows& out) {
  HWY_DYNAMIC_DISPATCH(Mirrored)(request, variance, noise, out);
}

}  // namespace aria
#endif  // HWY_ONCE
