// SIMD Philox and Box-Muller: sixteen lanes or fewer, each lane its own sample. For use inside other kernels.

// Included once per SIMD target.
#if defined(ARIA_CORE_DRAWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ARIA_CORE_DRAWS_INL_H_
#undef ARIA_CORE_DRAWS_INL_H_
#else
#define ARIA_CORE_DRAWS_INL_H_
#endif

#include <hwy/highway.h>

#include "aria/core/key.hpp"
#include "aria/core/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace aria::HWY_NAMESPACE {

// The four words of one block, for every lane.
struct WordBlock {
  WordVec word[4];
};

// A key made ready for many blocks: the key words of every round, in memory so that each costs one broadcast load.
struct DrawKey {
  Key key;
  Purpose purpose;
  std::uint64_t round0[kPhiloxRounds];
  std::uint64_t round1[kPhiloxRounds];

  DrawKey(Key source, Purpose use) : key(source), purpose(use) {
    PhiloxKey words = source.words();
    for (int round = 0; round < kPhiloxRounds; ++round) {
      round0[round] = words[0];
      round1[round] = words[1];
      words[0] += kPhiloxWeyl0;
      words[1] += kPhiloxWeyl1;
    }
  }
};

// A block of its own in every lane.
struct BlockName {
  WordVec id;
  WordVec sample;
  WordVec block;
};

// A block of one id, made ready for many samples. Only the sample differs between lanes, and it takes three rounds to
// reach all four words; what stays the same until then is worked out here, once.
struct SharedBlock {
  std::uint32_t id, block;
  std::uint32_t after1_word0;  // to be xored with the sample
  std::uint32_t after2_word1, after2_word2;
  std::uint32_t after3_word0, after3_word2, after3_word3;

  SharedBlock() = default;
  SharedBlock(const DrawKey& key, std::uint32_t shared_id, std::uint32_t number) : id(shared_id), block(number) {
    const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
    const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
    const auto key0 = [&](int round) { return static_cast<std::uint32_t>(key.round0[round]); };
    const auto key1 = [&](int round) { return static_cast<std::uint32_t>(key.round1[round]); };
    const std::uint64_t block_product = std::uint64_t{kPhiloxMultiplier0} * block;
    const std::uint64_t id_product = std::uint64_t{kPhiloxMultiplier1} * id;
    after1_word0 = high(id_product) ^ key0(0);
    const std::uint32_t after1_word2 = high(block_product) ^ static_cast<std::uint32_t>(key.purpose) ^ key1(0);
    const std::uint64_t product1 = std::uint64_t{kPhiloxMultiplier1} * after1_word2;
    const std::uint32_t after2_word0 = high(product1) ^ low(id_product) ^ key0(1);
    after2_word1 = low(product1);
    after2_word2 = low(block_product) ^ key1(1);
    const std::uint64_t product0 = std::uint64_t{kPhiloxMultiplier0} * after2_word0;
    after3_word0 = after2_word1 ^ key0(2);
    after3_word2 = high(product0) ^ key1(2);
    after3_word3 = low(product0);
  }
};

// A sample in every lane of one shared block.
struct SharedBlockName {
  const SharedBlock* start;
  WordVec sample;
};

#if HWY_TARGET == HWY_SCALAR

// One lane has no even and odd halves: the plain generator serves.
HWY_INLINE WordBlock PlainBlock(const DrawKey& key, std::uint32_t id, WordVec sample, std::uint32_t block) {
  const WordTag dw;
  const PhiloxCounter bits = key.key.bits(key.purpose, id, hn::GetLane(sample), block);
  return {{hn::Set(dw, bits[0]), hn::Set(dw, bits[1]), hn::Set(dw, bits[2]), hn::Set(dw, bits[3])}};
}

template <int N>
HWY_INLINE void DrawBlocks(const DrawKey& key, const BlockName (&name)[N], WordBlock (&out)[N]) {
  for (int n = 0; n < N; ++n)
    out[n] = PlainBlock(key, hn::GetLane(name[n].id), name[n].sample, hn::GetLane(name[n].block));
}

template <int N>
HWY_INLINE void DrawBlocks(const DrawKey& key, const SharedBlockName (&name)[N], WordBlock (&out)[N]) {
  for (int n = 0; n < N; ++n) out[n] = PlainBlock(key, name[n].start->id, name[n].sample, name[n].start->block);
}

#else

// Half of the lanes, each 32-bit word in the low half of a 64-bit lane. The high halves hold rubbish all along: the
// widening multiplication does not read them.
struct PhiloxHalf {
  using WideTag = hn::Repartition<std::uint64_t, WordTag>;
  using WideVec = hn::Vec<WideTag>;
  WideVec counter[4];

  static HWY_INLINE WideVec Product(WideVec word, std::uint32_t multiplier) {
    const WordTag dw;
    return hn::MulEven(hn::BitCast(dw, word), hn::Set(dw, multiplier));
  }

  // The high half of every lane, in the low half. A shuffle, because Intel's wide shifts share a port with the wide
  // multiplications; the low half goes to the high one, as rubbish.
  static HWY_INLINE WideVec High(WideVec product) {
    return hn::BitCast(WideTag(), hn::Shuffle2301(hn::BitCast(WordTag(), product)));
  }

  HWY_INLINE void Round(WideVec key0, WideVec key1) {
    const auto product0 = Product(counter[0], kPhiloxMultiplier0);
    const auto product1 = Product(counter[2], kPhiloxMultiplier1);
    counter[0] = hn::Xor3(High(product1), counter[1], key0);
    counter[1] = product1;
    counter[2] = hn::Xor3(High(product0), counter[3], key1);
    counter[3] = product0;
  }

  // Three rounds at the price of one.
  HWY_INLINE void Start(const SharedBlock& shared, WideVec sample) {
    // broadcast to both halves of every lane, which costs a load and nothing more
    const auto all = [](std::uint32_t word) HWY_ATTR { return hn::BitCast(WideTag(), hn::Set(WordTag(), word)); };
    const auto after2_word3 = Product(hn::Xor(sample, all(shared.after1_word0)), kPhiloxMultiplier0);
    const auto after2_word2 = hn::Xor(High(after2_word3), all(shared.after2_word2));
    counter[1] = Product(after2_word2, kPhiloxMultiplier1);
    counter[0] = hn::Xor(High(counter[1]), all(shared.after3_word0));
    counter[2] = hn::Xor(after2_word3, all(shared.after3_word2));
    counter[3] = all(shared.after3_word3);
  }
};

// Rounds first_round .. 9 of N blocks side by side: one block alone waits for its own multiplications most of the time.
template <int N>
HWY_INLINE void FinishBlocks(const DrawKey& key, int first_round, PhiloxHalf (&even)[N], PhiloxHalf (&odd)[N],
                             WordBlock (&out)[N]) {
  const WordTag dw;
  const PhiloxHalf::WideTag dwide;
  for (int round = first_round; round < kPhiloxRounds; ++round) {
    const auto key0 = hn::Set(dwide, key.round0[round]);
    const auto key1 = hn::Set(dwide, key.round1[round]);
    for (int n = 0; n < N; ++n) {
      even[n].Round(key0, key1);
      odd[n].Round(key0, key1);
    }
  }
  for (int n = 0; n < N; ++n) {
    for (int w = 0; w < 4; ++w) {
      out[n].word[w] =
          hn::OddEven(hn::BitCast(dw, PhiloxHalf::High(odd[n].counter[w])), hn::BitCast(dw, even[n].counter[w]));
    }
  }
}

template <int N>
HWY_INLINE void DrawBlocks(const DrawKey& key, const BlockName (&name)[N], WordBlock (&out)[N]) {
  const PhiloxHalf::WideTag dwide;
  const auto purpose = hn::Set(dwide, static_cast<std::uint64_t>(key.purpose));
  PhiloxHalf even[N];
  PhiloxHalf odd[N];
  for (int n = 0; n < N; ++n) {
    const auto block = hn::BitCast(dwide, name[n].block);
    const auto sample = hn::BitCast(dwide, name[n].sample);
    const auto id = hn::BitCast(dwide, name[n].id);
    even[n] = {{block, sample, id, purpose}};
    odd[n] = {{PhiloxHalf::High(block), PhiloxHalf::High(sample), PhiloxHalf::High(id), purpose}};
  }
  FinishBlocks(key, 0, even, odd, out);
}

template <int N>
HWY_INLINE void DrawBlocks(const DrawKey& key, const SharedBlockName (&name)[N], WordBlock (&out)[N]) {
  const PhiloxHalf::WideTag dwide;
  PhiloxHalf even[N];
  PhiloxHalf odd[N];
  for (int n = 0; n < N; ++n) {
    const auto sample = hn::BitCast(dwide, name[n].sample);
    even[n].Start(*name[n].start, sample);
    odd[n].Start(*name[n].start, PhiloxHalf::High(sample));
  }
  FinishBlocks(key, 3, even, odd, out);
}

#endif  // HWY_TARGET == HWY_SCALAR

// Two independent standard normal variates from two words (Box-Muller).
HWY_INLINE void NormalPair(WordVec radius_word, WordVec angle_word, FloatVec& first, FloatVec& second) {
  const FloatTag d;
  const IntTag di;
  const WordTag dw;
  // 31 bits to (0, 1]: the smallest value reaches 6.7 standard deviations; the highest bit chooses a sign below
  const auto steps = hn::ConvertTo(d, hn::BitCast(di, hn::And(radius_word, hn::Set(dw, 0x7FFFFFFFu))));
  const auto radius = hn::Sqrt(MinusTwoLogOf31Bits(hn::Add(steps, hn::Set(d, 0.5f))));
  // the word as a signed fraction is an angle within an eighth of a turn; its lowest bit, lost when it is rounded to a
  // float, and the sign choose the quadrant
  const auto eighths = hn::Mul(hn::ConvertTo(d, hn::BitCast(di, angle_word)), hn::Set(d, 0x1p-31f));
  FloatVec sine;
  FloatVec cosine;
  SinCosOctant(eighths, sine, cosine);
  const auto swap = hn::RebindMask(d, hn::TestBit(angle_word, hn::Set(dw, 1u)));
  const auto a = hn::Mul(radius, hn::CopySign(cosine, hn::BitCast(d, radius_word)));
  const auto b = hn::Mul(radius, sine);
  first = hn::IfThenElse(swap, b, a);
  second = hn::IfThenElse(swap, a, b);
}

// The four normal variates of one block.
struct NormalBlock {
  FloatVec variate[4];
};

template <class Name, int N>
HWY_INLINE void DrawNormalBlocks(const DrawKey& key, const Name (&name)[N], NormalBlock (&out)[N]) {
  WordBlock bits[N];
  DrawBlocks(key, name, bits);
  for (int n = 0; n < N; ++n) {
    NormalPair(bits[n].word[0], bits[n].word[1], out[n].variate[0], out[n].variate[1]);
    NormalPair(bits[n].word[2], bits[n].word[3], out[n].variate[2], out[n].variate[3]);
  }
}

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
