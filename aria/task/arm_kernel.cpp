#include "aria/task/arm_kernel.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/task/arm_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/task/arm-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

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
    WordBlock words[2];
    DrawBlocks(draw_key, names, words);
    for (std::size_t n = 0; n < 2; ++n) {
      const std::size_t at = i + n * lanes;
      if (at >= count) break;
      FloatVec variate[4];
      NormalPairs<2>(words[n].word, variate);
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
    const BlockName names[1] = {{id, hn::ShiftRight<1>(sample), hn::Zero(dw)}};
    WordBlock words[1];
    DrawBlocks(draw_key, names, words);
    const PairNoise pair(words[0]);
    const auto odd = hn::RebindMask(d, hn::TestBit(sample, hn::Set(dw, 1u)));
    const auto mine = [&](std::size_t k) HWY_ATTR { return hn::IfThenElse(odd, pair.minus()[k], pair.plus()[k]); };
    StoreRows(added.Fitness(hn::LoadU(d, tile.fitness + lane), mine(0)),
              added.Coordinate(hn::LoadU(d, tile.x + lane), mine(1)),
              added.Coordinate(hn::LoadU(d, tile.y + lane), mine(2)), std::min(hn::Lanes(d), count - lane),
              fitness + lane, descriptors + 2 * lane);
  }
}

// Many samples of one arm: their noise is drawn in pairs.
void AddRepeatedNoise(const ArmTile& tile, std::size_t entry, const RepeatedSamples& samples, Key key, ArmNoise noise,
                      float* fitness, float* descriptors) {
  const FloatTag d;
  const WordTag dw;
  const DrawKey draw_key(key, Purpose::kTaskNoise);
  const SharedBlock block(draw_key, samples.id, 0);
  const AddedNoise added{noise};
  const std::size_t lanes = hn::Lanes(d);
  const auto arm_fitness = hn::Set(d, tile.fitness[entry]);
  const auto x = hn::Set(d, tile.x[entry]);
  const auto y = hn::Set(d, tile.y[entry]);
  const std::size_t end = samples.first + samples.count;
  const auto store = [&](std::size_t begin, const PairNoise& pair) HWY_ATTR {
    const FloatVec* plus = pair.plus();
    const FloatVec* minus = pair.minus();
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
  };
  for (std::size_t begin = samples.first / 2 * 2; begin < end; begin += 4 * lanes) {
    const auto pair = hn::Add(hn::Set(dw, static_cast<std::uint32_t>(begin / 2)), hn::Iota(dw, 0));
    const auto more = hn::Add(pair, hn::Set(dw, static_cast<std::uint32_t>(lanes)));
    const SharedBlockName names[2] = {{&block, pair}, {&block, more}};
    WordBlock words[2];
    DrawBlocks(draw_key, names, words);
    store(begin, PairNoise(words[0]));
    if (begin + 2 * lanes < end) store(begin + 2 * lanes, PairNoise(words[1]));
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
  HWY_DYNAMIC_DISPATCH(AddSingleNoise)(tile, key, noise, padded_to_tile(ids).data(), ids.size(), fitness, descriptors);
}

void arm_add_repeated_noise(const ArmTile& tile, std::size_t entry, const RepeatedSamples& samples, Key key,
                            ArmNoise noise, float* fitness, float* descriptors) {
  HWY_DYNAMIC_DISPATCH(AddRepeatedNoise)(tile, entry, samples, key, noise, fitness, descriptors);
}

void arm_add_noise(const ArmTile& tile, Key key, ArmNoise noise, std::span<const std::uint32_t> ids,
                   std::span<const std::uint32_t> samples, float* fitness, float* descriptors) {
  HWY_DYNAMIC_DISPATCH(AddNoise)
  (tile, key, noise, padded_to_tile(ids).data(), padded_to_tile(samples).data(), ids.size(), fitness, descriptors);
}

}  // namespace aria
#endif  // HWY_ONCE
