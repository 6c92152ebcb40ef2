// SIMD Philox: sixteen lanes or fewer, each lane its own sample. For use inside other kernels.

// Included once per SIMD target.
#if defined(ARIA_CORE_DRAWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ARIA_CORE_DRAWS_INL_H_
#undef ARIA_CORE_DRAWS_INL_H_
#else
#define ARIA_CORE_DRAWS_INL_H_
#endif

#include <utility>

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

// A block of one id, made ready for many samples; blocks of one key but other purposes may be drawn together. Only the
// sample differs between lanes, and it takes three rounds to reach all four words; what stays the same until then is
// worked out here, once.
struct SharedBlock {
  Purpose purpose;
  std::uint32_t id, block;
  std::uint32_t after1_word0;  // to be xored with the sample
  std::uint32_t after2_word1, after2_word2;
  std::uint32_t after3_word0, after3_word2, after3_word3;

  SharedBlock() = default;
  SharedBlock(const DrawKey& key, std::uint32_t shared_id, std::uint32_t number)
      : purpose(key.purpose), id(shared_id), block(number) {
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
HWY_INLINE WordBlock PlainBlock(Key key, Purpose purpose, std::uint32_t id, WordVec sample, std::uint32_t block) {
  const WordTag dw;
  const PhiloxCounter bits = key.bits(purpose, id, hn::GetLane(sample), block);
  return {{hn::Set(dw, bits[0]), hn::Set(dw, bits[1]), hn::Set(dw, bits[2]), hn::Set(dw, bits[3])}};
}

template <int N>
HWY_INLINE void DrawBlocks(const DrawKey& key, const BlockName (&name)[N], WordBlock (&out)[N]) {
  for (int n = 0; n < N; ++n) {
    out[n] = PlainBlock(key.key, key.purpose, hn::GetLane(name[n].id), name[n].sample, hn::GetLane(name[n].block));
  }
}

template <int N>
HWY_INLINE void DrawBlocks(const DrawKey& key, const SharedBlockName (&name)[N], WordBlock (&out)[N]) {
  for (int n = 0; n < N; ++n) {
    const SharedBlock& block = *name[n].start;
    out[n] = PlainBlock(key.key, block.purpose, block.id, name[n].sample, block.block);
  }
}

#else

// A word in the low half of every 64-bit lane, for half of the samples. The high halves hold rubbish all along: the
// widening multiplication does not read them.
using WideTag = hn::Repartition<std::uint64_t, WordTag>;
using WideVec = hn::Vec<WideTag>;

struct WideWords {
  WideVec word[4];
};

// What a round xors to the high halves of its products and knows before it has them.
class EarlyWords {
 public:
#if HWY_TARGET <= HWY_AVX3
  // one operation xors all three
  HWY_INLINE void Set(int i, WideVec word, WideVec) { word_[i] = word; }
  HWY_INLINE WideVec XorTo(int i, WideVec high, WideVec key) const { return hn::Xor3(high, word_[i], key); }

 private:
  WideVec word_[2];
#else
  HWY_INLINE void Set(int i, WideVec word, WideVec key) { word_[i] = hn::Xor(word, key); }
  HWY_INLINE WideVec XorTo(int i, WideVec high, WideVec) const { return hn::Xor(high, word_[i]); }

 private:
  WideVec word_[2];
#endif
};

// Half of the samples between the two halves of a round: its multiplications are done, its xors are not.
struct PhiloxHalf {
  WideVec product[2];

  // The high half of every lane, in the low half. A shuffle, because Intel's wide shifts share a port with the wide
  // multiplications; the low half goes to the high one, as rubbish.
  static HWY_INLINE WideVec High(WideVec x) {
    return hn::BitCast(WideTag(), hn::Shuffle2301(hn::BitCast(WordTag(), x)));
  }

  // Three rounds at the price of one.
  static HWY_INLINE WideWords AfterThreeRounds(const SharedBlock& shared, WideVec sample) {
    // broadcast to both halves of every lane, which costs a load and nothing more
    const auto all = [](std::uint32_t word) HWY_ATTR { return hn::BitCast(WideTag(), hn::Set(WordTag(), word)); };
    const auto after2_word3 = Product(hn::Xor(sample, all(shared.after1_word0)), kPhiloxMultiplier0);
    const auto after2_word2 = hn::Xor(High(after2_word3), all(shared.after2_word2));
    const auto after3_word1 = Product(after2_word2, kPhiloxMultiplier1);
    return {{hn::Xor(High(after3_word1), all(shared.after3_word0)), after3_word1,
             hn::Xor(after2_word3, all(shared.after3_word2)), all(shared.after3_word3)}};
  }

  HWY_INLINE void Multiply(const WideWords& words, WideVec key0, WideVec key1, EarlyWords& early) {
    early.Set(0, words.word[1], key0);
    early.Set(1, words.word[3], key1);
    product[0] = Product(words.word[0], kPhiloxMultiplier0);
    product[1] = Product(words.word[2], kPhiloxMultiplier1);
    ComputeHere(product[0]);
    ComputeHere(product[1]);
  }

  // With the keys and the early words of the multiplications.
  HWY_INLINE WideWords Xor(WideVec key0, WideVec key1, const EarlyWords& early) const {
    return {{early.XorTo(0, High(product[1]), key0), product[1], early.XorTo(1, High(product[0]), key1), product[0]}};
  }

 private:
  static HWY_INLINE WideVec Product(WideVec word, std::uint32_t multiplier) {
    const WordTag dw;
    return hn::MulEven(hn::BitCast(dw, word), hn::Set(dw, multiplier));
  }
};

// The words of all samples from those of both halves.
HWY_INLINE WordBlock Joined(const WideWords& even, const WideWords& odd) {
  const WordTag dw;
  const auto join = [&](int w) HWY_ATTR {
    return hn::OddEven(hn::BitCast(dw, PhiloxHalf::High(odd.word[w])), hn::BitCast(dw, even.word[w]));
  };
  return {{join(0), join(1), join(2), join(3)}};
}

// Rounds first_round .. 9 of N blocks side by side: one block alone waits for its own multiplications most of the time.
// Blocks are told apart by constants, not by a loop: what a loop indexes GCC keeps in memory, and every round would
// wait for it.
template <int N, int... n>
HWY_INLINE void FinishBlocks(const DrawKey& key, int first_round, const WideWords (&even_words)[N],
                             const WideWords (&odd_words)[N], WordBlock (&out)[N], std::integer_sequence<int, n...>) {
  PhiloxHalf even[N];
  PhiloxHalf odd[N];
  EarlyWords even_early[N];
  EarlyWords odd_early[N];
  auto key0 = hn::Set(WideTag(), key.round0[first_round]);
  auto key1 = hn::Set(WideTag(), key.round1[first_round]);
  ((even[n].Multiply(even_words[n], key0, key1, even_early[n]),
    odd[n].Multiply(odd_words[n], key0, key1, odd_early[n])),
   ...);
#if HWY_TARGET == HWY_AVX2
#pragma GCC unroll 1  // every round finds its words where the one before did; GCC moves them about in straight code
#endif
  for (int round = first_round + 1; round < kPhiloxRounds; ++round) {
    const auto next_key0 = hn::Set(WideTag(), key.round0[round]);
    const auto next_key1 = hn::Set(WideTag(), key.round1[round]);
    ((even[n].Multiply(even[n].Xor(key0, key1, even_early[n]), next_key0, next_key1, even_early[n]),
      odd[n].Multiply(odd[n].Xor(key0, key1, odd_early[n]), next_key0, next_key1, odd_early[n])),
     ...);
    key0 = next_key0;
    key1 = next_key1;
  }
  ((out[n] = Joined(even[n].Xor(key0, key1, even_early[n]), odd[n].Xor(key0, key1, odd_early[n]))), ...);
}

template <int N>
HWY_INLINE void DrawBlocks(const DrawKey& key, const BlockName (&name)[N], WordBlock (&out)[N]) {
  const WideTag dwide;
  const auto purpose = hn::Set(dwide, static_cast<std::uint64_t>(key.purpose));
  WideWords even[N];
  WideWords odd[N];
  for (int n = 0; n < N; ++n) {
    const auto block = hn::BitCast(dwide, name[n].block);
    const auto sample = hn::BitCast(dwide, name[n].sample);
    const auto id = hn::BitCast(dwide, name[n].id);
    even[n] = {{block, sample, id, purpose}};
    odd[n] = {{PhiloxHalf::High(block), PhiloxHalf::High(sample), PhiloxHalf::High(id), purpose}};
  }
  FinishBlocks(key, 0, even, odd, out, std::make_integer_sequence<int, N>());
}

template <int N>
HWY_INLINE void DrawBlocks(const DrawKey& key, const SharedBlockName (&name)[N], WordBlock (&out)[N]) {
  const WideTag dwide;
  WideWords even[N];
  WideWords odd[N];
  for (int n = 0; n < N; ++n) {
    const auto sample = hn::BitCast(dwide, name[n].sample);
    even[n] = PhiloxHalf::AfterThreeRounds(*name[n].start, sample);
    odd[n] = PhiloxHalf::AfterThreeRounds(*name[n].start, PhiloxHalf::High(sample));
  }
  FinishBlocks(key, 3, even, odd, out, std::make_integer_sequence<int, N>());
}

#endif  // HWY_TARGET == HWY_SCALAR

}  // namespace aria::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
