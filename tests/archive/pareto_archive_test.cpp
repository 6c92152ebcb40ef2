#include "aria/archive/pareto_archive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "tests/support/messages.hpp"

namespace aria {
namespace {

using aria::testing::message_of;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t kNoBound = 1000;

// Ten cells on a line from 0 to 10: the cell of a descriptor is its whole part. Genotypes are two numbers long.
ParetoArchive line_archive(std::size_t front_size = kNoBound) {
  return ParetoArchive(Grid({{10}, {0}, {10}}), 2, front_size);
}

struct Candidate {
  float name;  // the genotype is {name, -name}
  float fitness;
  float reproducibility;
  float descriptor = 4.5f;
};

ParetoArchive::Insertion insert(ParetoArchive& archive, const std::vector<Candidate>& candidates) {
  Matrix genotypes(0, 2);
  Matrix descriptors(0, 1);
  std::vector<float> fitness;
  std::vector<float> reproducibility;
  for (const Candidate& candidate : candidates) {
    genotypes.append_row(std::vector{candidate.name, -candidate.name});
    descriptors.append_row(std::vector{candidate.descriptor});
    fitness.push_back(candidate.fitness);
    reproducibility.push_back(candidate.reproducibility);
  }
  return archive.insert(genotypes, fitness, reproducibility, descriptors);
}

// The names in the front of a cell, from the fittest on.
std::vector<float> front(const ParetoArchive& archive, std::size_t cell = 4) {
  std::vector<float> result;
  for (std::size_t slot = 0; slot < archive.size(); ++slot) {
    if (archive.cell(slot) != cell) continue;
    for (std::size_t i = 0; i < archive.members(slot); ++i) {
      EXPECT_EQ(archive.genotype(slot, i)[1], -archive.genotype(slot, i)[0]);
      result.push_back(archive.genotype(slot, i)[0]);
    }
  }
  return result;
}

double by_fitness(float fitness, float) { return static_cast<double>(fitness); }

std::vector<Candidate> random_candidates(std::size_t count, std::uint32_t seed, bool coarse = false) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> objective(-5, 5);
  std::uniform_real_distribution<float> descriptor(-2, 12);
  std::vector<Candidate> result;
  for (std::size_t i = 0; i < count; ++i) {
    Candidate c{static_cast<float>(i + 1), objective(random), objective(random), descriptor(random)};
    // many duplicates and ties
    if (coarse) c.fitness = std::round(c.fitness), c.reproducibility = std::round(c.reproducibility);
    result.push_back(c);
  }
  return result;
}

// --- Construction --------------------------------------------------------------------------------------------------

TEST(ParetoArchive, StartsEmpty) {
  const ParetoArchive archive = line_archive();
  EXPECT_EQ(archive.size(), 0u);
  EXPECT_EQ(archive.parameters(), 2u);
  EXPECT_EQ(archive.table(by_fitness).size(), 0u);
}

TEST(ParetoArchive, RefusesWhatNoArchiveCanBe) {
  EXPECT_THAT(message_of([] {
                ParetoArchive(Grid({{10}, {0}, {10}}), 0, 5);
              }),
              AllOf(HasSubstr("genotype"), HasSubstr("at least one parameter")));
  EXPECT_THAT(message_of([] { line_archive(0); }), AllOf(HasSubstr("front"), HasSubstr(">= 1"), HasSubstr("got 0")));
}

// --- Dominance -----------------------------------------------------------------------------------------------------

TEST(ParetoArchive, KeepsACandidateWithAllItsParts) {
  ParetoArchive archive = line_archive();
  const auto report = insert(archive, {{1, -3, -2, 4.5f}});
  EXPECT_EQ(report.added, 1u);
  EXPECT_EQ(report.kept, 1u);
  EXPECT_EQ(report.failed, 0u);
  ASSERT_EQ(archive.size(), 1u);
  ASSERT_EQ(archive.members(0), 1u);
  EXPECT_EQ(archive.cell(0), 4u);
  EXPECT_EQ(archive.fitness(0, 0), -3);
  EXPECT_EQ(archive.reproducibility(0, 0), -2);
  EXPECT_THAT(archive.genotype(0, 0), ElementsAre(1, -1));
  EXPECT_THAT(archive.descriptor(0, 0), ElementsAre(4.5f));
  EXPECT_EQ(archive.best_fitness(), -3);
}

TEST(ParetoArchive, KeepsWhatNoOtherDominatesFromTheFittestOn) {
  ParetoArchive archive = line_archive();
  insert(archive, {{1, 2, 2}, {2, 3, 1}, {3, 1, 3}});
  EXPECT_THAT(front(archive), ElementsAre(2, 1, 3));
}

TEST(ParetoArchive, RefusesWhatIsDominatedInOneObjectiveOrBoth) {
  ParetoArchive archive = line_archive();
  insert(archive, {{1, 2, 2}});
  for (const Candidate& worse : {Candidate{2, 1, 1}, Candidate{3, 2, 1}, Candidate{4, 1, 2}}) {
    const auto report = insert(archive, {worse});
    EXPECT_EQ(report.kept, 0u) << worse.name;
    EXPECT_THAT(front(archive), ElementsAre(1)) << worse.name;
  }
}

TEST(ParetoArchive, DropsEverythingThatANewcomerDominates) {
  ParetoArchive archive = line_archive();
  insert(archive, {{1, 5, 0}, {2, 4, 1}, {3, 3, 2}, {4, 2, 3}, {5, 1, 4}});
  EXPECT_EQ(insert(archive, {{6, 4, 3}}).kept, 1u);
  EXPECT_THAT(front(archive), ElementsAre(1, 6, 5));
  insert(archive, {{7, 5, 3}});
  EXPECT_THAT(front(archive), ElementsAre(7, 5));
  insert(archive, {{8, 9, 9}});
  EXPECT_THAT(front(archive), ElementsAre(8));
}

TEST(ParetoArchive, ReplacesAnEquallyGoodObjectiveByABetterOther) {
  ParetoArchive archive = line_archive();
  insert(archive, {{1, 2, 2}, {2, 1, 3}});
  insert(archive, {{3, 2, 2.5f}, {4, 1.5f, 3}});
  EXPECT_THAT(front(archive), ElementsAre(3, 4));
}

TEST(ParetoArchive, KeepsAFrontPerCell) {
  ParetoArchive archive = line_archive();
  const auto report = insert(archive, {{1, 1, 1, 0.5f}, {2, 9, 9, 4.5f}, {3, 0, 2, -100}, {4, 1, 1, 100}});
  EXPECT_EQ(report.added, 3u);
  EXPECT_EQ(report.kept, 4u);
  EXPECT_THAT(front(archive, 0), ElementsAre(1, 3));
  EXPECT_THAT(front(archive, 4), ElementsAre(2));
  EXPECT_THAT(front(archive, 9), ElementsAre(4));
  EXPECT_EQ(archive.best_fitness(), 9);
}

TEST(ParetoArchive, AgreesWithAPlainSearchForTheNonDominated) {
  for (const bool coarse : {false, true}) {
    const std::vector<Candidate> candidates = random_candidates(600, 3, coarse);
    ParetoArchive archive = line_archive();
    std::size_t first = 0;
    for (const std::size_t batch : {1u, 9u, 90u, 500u}) {
      insert(archive, {candidates.begin() + static_cast<std::ptrdiff_t>(first),
                       candidates.begin() + static_cast<std::ptrdiff_t>(first + batch)});
      first += batch;
    }
    ASSERT_EQ(first, candidates.size());
    for (std::size_t cell = 0; cell < 10; ++cell) {
      std::set<std::pair<float, float>> expected;
      for (const Candidate& a : candidates) {
        const auto cell_of = [](const Candidate& c) {
          return static_cast<std::size_t>(std::clamp(c.descriptor, 0.0f, 9.0f));
        };
        if (cell_of(a) != cell) continue;
        const bool dominated = std::ranges::any_of(candidates, [&](const Candidate& b) {
          return cell_of(b) == cell && b.fitness >= a.fitness && b.reproducibility >= a.reproducibility &&
                 (b.fitness > a.fitness || b.reproducibility > a.reproducibility);
        });
        if (!dominated) expected.insert({a.fitness, a.reproducibility});
      }
      std::set<std::pair<float, float>> found;
      for (const float name : front(archive, cell)) {
        const Candidate& c = candidates[static_cast<std::size_t>(name) - 1];
        EXPECT_TRUE(found.insert({c.fitness, c.reproducibility}).second) << "twice in the front";
      }
      EXPECT_EQ(found, expected) << "cell " << cell;
    }
  }
}

// --- Duplicates ----------------------------------------------------------------------------------------------------

TEST(ParetoArchive, KeepsWhatWasThereBeforeADuplicate) {
  ParetoArchive archive = line_archive();
  insert(archive, {{5, 2, 2}});
  EXPECT_EQ(insert(archive, {{1, 2, 2}, {9, 2, 2}}).kept, 0u);
  EXPECT_THAT(front(archive), ElementsAre(5));
}

TEST(ParetoArchive, ChoosesAmongDuplicatesOfABatchByTheirGenotypes) {
  for (const std::vector<float>& order : {std::vector<float>{3, 1, 2}, {1, 2, 3}, {2, 3, 1}}) {
    ParetoArchive archive = line_archive();
    std::vector<Candidate> candidates;
    for (const float name : order) candidates.push_back({name, 2, 2});
    EXPECT_EQ(insert(archive, candidates).kept, 1u);
    EXPECT_THAT(front(archive), ElementsAre(1));
  }
}

TEST(ParetoArchive, ChoosesAmongDuplicatesOfOneGenotypeByTheirDescriptors) {
  for (const bool turned : {false, true}) {
    ParetoArchive archive = line_archive();
    std::vector<Candidate> candidates = {{1, 2, 2, 4.75f}, {1, 2, 2, 4.25f}};
    if (turned) std::ranges::reverse(candidates);
    insert(archive, candidates);
    ASSERT_EQ(archive.members(0), 1u);
    EXPECT_THAT(archive.descriptor(0, 0), ElementsAre(4.25f));
  }
}

// --- Crowding out --------------------------------------------------------------------------------------------------

TEST(ParetoArchive, CrowdsOutTheOneWithTheNearestNeighbours) {
  ParetoArchive archive = line_archive(4);
  insert(archive, {{1, 10, 0}, {2, 9, 5}, {3, 8.5f, 5.5f}, {4, 0, 10}});
  EXPECT_THAT(front(archive), ElementsAre(1, 2, 3, 4));
  // widths 10 and 10: 2 has neighbours (10 - 8.7) + (5.3 - 0), the new one (9 - 8.5) + (5.5 - 5), 3 far ones
  EXPECT_EQ(insert(archive, {{5, 8.7f, 5.3f}}).kept, 0u);
  EXPECT_THAT(front(archive), ElementsAre(1, 2, 3, 4));
  // far from all: now 2 or 3 is too near the others; 3: (9 - 4) + (8 - 5), 2: (10 - 8.5) + (5.5 - 0)
  EXPECT_EQ(insert(archive, {{6, 4, 8}}).kept, 1u);
  EXPECT_THAT(front(archive), ElementsAre(1, 3, 6, 4));
}

TEST(ParetoArchive, MeasuresCrowdingRelativeToTheWidthOfTheFront) {
  // the reproducibility spans a thousandth of the fitness, and counts as much
  ParetoArchive archive = line_archive(3);
  insert(archive, {{1, 1000, 0}, {2, 900, 0.4f}, {3, 400, 0.5f}, {4, 0, 1}});
  // 2: 600/1000 + 0.5/1; 3: 900/1000 + 0.6/1
  EXPECT_THAT(front(archive), ElementsAre(1, 3, 4));
}

TEST(ParetoArchive, DropsTheLessFitOfEquallyCrowded) {
  ParetoArchive archive = line_archive(3);
  insert(archive, {{1, 3, 0}, {2, 2, 1}, {3, 1, 2}, {4, 0, 3}});
  EXPECT_THAT(front(archive), ElementsAre(1, 2, 4));
}

TEST(ParetoArchive, NeverCrowdsOutTheEndsOfAFront) {
  for (const std::size_t bound : {2u, 3u, 10u}) {
    ParetoArchive archive = line_archive(bound);
    float fittest = -1;
    float steadiest = -1;
    for (std::uint32_t round = 0; round < 20; ++round) {
      std::vector<Candidate> candidates = random_candidates(40, round);
      for (Candidate& c : candidates) {
        // on a quarter of a circle nothing dominates
        const float angle = 0.157f * (c.fitness + 5);
        c = {c.name, std::cos(angle), std::sin(angle)};
        fittest = std::max(fittest, c.fitness);
        steadiest = std::max(steadiest, c.reproducibility);
      }
      insert(archive, candidates);
      ASSERT_EQ(archive.members(0), bound);
      EXPECT_EQ(archive.fitness(0, 0), fittest);
      EXPECT_EQ(archive.reproducibility(0, bound - 1), steadiest);
    }
  }
}

TEST(ParetoArchive, KeepsTheFittestWhereThereIsRoomForOne) {
  ParetoArchive archive = line_archive(1);
  insert(archive, {{1, 2, 2}, {2, 1, 3}, {3, 3, 1}});
  EXPECT_THAT(front(archive), ElementsAre(3));
  insert(archive, {{4, 2, 9}});
  EXPECT_THAT(front(archive), ElementsAre(3));
  insert(archive, {{5, 3, 2}});
  EXPECT_THAT(front(archive), ElementsAre(5));
}

// --- Order and batches ---------------------------------------------------------------------------------------------

// Everything that is in an archive, cell by cell.
std::vector<std::vector<float>> content(const ParetoArchive& archive) {
  std::vector<std::vector<float>> result;
  for (std::size_t cell = 0; cell < 10; ++cell) result.push_back(front(archive, cell));
  return result;
}

TEST(ParetoArchive, HoldsTheSameWhateverTheOrderWithinABatch) {
  for (const bool coarse : {false, true}) {
    for (const std::size_t bound : {1u, 2u, 3u, 5u, 50u}) {
      std::vector<std::vector<Candidate>> batches;
      for (std::uint32_t b = 0; b < 6; ++b) {
        batches.push_back(random_candidates(200, b, coarse));
        for (Candidate& c : batches.back()) c.name += static_cast<float>(1000 * b);
      }
      std::mt19937 random(7);
      std::vector<std::vector<std::vector<float>>> contents;
      for (int shuffle = 0; shuffle < 4; ++shuffle) {
        ParetoArchive archive = line_archive(bound);
        for (std::vector<Candidate>& batch : batches) {
          insert(archive, batch);
          std::ranges::shuffle(batch, random);
        }
        contents.push_back(content(archive));
      }
      for (const auto& other : contents) EXPECT_EQ(other, contents[0]) << "bound " << bound;
      EXPECT_FALSE(contents[0][4].empty());
    }
  }
}

TEST(ParetoArchive, TakesABatchOfNothing) {
  ParetoArchive archive = line_archive();
  const auto report = insert(archive, {});
  EXPECT_EQ(report.added + report.kept + report.failed, 0u);
  EXPECT_EQ(archive.size(), 0u);
}

TEST(ParetoArchive, CountsAndNeverKeepsWhatIsNotFinite) {
  ParetoArchive archive = line_archive();
  const auto report = insert(archive, {{1, kNaN, 1},
                                       {2, kInfinity, 1},
                                       {3, 1, kNaN},
                                       {4, 1, -kInfinity},
                                       {5, 1, 1, kNaN},
                                       {6, 1, 1, kInfinity},
                                       {7, 1, 1}});
  EXPECT_EQ(report.failed, 6u);
  EXPECT_EQ(report.kept, 1u);
  EXPECT_EQ(archive.size(), 1u);
  EXPECT_THAT(front(archive), ElementsAre(7));
}

TEST(ParetoArchive, RefusesABatchOfTheWrongShape) {
  ParetoArchive archive = line_archive();
  const std::vector<float> two = {1, 2};
  const std::vector<float> one = {1};
  EXPECT_THAT(message_of([&] { archive.insert(Matrix(2, 3), two, two, Matrix(2, 1)); }),
              AllOf(HasSubstr("genotype"), HasSubstr("2 parameters long"), HasSubstr("got 3")));
  EXPECT_THAT(message_of([&] { archive.insert(Matrix(2, 2), two, two, Matrix(2, 2)); }),
              AllOf(HasSubstr("descriptor"), HasSubstr("1 numbers long"), HasSubstr("got 2")));
  EXPECT_THAT(message_of([&] { archive.insert(Matrix(2, 2), two, one, Matrix(2, 1)); }),
              AllOf(HasSubstr("batch"), HasSubstr("2 rows"), HasSubstr("2, 1 and 2")));
  EXPECT_THAT(message_of([&] { archive.insert(Matrix(2, 2), one, two, Matrix(2, 1)); }), HasSubstr("1, 2 and 2"));
  EXPECT_THAT(message_of([&] { archive.insert(Matrix(2, 2), two, two, Matrix(1, 1)); }), HasSubstr("2, 2 and 1"));
  EXPECT_EQ(archive.size(), 0u);
}

// --- As a table ----------------------------------------------------------------------------------------------------

TEST(ParetoArchive, TabulatesTheBestOfEachFrontInTheOrderOfTheCells) {
  ParetoArchive archive = line_archive();
  insert(archive, {{1, 2, 2, 8.5f}, {2, 3, 1, 8.25f}, {3, 1, 3, 8.75f}, {4, 5, 0, 0.5f}, {5, 4, 8, 0.25f}});
  const ArchiveTable fittest = archive.table(by_fitness);
  EXPECT_THAT(fittest.index, ElementsAre(0, 8));
  EXPECT_THAT(fittest.objective, ElementsAre(5, 3));
  EXPECT_EQ(fittest.solution, Matrix(2, 2, {4, -4, 2, -2}));
  EXPECT_EQ(fittest.measures, Matrix(2, 1, {0.5f, 8.25f}));
  EXPECT_EQ(fittest.grid, archive.grid());
  const auto steady = [](float, float reproducibility) { return static_cast<double>(reproducibility); };
  EXPECT_THAT(archive.table(steady).objective, ElementsAre(4, 1));
  // of equals the fittest
  EXPECT_THAT(archive.table([](float, float) { return 0.0; }).objective, ElementsAre(5, 3));
  EXPECT_THAT(archive.table([](float f, float r) { return static_cast<double>(f + r); }).objective, ElementsAre(4, 3));
}

// --- Saving --------------------------------------------------------------------------------------------------------

ParetoArchive filled_archive() {
  ParetoArchive archive = line_archive(5);
  for (std::uint32_t seed = 0; seed < 5; ++seed) insert(archive, random_candidates(60, seed));
  return archive;
}

TEST(ParetoArchive, ComesBackFromItsState) {
  ParetoArchive original = filled_archive();
  ParetoArchive copy = line_archive(5);
  copy.load(original.save());
  EXPECT_EQ(copy.save(), original.save());
  EXPECT_EQ(content(copy), content(original));
  EXPECT_EQ(copy.table(by_fitness), original.table(by_fitness));
  // and goes on the same way, though its solutions lie elsewhere in memory
  for (std::uint32_t seed = 10; seed < 15; ++seed) {
    insert(original, random_candidates(50, seed));
    insert(copy, random_candidates(50, seed));
  }
  EXPECT_EQ(copy.save(), original.save());
}

TEST(ParetoArchive, ForgetsWhatItHeldWhenItIsLoaded) {
  ParetoArchive archive = filled_archive();
  archive.load(line_archive(5).save());
  EXPECT_EQ(archive.size(), 0u);
  insert(archive, {{1, 1, 1}});
  EXPECT_THAT(front(archive), ElementsAre(1));
}

TEST(ParetoArchive, RefusesAHostileStateAndStaysAsItWas) {
  const ParetoArchive original = filled_archive();
  const State good = original.save();
  const std::size_t slots = original.size();
  const std::size_t count = good.get<float>("fitness").size();
  ParetoArchive archive = original;
  const auto rejected = [&](const char* name, auto values) {
    State state = good;
    state.put(name, values);
    std::string message = message_of([&] { archive.load(state); });
    EXPECT_EQ(archive.save(), good) << name;
    return message;
  };
  auto cells = good.get<std::int64_t>("cells");
  cells[1] = 10;
  EXPECT_THAT(rejected("cells", cells), AllOf(HasSubstr("cell"), HasSubstr("0 .. 9"), HasSubstr("got 10")));
  cells[1] = std::numeric_limits<std::int64_t>::min();
  EXPECT_THAT(rejected("cells", cells), HasSubstr("0 .. 9"));
  cells[1] = cells[0];
  EXPECT_THAT(rejected("cells", cells), HasSubstr("named once"));

  auto sizes = good.get<std::int64_t>("sizes");
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{6}, std::int64_t{1} << 62}) {
    sizes[0] = size;
    EXPECT_THAT(rejected("sizes", sizes), AllOf(HasSubstr("size of a saved front"), HasSubstr("from 1 to 5")));
  }
  sizes = good.get<std::int64_t>("sizes");
  --sizes[slots - 1];
  ASSERT_GE(sizes[slots - 1], 1);
  EXPECT_THAT(rejected("sizes", sizes), HasSubstr("solutions long"));
  EXPECT_THAT(rejected("sizes", std::vector<std::int64_t>(slots + 1, 1)), HasSubstr("'sizes'"));

  auto fitness = good.get<float>("fitness");
  ASSERT_GE(good.get<std::int64_t>("sizes")[0], 2);
  std::swap(fitness[0], fitness[1]);
  EXPECT_THAT(rejected("fitness", fitness), HasSubstr("order of a Pareto front"));
  fitness[0] = kInfinity;
  EXPECT_THAT(rejected("fitness", fitness), HasSubstr("finite"));
  auto reproducibility = good.get<float>("reproducibility");
  reproducibility[1] = kNaN;
  EXPECT_THAT(rejected("reproducibility", reproducibility), HasSubstr("finite"));
  EXPECT_THAT(rejected("reproducibility", std::vector<float>(count - 1)), HasSubstr("'reproducibility'"));
  EXPECT_THAT(rejected("genotypes", std::vector<float>(2 * count + 1)), HasSubstr("'genotypes'"));
  EXPECT_THAT(rejected("descriptors", std::vector<float>(count + 1)), HasSubstr("'descriptors'"));
  for (const char* name : {"cells", "sizes", "fitness", "reproducibility", "genotypes", "descriptors"}) {
    State state = good;
    state.arrays().erase(name);
    EXPECT_THAT(message_of([&] { archive.load(state); }), AllOf(HasSubstr(name), HasSubstr("missing")));
    EXPECT_EQ(archive.save(), good) << name;
  }
}

}  // namespace
}  // namespace aria
