#include "aria/archive/archive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
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

// Ten cells on a line from 0 to 10: the cell of a descriptor is its whole part. Genotypes are two numbers long.
Archive line_archive() { return Archive(Grid({{10}, {0}, {10}}), 2); }

struct Candidate {
  float name;  // the genotype is {name, -name}
  float fitness;
  float descriptor;
};

Archive::Insertion insert(Archive& archive, const std::vector<Candidate>& candidates) {
  Matrix genotypes;
  Matrix descriptors;
  std::vector<float> fitness;
  for (const Candidate& candidate : candidates) {
    genotypes.append_row(std::vector{candidate.name, -candidate.name});
    descriptors.append_row(std::vector{candidate.descriptor});
    fitness.push_back(candidate.fitness);
  }
  return archive.insert(genotypes, fitness, descriptors);
}

// The name of the elite in a cell, 0 where there is none.
float elite(const Archive& archive, std::size_t cell) {
  for (std::size_t slot = 0; slot < archive.size(); ++slot) {
    if (archive.cell(slot) == cell) return archive.genotype(slot)[0];
  }
  return 0;
}

TEST(Archive, StartsEmpty) {
  const Archive archive = line_archive();
  EXPECT_EQ(archive.size(), 0u);
  EXPECT_EQ(archive.parameters(), 2u);
  for (std::size_t cell = 0; cell < 10; ++cell) EXPECT_FALSE(archive.occupied(cell));
  EXPECT_EQ(archive.table().size(), 0u);
}

TEST(Archive, RefusesGenotypesWithoutParameters) {
  EXPECT_THAT(message_of([] {
                Archive(Grid({{10}, {0}, {10}}), 0);
              }),
              AllOf(HasSubstr("genotype"), HasSubstr("at least one parameter")));
}

TEST(Archive, KeepsACandidateWithAllItsParts) {
  Archive archive = line_archive();
  const auto report = insert(archive, {{1, -3, 4.5f}});
  EXPECT_EQ(report.added, 1u);
  EXPECT_EQ(report.improved, 0u);
  EXPECT_EQ(report.failed, 0u);
  ASSERT_EQ(archive.size(), 1u);
  EXPECT_EQ(archive.cell(0), 4u);
  EXPECT_TRUE(archive.occupied(4));
  EXPECT_THAT(archive.genotype(0), ElementsAre(1, -1));
  EXPECT_EQ(archive.fitness(0), -3);
  EXPECT_THAT(archive.descriptor(0), ElementsAre(4.5f));
  EXPECT_EQ(archive.best_fitness(), -3);
}

TEST(Archive, KeepsTheBestOfABatchInEachCell) {
  Archive archive = line_archive();
  const auto report = insert(archive, {{1, 5, 4.1f}, {2, 7, 4.9f}, {3, 6, 4.5f}, {4, 1, 0.5f}});
  EXPECT_EQ(report.added, 2u);
  EXPECT_EQ(report.improved, 0u);
  EXPECT_EQ(elite(archive, 4), 2);
  EXPECT_EQ(elite(archive, 0), 4);
  EXPECT_EQ(archive.best_fitness(), 7);
}

TEST(Archive, KeepsTheFirstOfEqualsInABatch) {
  Archive archive = line_archive();
  insert(archive, {{1, 5, 4.1f}, {2, 5, 4.9f}});
  EXPECT_EQ(elite(archive, 4), 1);
}

TEST(Archive, ReplacesAnEliteOnlyByAStrictlyBetterOne) {
  Archive archive = line_archive();
  insert(archive, {{1, 5, 4.1f}});
  EXPECT_EQ(insert(archive, {{2, 5, 4.2f}}).improved, 0u);
  EXPECT_EQ(insert(archive, {{3, 4, 4.3f}}).improved, 0u);
  EXPECT_EQ(elite(archive, 4), 1);
  EXPECT_EQ(insert(archive, {{4, 5.0001f, 4.4f}}).improved, 1u);
  EXPECT_EQ(elite(archive, 4), 4);
  EXPECT_THAT(archive.descriptor(0), ElementsAre(4.4f));
  EXPECT_EQ(archive.size(), 1u);
}

TEST(Archive, CountsACellOnceHoweverOftenABatchImprovesIt) {
  Archive archive = line_archive();
  insert(archive, {{1, 0, 4}});
  const auto report = insert(archive, {{2, 1, 4}, {3, 2, 4}, {4, 3, 4}, {5, 1, 6}, {6, 2, 6}});
  EXPECT_EQ(report.improved, 1u);
  EXPECT_EQ(report.added, 1u);
  EXPECT_EQ(elite(archive, 4), 4);
  EXPECT_EQ(elite(archive, 6), 6);
}

TEST(Archive, CountsAndNeverKeepsWhatIsNotFinite) {
  Archive archive = line_archive();
  const auto report = insert(
      archive,
      {{1, kNaN, 1}, {2, kInfinity, 1}, {3, -kInfinity, 1}, {4, 9, kNaN}, {5, 9, kInfinity}, {6, 9, -kInfinity}});
  EXPECT_EQ(report.failed, 6u);
  EXPECT_EQ(report.added, 0u);
  EXPECT_EQ(archive.size(), 0u);
  insert(archive, {{7, 1, 1}});
  EXPECT_EQ(insert(archive, {{8, kInfinity, 1}, {9, 2, 1}}).failed, 1u);
  EXPECT_EQ(elite(archive, 1), 9);
}

TEST(Archive, CountsWhatFallsOutsideTheGridForTheNearestCell) {
  Archive archive = line_archive();
  insert(archive, {{1, 0, -100}, {2, 0, 100}});
  EXPECT_EQ(elite(archive, 0), 1);
  EXPECT_EQ(elite(archive, 9), 2);
}

TEST(Archive, TakesABatchOfNothing) {
  Archive archive = line_archive();
  const auto report = archive.insert(Matrix(0, 2), {}, Matrix(0, 1));
  EXPECT_EQ(report.added + report.improved + report.failed, 0u);
  EXPECT_EQ(archive, line_archive());
}

std::vector<Candidate> random_candidates(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> fitness(-5, 5);
  std::uniform_real_distribution<float> descriptor(-2, 12);
  std::vector<Candidate> result;
  for (std::size_t i = 0; i < count; ++i) {
    result.push_back({static_cast<float>(i + 1), fitness(random), descriptor(random)});
  }
  return result;
}

TEST(Archive, HoldsTheSameElitesWhateverTheOrderAndTheBatches) {
  std::vector<Candidate> candidates = random_candidates(300, 1);
  Archive together = line_archive();
  insert(together, candidates);
  std::mt19937 random(2);
  for (const std::size_t batch : {1u, 7u, 300u}) {
    std::ranges::shuffle(candidates, random);
    Archive archive = line_archive();
    for (std::size_t first = 0; first < candidates.size(); first += batch) {
      const auto last = candidates.begin() + static_cast<std::ptrdiff_t>(std::min(first + batch, candidates.size()));
      insert(archive, {candidates.begin() + static_cast<std::ptrdiff_t>(first), last});
    }
    EXPECT_EQ(archive.table(), together.table()) << "batches of " << batch;
  }
}

TEST(Archive, AgreesWithAPlainSearchForTheBest) {
  const std::vector<Candidate> candidates = random_candidates(500, 3);
  Archive archive = line_archive();
  insert(archive, candidates);
  for (std::size_t cell = 0; cell < 10; ++cell) {
    const Candidate* best = nullptr;
    for (const Candidate& candidate : candidates) {
      const auto place = static_cast<std::size_t>(std::clamp(candidate.descriptor, 0.0f, 9.0f));
      if (place == cell && (best == nullptr || candidate.fitness > best->fitness)) best = &candidate;
    }
    ASSERT_NE(best, nullptr);
    EXPECT_EQ(elite(archive, cell), best->name);
  }
}

TEST(Archive, RefusesABatchOfTheWrongShape) {
  Archive archive = line_archive();
  const std::vector<float> fitness = {1, 2};
  EXPECT_THAT(message_of([&] { archive.insert(Matrix(2, 3), fitness, Matrix(2, 1)); }),
              AllOf(HasSubstr("genotype"), HasSubstr("2 parameters long"), HasSubstr("got 3")));
  EXPECT_THAT(message_of([&] { archive.insert(Matrix(2, 2), fitness, Matrix(2, 2)); }),
              AllOf(HasSubstr("descriptor"), HasSubstr("1 numbers long"), HasSubstr("got 2")));
  EXPECT_THAT(message_of([&] { archive.insert(Matrix(3, 2), fitness, Matrix(3, 1)); }),
              AllOf(HasSubstr("batch"), HasSubstr("3 rows"), HasSubstr("2 and 3")));
  EXPECT_THAT(message_of([&] { archive.insert(Matrix(2, 2), fitness, Matrix(1, 1)); }), HasSubstr("2 and 1"));
  EXPECT_EQ(archive, line_archive());
}

TEST(Archive, TabulatesElitesInTheOrderOfTheirCells) {
  Archive archive = line_archive();
  insert(archive, {{1, 10, 8.5f}, {2, 20, 0.5f}, {3, 30, 4.5f}});
  const ArchiveTable table = archive.table();
  EXPECT_THAT(table.index, ElementsAre(0, 4, 8));
  EXPECT_THAT(table.objective, ElementsAre(20, 30, 10));
  EXPECT_EQ(table.solution, Matrix(3, 2, {2, -2, 3, -3, 1, -1}));
  EXPECT_EQ(table.measures, Matrix(3, 1, {0.5f, 4.5f, 8.5f}));
  EXPECT_EQ(table.grid, archive.grid());
  EXPECT_THAT(table.objective_mean, IsEmpty());
}

// --- Scores --------------------------------------------------------------------------------------------------------

Archive scored_archive() { return Archive(Grid({{10}, {0}, {10}}), 2, Archive::Rivalry::kScore); }

TEST(Archive, LetsSolutionsCompeteByTheirScoreAndKeepsTheirFitness) {
  Archive archive = scored_archive();
  const Matrix descriptors(2, 1, {4.25f, 4.75f});
  archive.insert(Matrix(2, 2, {1, 1, 2, 2}), std::vector<float>{9, 3}, descriptors, std::vector<float>{0.1f, 0.2f});
  EXPECT_THAT(archive.genotype(0), ElementsAre(2, 2));
  EXPECT_EQ(archive.fitness(0), 3);
  EXPECT_EQ(archive.best_fitness(), 3);
  const auto report = archive.insert(Matrix(2, 2, {3, 3, 4, 4}), std::vector<float>{50, 1}, descriptors,
                                     std::vector<float>{0.2f, 0.3f});
  EXPECT_EQ(report.improved, 1u);
  EXPECT_EQ(report.added, 0u);
  EXPECT_THAT(archive.genotype(0), ElementsAre(4, 4));
  EXPECT_THAT(archive.table().objective, ElementsAre(1));
}

TEST(Archive, RefusesScoresThatAreNotWantedAndMissesThoseThatAre) {
  Archive plain = line_archive();
  Archive scored = scored_archive();
  const std::vector<float> one = {1};
  EXPECT_THAT(message_of([&] { plain.insert(Matrix(1, 2), one, Matrix(1, 1), one); }),
              AllOf(HasSubstr("scores"), HasSubstr("0 in number"), HasSubstr("got 1")));
  EXPECT_THAT(message_of([&] { scored.insert(Matrix(1, 2), one, Matrix(1, 1)); }),
              AllOf(HasSubstr("scores"), HasSubstr("1 in number"), HasSubstr("got 0")));
}

TEST(Archive, CountsAScoreThatIsNotFiniteAsFailed) {
  Archive archive = scored_archive();
  EXPECT_EQ(archive.insert(Matrix(1, 2), std::vector<float>{1}, Matrix(1, 1), std::vector<float>{kNaN}).failed, 1u);
  EXPECT_EQ(archive.size(), 0u);
}

TEST(Archive, ComesBackFromItsStateWithItsScores) {
  Archive archive = scored_archive();
  archive.insert(Matrix(1, 2), std::vector<float>{5}, Matrix(1, 1), std::vector<float>{0.5f});
  Archive copy = scored_archive();
  copy.load(archive.save());
  EXPECT_EQ(copy, archive);
  EXPECT_EQ(copy.insert(Matrix(1, 2), std::vector<float>{9}, Matrix(1, 1), std::vector<float>{0.4f}).improved, 0u);
  State state = archive.save();
  state.arrays().erase("scores");
  EXPECT_THAT(message_of([&] { copy.load(state); }), AllOf(HasSubstr("scores"), HasSubstr("missing")));
  EXPECT_EQ(copy, archive);
  // an archive without scores keeps its old form
  EXPECT_FALSE(line_archive().save().contains("scores"));
}

// --- Saving --------------------------------------------------------------------------------------------------------

Archive filled_archive() {
  Archive archive = line_archive();
  insert(archive, random_candidates(20, 4));
  return archive;
}

TEST(Archive, ComesBackFromItsState) {
  const Archive archive = filled_archive();
  Archive copy = line_archive();
  copy.load(archive.save());
  EXPECT_EQ(copy, archive);
  EXPECT_EQ(copy.save(), archive.save());
  // and goes on the same way, slot by slot
  Archive original = archive;
  insert(original, random_candidates(50, 5));
  insert(copy, random_candidates(50, 5));
  EXPECT_EQ(copy, original);
}

TEST(Archive, ForgetsWhatItHeldWhenItIsLoaded) {
  Archive archive = filled_archive();
  archive.load(line_archive().save());
  EXPECT_EQ(archive, line_archive());
}

TEST(Archive, RefusesAHostileStateAndStaysAsItWas) {
  const Archive original = filled_archive();
  const State good = original.save();
  ASSERT_GE(original.size(), 3u);
  const std::size_t n = original.size();
  Archive archive = original;

  const auto rejected = [&](const char* name, auto values) {
    State state = good;
    state.put(name, values);
    std::string message = message_of([&] { archive.load(state); });
    EXPECT_EQ(archive, original) << name;
    return message;
  };
  auto cells = good.get<std::int64_t>("cells");
  cells[1] = 10;
  EXPECT_THAT(rejected("cells", cells), AllOf(HasSubstr("cell"), HasSubstr("0 .. 9"), HasSubstr("got 10")));
  cells[1] = -1;
  EXPECT_THAT(rejected("cells", cells), AllOf(HasSubstr("0 .. 9"), HasSubstr("got -1")));
  cells[1] = std::numeric_limits<std::int64_t>::min();
  EXPECT_THAT(rejected("cells", cells), HasSubstr("0 .. 9"));
  cells[1] = cells[0];
  EXPECT_THAT(rejected("cells", cells), AllOf(HasSubstr("cell"), HasSubstr("named once")));
  EXPECT_THAT(rejected("cells", std::vector<float>(n)), AllOf(HasSubstr("'cells'"), HasSubstr("wrong type")));
  EXPECT_THAT(rejected("genotypes", std::vector<float>(2 * n + 1)), HasSubstr("'genotypes'"));
  EXPECT_THAT(rejected("descriptors", std::vector<float>(n - 1)), HasSubstr("'descriptors'"));
  EXPECT_THAT(rejected("fitness", std::vector<float>(n + 1)), HasSubstr("'fitness'"));
  EXPECT_THAT(rejected("fitness", std::vector<double>(n)), HasSubstr("'fitness'"));
  for (const float odd : {kNaN, kInfinity, -kInfinity}) {
    auto fitness = good.get<float>("fitness");
    fitness[1] = odd;
    EXPECT_THAT(rejected("fitness", fitness), AllOf(HasSubstr("fitness"), HasSubstr("finite")));
    auto descriptors = good.get<float>("descriptors");
    descriptors[n - 1] = odd;
    EXPECT_THAT(rejected("descriptors", descriptors), AllOf(HasSubstr("descriptors"), HasSubstr("finite")));
  }
  for (const char* name : {"cells", "genotypes", "descriptors", "fitness"}) {
    State state = good;
    state.arrays().erase(name);
    EXPECT_THAT(message_of([&] { archive.load(state); }), AllOf(HasSubstr(name), HasSubstr("missing")));
    EXPECT_EQ(archive, original) << name;
  }
}

}  // namespace
}  // namespace aria
