#include "aria/algorithm/goal_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include "aria/task/ant.hpp"
#include "tests/support/all_cells.hpp"

namespace aria {
namespace {

using aria::testing::all_cells;
using ::testing::ElementsAreArray;

std::shared_ptr<const RobotTask> small_ant() {
  AntConfig config;
  config.grid = {4, 4};
  config.hidden = {8};
  return make_ant(config);
}

// Whatever is tried, it lands in this cell.
Evaluations landing_in(std::size_t cell, const SampleRequest& request, const Grid& grid) {
  Evaluations evaluations;
  evaluations.fitness.assign(request.evaluations(), 1.0f);
  evaluations.descriptors.resize(request.evaluations(), grid.dimensions());
  for (std::size_t e = 0; e < request.evaluations(); ++e) grid.centroid(cell, evaluations.descriptors.row(e));
  return evaluations;
}

struct Search {
  std::shared_ptr<const RobotTask> task = small_ant();
  Grid grid{task->info().grid};
  std::vector<std::size_t> cells = all_cells(*task);
  GoalSearch search;

  explicit Search(const GoalSearchConfig& config) : search(config, cells, task, Key(3)) {
    const std::vector<float> weights(goal_policy_shape(task->info()).parameters());
    search.begin({GoalNet{weights, InputUnits(task->info().policy->inputs())}});
  }

  // The cells that a round is about, once all it tries landed in one.
  std::set<std::size_t> round(std::size_t landing) {
    const SampleRequest& request = search.ask();
    std::set<std::size_t> result;
    for (const std::uint32_t id : request.ids) result.insert(id / 4);
    search.tell(landing_in(landing, request, grid));
    return result;
  }
};

GoalSearchConfig few_rounds() {
  GoalSearchConfig config;
  config.retarget_rounds = 1;
  config.retarget_samples = 4;
  config.search_rounds = 3;
  config.search_samples = 4;
  return config;
}

TEST(GoalSearch, LeavesOutCellsWhereNothingLandedNorAround) {
  Search s(few_rounds());
  constexpr std::size_t kCorner = 0;
  std::vector<std::size_t> near = neighbour_places(s.grid, s.cells)[kCorner];
  near.push_back(kCorner);
  std::ranges::sort(near);
  ASSERT_LT(near.size(), s.cells.size());
  while (!s.search.searching()) EXPECT_EQ(s.round(kCorner).size(), s.cells.size()) << "retargeting is for all";
  EXPECT_EQ(s.round(kCorner).size(), s.cells.size()) << "so is the look at what there is";
  ASSERT_FALSE(s.search.done());
  while (!s.search.done()) EXPECT_THAT(s.round(kCorner), ElementsAreArray(near));
  EXPECT_EQ(s.search.record(kCorner).probability(), 1);
}

TEST(GoalSearch, LeavesSafeCellsAlone) {
  GoalSearchConfig config = few_rounds();
  config.search_samples = 64;  // enough to be sure
  Search s(config);
  while (!s.search.searching()) s.round(5);
  s.round(5);
  while (!s.search.done()) EXPECT_EQ(s.round(5).count(5), 0u);

  config.safe_probability = 1;  // never
  Search all(config);
  while (!all.search.searching()) all.round(5);
  all.round(5);
  while (!all.search.done()) EXPECT_EQ(all.round(5).count(5), 1u);
}

}  // namespace
}  // namespace aria
