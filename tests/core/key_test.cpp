#include "aria/core/key.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>

namespace aria {
namespace {

constexpr Purpose kPurposes[] = {Purpose::kChild,     Purpose::kPerturbation, Purpose::kTaskNoise,
                                 Purpose::kVariation, Purpose::kSelection,    Purpose::kInitial};

TEST(Key, IsTheSeedInTwoWords) {
  EXPECT_EQ(Key(0x0123456789abcdefu).words(), (PhiloxKey{0x89abcdefu, 0x01234567u}));
  EXPECT_EQ(Key(), Key(0));
}

TEST(Key, NamesTheSameChildEveryTime) {
  EXPECT_EQ(Key(7).child(3).child(5), Key(7).child(3).child(5));
  EXPECT_EQ(Key(7).bits(Purpose::kInitial, 1, 2, 3), Key(7).bits(Purpose::kInitial, 1, 2, 3));
}

TEST(Key, HasChildrenThatDifferFromEachOtherAndFromTheParent) {
  std::set<PhiloxKey> seen;
  std::size_t made = 0;
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32, ~std::uint64_t{0}}) {
    const Key key(seed);
    seen.insert(key.words());
    ++made;
    for (std::uint64_t name = 0; name < 1000; ++name) {
      seen.insert(key.child(name).words());
      seen.insert(key.child(name << 32 | 1u << 31).words());
      seen.insert(key.child(0).child(name).words());
      made += 3;
    }
  }
  EXPECT_EQ(seen.size(), made);
}

TEST(Key, UsesAllOfAName) {
  EXPECT_NE(Key(1).child(5), Key(1).child(5 + (std::uint64_t{1} << 32)));
  EXPECT_NE(Key(1).child(5), Key(1).child(5 + (std::uint64_t{1} << 63)));
}

TEST(Key, MindsTheOrderOfNames) { EXPECT_NE(Key(1).child(2).child(3), Key(1).child(3).child(2)); }

TEST(Key, GivesOtherBitsForEveryPartOfAName) {
  std::set<PhiloxCounter> seen;
  std::size_t made = 0;
  for (const std::uint64_t seed : {1u, 2u}) {
    for (const Purpose purpose : kPurposes) {
      for (std::uint32_t id = 0; id < 5; ++id) {
        for (std::uint32_t sample = 0; sample < 5; ++sample) {
          for (std::uint32_t block = 0; block < 5; ++block, ++made) {
            seen.insert(Key(seed).bits(purpose, id, sample, block));
          }
        }
      }
    }
  }
  EXPECT_EQ(seen.size(), made);
}

// What names a child is not what names a draw: neither may hand out the other's bits.
TEST(Key, DoesNotShareBitsBetweenChildrenAndDraws) {
  const Key key(11);
  std::set<PhiloxKey> children;
  for (std::uint64_t name = 0; name < 100; ++name) children.insert(key.child(name).words());
  for (const Purpose purpose : kPurposes) {
    if (purpose == Purpose::kChild) continue;
    for (std::uint32_t block = 0; block < 100; ++block) {
      const PhiloxCounter bits = key.bits(purpose, 0, 0, block);
      EXPECT_FALSE(children.contains({bits[0], bits[1]}));
    }
  }
}

// Words of neighbouring keys agree bit by bit about half of the time, as independent words do.
TEST(Key, HasChildrenWhoseDrawsAreUnrelated) {
  constexpr std::uint32_t kDraws = 4000;
  const auto agreement = [](Key a, Key b) {
    double agreeing = 0;
    for (std::uint32_t i = 0; i < kDraws; ++i) {
      const std::uint32_t different = a.bits(Purpose::kTaskNoise, 0, i, 0)[0] ^ b.bits(Purpose::kTaskNoise, 0, i, 0)[0];
      agreeing += 32 - __builtin_popcount(different);
    }
    return agreeing / (32.0 * kDraws);
  };
  // 128000 bits: a standard deviation is 0.0014
  EXPECT_NEAR(agreement(Key(5), Key(6)), 0.5, 0.007);
  EXPECT_NEAR(agreement(Key(5), Key(5).child(0)), 0.5, 0.007);
  EXPECT_NEAR(agreement(Key(5).child(0), Key(5).child(1)), 0.5, 0.007);
  EXPECT_NEAR(agreement(Key(5).child(0), Key(6).child(0)), 0.5, 0.007);
  EXPECT_NEAR(agreement(Key(5).child(1).child(2), Key(5).child(2).child(1)), 0.5, 0.007);
}

}  // namespace
}  // namespace aria
