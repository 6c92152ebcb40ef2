#include "aria/core/draws.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>

#include "aria/core/polynomials.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "aria/core/draws.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "aria/core/draws-inl.h"
#include "aria/core/normals-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// Draws the blocks of a tile two at a time; `store(block, lane, values)` keeps each. `ids` and `samples` hold kDrawTile
// entries, so that whole vectors can be read.
template <class Block, class Draw, class Store>
HWY_INLINE void DrawTile(const std::uint32_t* ids, const std::uint32_t* samples, std::size_t count,
                         std::uint32_t first_block, std::uint32_t blocks, const Draw& draw, const Store& store) {
  const WordTag dw;
  for (std::size_t lane = 0; lane < count; lane += hn::Lanes(dw)) {
    const auto id = hn::LoadU(dw, ids + lane);
    const auto sample = hn::LoadU(dw, samples + lane);
    std::uint32_t b = 0;
    for (; b + 2 <= blocks; b += 2) {
      const BlockName names[2] = {{id, sample, hn::Set(dw, first_block + b)},
                                  {id, sample, hn::Set(dw, first_block + b + 1)}};
      Block values[2];
      draw(names, values);
      store(b, lane, values[0]);
      store(b + 1, lane, values[1]);
    }
    if (b < blocks) {
      const BlockName names[1] = {{id, sample, hn::Set(dw, first_block + b)}};
      Block values[1];
      draw(names, values);
      store(b, lane, values[0]);
    }
  }
}

void DrawNormalTile(Key key, Purpose purpose, const std::uint32_t* ids, const std::uint32_t* samples, std::size_t count,
                    std::uint32_t first_block, std::uint32_t blocks, float* out) {
  const DrawKey draw_key(key, purpose);
  DrawTile<NormalBlock>(
      ids, samples, count, first_block, blocks,
      [&](const auto& names, auto& values) HWY_ATTR { DrawNormalBlocks(draw_key, names, values); },
      [&](std::size_t block, std::size_t lane, const NormalBlock& normals) HWY_ATTR {
        const FloatTag d;
        for (std::size_t k = 0; k < kNormalsPerBlock; ++k) {
          hn::StoreU(normals.variate[k], d, out + (kNormalsPerBlock * block + k) * kDrawTile + lane);
        }
      });
}

// Lanes are (row, block) pairs in the order of the output, so that the eight variates of every lane, one lane after the
// other, give rows. This finds the names of one vector's worth after the other.
class RowNames {
 public:
  HWY_INLINE RowNames(const std::uint32_t* ids, const std::uint32_t* samples, std::size_t rows, std::uint32_t blocks)
      : ids_(ids), samples_(samples), rows_(rows), blocks_(blocks) {
    const WordTag dw;
    const std::size_t lanes = hn::Lanes(dw);
    whole_rows_ = lanes % blocks == 0 ? lanes / blocks : 0;
    HWY_ALIGN std::int32_t row[16];
    HWY_ALIGN std::uint32_t number[16];
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      row[lane] = static_cast<std::int32_t>(lane / blocks);
      number[lane] = lane % blocks;
    }
    row_of_lane_ = hn::SetTableIndices(dw, row);
    block_of_lane_ = hn::Load(dw, number);
  }

  HWY_INLINE BlockName Next() {
    const WordTag dw;
    const std::size_t lanes = hn::Lanes(dw);
    BlockName name;
    if (whole_rows_ > 0 && row_ + lanes <= rows_) {
      // short rows, several to a vector
      name.id = hn::TableLookupLanes(hn::LoadU(dw, ids_ + row_), row_of_lane_);
      name.sample = hn::TableLookupLanes(hn::LoadU(dw, samples_ + row_), row_of_lane_);
      name.block = block_of_lane_;
      row_ += whole_rows_;
    } else if (row_ < rows_ && block_ + lanes <= blocks_) {
      // a long row
      name.id = hn::Set(dw, ids_[row_]);
      name.sample = hn::Set(dw, samples_[row_]);
      name.block = hn::Add(hn::Set(dw, block_), hn::Iota(dw, 0));
      block_ += static_cast<std::uint32_t>(lanes);
      NextRow();
    } else {
      name = OneByOne();
    }
    return name;
  }

 private:
  HWY_INLINE void NextRow() {
    if (block_ < blocks_) return;
    block_ = 0;
    ++row_;
  }

  // Lanes behind the last row are given any name.
  HWY_INLINE BlockName OneByOne() {
    const WordTag dw;
    HWY_ALIGN std::uint32_t id[16] = {};
    HWY_ALIGN std::uint32_t sample[16] = {};
    HWY_ALIGN std::uint32_t number[16] = {};
    for (std::size_t lane = 0; lane < hn::Lanes(dw) && row_ < rows_; ++lane) {
      id[lane] = ids_[row_];
      sample[lane] = samples_[row_];
      number[lane] = block_++;
      NextRow();
    }
    return {hn::Load(dw, id), hn::Load(dw, sample), hn::Load(dw, number)};
  }

  const std::uint32_t* ids_;
  const std::uint32_t* samples_;
  std::size_t rows_;
  std::uint32_t blocks_;
  std::size_t whole_rows_;  // that fill a vector, 0 where none do
  std::size_t row_ = 0;
  std::uint32_t block_ = 0;
  decltype(hn::SetTableIndices(WordTag(), static_cast<const std::int32_t*>(nullptr))) row_of_lane_;
  WordVec block_of_lane_;
};

void DrawRows(Key key, Purpose purpose, const std::uint32_t* ids, const std::uint32_t* samples, std::size_t rows,
              std::uint32_t blocks, float* out) {
  const FloatTag d;
  const DrawKey draw_key(key, purpose);
  const std::size_t lanes = hn::Lanes(d);
  const std::size_t total = rows * blocks;
  if (total == 0) return;
  RowNames rows_left(ids, samples, rows, blocks);
  for (std::size_t first = 0; first < total; first += 2 * lanes) {
    const BlockName first_name = rows_left.Next();
    const BlockName names[2] = {first_name, rows_left.Next()};
    NormalBlock normals[2];
    DrawNormalBlocks(draw_key, names, normals);
    const std::size_t count = std::min(2 * lanes, total - first);
    HWY_ALIGN float rest[kNormalsPerBlock * 32];
    float* to = count == 2 * lanes ? out + kNormalsPerBlock * first : rest;
    for (std::size_t n = 0; n < 2; ++n) StoreAsRows(normals[n], to + kNormalsPerBlock * n * lanes);
    if (to == rest) std::copy(rest, rest + kNormalsPerBlock * count, out + kNormalsPerBlock * first);
  }
}

void DrawBitTile(Key key, Purpose purpose, const std::uint32_t* ids, const std::uint32_t* samples, std::size_t count,
                 std::uint32_t first_block, std::uint32_t blocks, std::uint32_t* out) {
  const DrawKey draw_key(key, purpose);
  DrawTile<WordBlock>(
      ids, samples, count, first_block, blocks,
      [&](const auto& names, auto& values) HWY_ATTR { DrawBlocks(draw_key, names, values); },
      [&](std::size_t block, std::size_t lane, const WordBlock& bits) HWY_ATTR {
        const WordTag dw;
        for (std::size_t w = 0; w < 4; ++w) hn::StoreU(bits.word[w], dw, out + (4 * block + w) * kDrawTile + lane);
      });
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace aria {

HWY_EXPORT(DrawNormalTile);
HWY_EXPORT(DrawBitTile);
HWY_EXPORT(DrawRows);

namespace {

// The scalar twin of NormalPairs, operation by operation.
float radius_from(std::uint32_t word) {
  const float steps = static_cast<float>(static_cast<std::int32_t>((word | 1u) & 0x7FFFFFFFu));
  const std::uint32_t offset = std::bit_cast<std::uint32_t>(steps) - (kSqrtHalfBits + (31u << 23));
  const auto exponent = static_cast<float>(static_cast<std::int32_t>(offset & ~kMantissaBits));
  const float t = std::bit_cast<float>((offset & kMantissaBits) + kSqrtHalfBits) - 1.0f;
  const float t2 = t * t;
  const auto& c = kRadiusCoefficients;
  float p = std::fma(c[6], t2, std::fma(c[5], t, c[4]));
  for (int i = 2; i >= 0; i -= 2) p = std::fma(p, t2, std::fma(c[i + 1], t, c[i]));
  return std::sqrt(std::fma(p, t, exponent * (kMinusTwoLn2 * 0x1p-23f)));
}

std::array<float, 2> normal_pair(std::uint32_t word) {
  const float radius = radius_from(word);
  const float x = std::bit_cast<float>((word * kLatticeMultiplier >> 9) | kOneBits) - 1.5f;
  const float x2 = x * x;
  float s = kAngleSineCoefficients[2];
  for (int i = 1; i >= 0; --i) s = std::fma(s, x2, kAngleSineCoefficients[i]);
  float c = kAngleCosineCoefficients[3];
  for (int i = 2; i >= 0; --i) c = std::fma(c, x2, kAngleCosineCoefficients[i]);
  const float a = radius * ((word >> 31) != 0 ? -c : c);
  const float b = radius * (s * x);
  return (word & 1u) != 0 ? std::array{b, a} : std::array{a, b};
}

}  // namespace

float normal(Key key, Purpose purpose, std::uint32_t id, std::uint32_t sample, std::uint32_t variate) {
  const PhiloxCounter bits = key.bits(purpose, id, sample, variate / kNormalsPerBlock);
  return normal_pair(bits[variate % kNormalsPerBlock / 2])[variate % 2];
}

void draw_normals(Key key, Purpose purpose, std::span<const std::uint32_t> ids, std::span<const std::uint32_t> samples,
                  std::size_t first_block, std::size_t blocks, float* out) {
  assert(ids.size() == samples.size());
  HWY_DYNAMIC_DISPATCH(DrawNormalTile)
  (key, purpose, padded_to_tile(ids).data(), padded_to_tile(samples).data(), ids.size(),
   static_cast<std::uint32_t>(first_block), static_cast<std::uint32_t>(blocks), out);
}

void draw_normal_rows(Key key, Purpose purpose, std::span<const std::uint32_t> ids,
                      std::span<const std::uint32_t> samples, std::size_t variates, float* out) {
  assert(ids.size() == samples.size());
  HWY_DYNAMIC_DISPATCH(DrawRows)
  (key, purpose, ids.data(), samples.data(), ids.size(), static_cast<std::uint32_t>(normal_blocks(variates)), out);
}

void draw_bits(Key key, Purpose purpose, std::span<const std::uint32_t> ids, std::span<const std::uint32_t> samples,
               std::size_t first_block, std::size_t blocks, std::uint32_t* out) {
  assert(ids.size() == samples.size());
  HWY_DYNAMIC_DISPATCH(DrawBitTile)
  (key, purpose, padded_to_tile(ids).data(), padded_to_tile(samples).data(), ids.size(),
   static_cast<std::uint32_t>(first_block), static_cast<std::uint32_t>(blocks), out);
}

}  // namespace aria
#endif  // HWY_ONCE
