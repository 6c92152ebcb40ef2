#include "aria/algorithm/completion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <set>
#include <vector>

namespace aria {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

const Grid kGrid({{6, 6}, {0, 0}, {1, 1}});
const Grid kUneven({{3, 8, 2}, {0, 0, 0}, {1, 10, 3}});

std::size_t cell(std::size_t x, std::size_t y) { return kGrid.cell_at(std::vector{x, y}); }

double nearest_distance(const Grid& grid, std::size_t target, const std::vector<std::size_t>& explored) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const std::size_t source : explored) nearest = std::min(nearest, grid.squared_distance(target, source));
  return nearest;
}

ExplorationFrontier frontier_of(const Grid& grid, Key key, const std::vector<std::size_t>& explored,
                                std::optional<std::size_t> home = std::nullopt) {
  ExplorationFrontier frontier(grid, key, home);
  for (const std::size_t c : explored) frontier.explore(c);
  return frontier;
}

std::vector<std::size_t> targets_of(const std::vector<ExplorationFrontier::Step>& steps) {
  std::vector<std::size_t> targets;
  targets.reserve(steps.size());
  for (const auto& step : steps) targets.push_back(step.target);
  return targets;
}

std::vector<std::size_t> some_cells(const Grid& grid, std::size_t count, std::uint32_t seed) {
  std::vector<std::size_t> cells(grid.cells());
  std::iota(cells.begin(), cells.end(), std::size_t{0});
  std::mt19937 random(seed);
  std::ranges::shuffle(cells, random);
  cells.resize(count);
  return cells;
}

TEST(ExplorationFrontier, RemembersWhatIsExplored) {
  ExplorationFrontier frontier(kGrid, Key(1), std::nullopt);
  EXPECT_FALSE(frontier.explored(7));
  frontier.explore(7);
  EXPECT_TRUE(frontier.explored(7));
  EXPECT_FALSE(frontier.explored(8));
}

TEST(ExplorationFrontier, OffersEveryOtherCellOnce) {
  const auto steps = frontier_of(kGrid, Key(1), {3, 20}).next(100);
  EXPECT_THAT(steps, SizeIs(34));
  const std::vector<std::size_t> targets = targets_of(steps);
  EXPECT_EQ(std::set<std::size_t>(targets.begin(), targets.end()).size(), 34u);
  for (const std::size_t target : targets) EXPECT_TRUE(target != 3 && target != 20);
}

TEST(ExplorationFrontier, OffersAsManyAsAreAskedFor) {
  const ExplorationFrontier frontier = frontier_of(kGrid, Key(1), {3, 20});
  const std::vector<std::size_t> all = targets_of(frontier.next(34));
  for (const std::size_t count : {0u, 1u, 5u, 34u}) {
    const std::vector<std::size_t> first(all.begin(), all.begin() + count);
    EXPECT_EQ(targets_of(frontier.next(count)), first);
  }
}

TEST(ExplorationFrontier, HasNothingLeftWhenAllIsExplored) {
  EXPECT_THAT(frontier_of(kGrid, Key(1), some_cells(kGrid, kGrid.cells(), 1)).next(5), IsEmpty());
}

TEST(ExplorationFrontier, TakesTheNearestFirstFromTheNearestSource) {
  for (const Grid& grid : {kGrid, kUneven}) {
    for (const std::size_t count : {1u, 2u, 5u, 20u}) {
      for (std::uint32_t seed = 0; seed < 10; ++seed) {
        const std::vector<std::size_t> explored = some_cells(grid, count, seed);
        const ExplorationFrontier frontier = frontier_of(grid, Key(seed), explored);
        double last = 0;
        for (const auto& step : frontier.next(grid.cells())) {
          const double distance = nearest_distance(grid, step.target, explored);
          EXPECT_GE(distance, last);
          last = distance;
          EXPECT_TRUE(std::ranges::find(explored, step.source) != explored.end());
          EXPECT_EQ(grid.squared_distance(step.target, step.source), distance);
        }
      }
    }
  }
}

TEST(ExplorationFrontier, MovesOnAsCellsAreExplored) {
  ExplorationFrontier frontier = frontier_of(kGrid, Key(4), {cell(0, 0)});
  std::vector<std::size_t> explored = {cell(0, 0)};
  while (explored.size() < kGrid.cells()) {
    const auto steps = frontier.next(1);
    ASSERT_THAT(steps, SizeIs(1));
    // a square grid always has a neighbour left
    EXPECT_DOUBLE_EQ(kGrid.squared_distance(steps[0].target, steps[0].source), 1.0 / 36);
    frontier.explore(steps[0].target);
    explored.push_back(steps[0].target);
  }
  EXPECT_THAT(frontier.next(1), IsEmpty());
}

TEST(ExplorationFrontier, DoesNotMindInWhichOrderCellsWereExplored) {
  std::mt19937 random(1);
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    std::vector<std::size_t> explored = some_cells(kGrid, 12, seed);
    const auto expected = frontier_of(kGrid, Key(seed), explored).next(24);
    std::ranges::shuffle(explored, random);
    const auto steps = frontier_of(kGrid, Key(seed), explored).next(24);
    ASSERT_EQ(steps.size(), expected.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      EXPECT_EQ(steps[i].target, expected[i].target);
      EXPECT_EQ(steps[i].source, expected[i].source);
    }
  }
}

TEST(ExplorationFrontier, BreaksTiesBetweenTargetsByTheKey) {
  // four neighbours at the same distance
  std::set<std::size_t> firsts;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::size_t first = frontier_of(kGrid, Key(seed), {cell(2, 2)}).next(1)[0].target;
    EXPECT_EQ(first, frontier_of(kGrid, Key(seed), {cell(2, 2)}).next(1)[0].target);
    firsts.insert(first);
  }
  EXPECT_EQ(firsts, (std::set{cell(1, 2), cell(3, 2), cell(2, 1), cell(2, 3)}));
}

TEST(ExplorationFrontier, BreaksTiesBetweenSourcesByTheKey) {
  std::set<std::size_t> sources;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (const auto& step : frontier_of(kGrid, Key(seed), {cell(2, 1), cell(2, 3)}).next(34)) {
      if (step.target == cell(2, 2)) sources.insert(step.source);
    }
  }
  EXPECT_EQ(sources, (std::set{cell(2, 1), cell(2, 3)}));
}

TEST(ExplorationFrontier, TakesTargetsByTheirDistanceFromHomeWhereThereIsOne) {
  const std::size_t home = cell(1, 1);
  const std::vector<std::size_t> explored = {home, cell(5, 5)};
  const auto steps = frontier_of(kGrid, Key(3), explored, home).next(34);
  double last = 0;
  for (const auto& step : steps) {
    const double distance = kGrid.squared_distance(step.target, home);
    EXPECT_GE(distance, last);
    last = distance;
    // but it starts from whatever is nearest
    EXPECT_EQ(kGrid.squared_distance(step.target, step.source), nearest_distance(kGrid, step.target, explored));
  }
  // next to the far cell, and yet among the last
  const std::vector<std::size_t> targets = targets_of(steps);
  EXPECT_GT(std::ranges::find(targets, cell(5, 4)) - targets.begin(), 25);
}

}  // namespace
}  // namespace aria
