#include "aria/archive/grid.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/support/messages.hpp"

namespace aria {
namespace {

using aria::testing::message_of;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::HasSubstr;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// One, two, three and five dimensions, sides and ranges unequal.
const std::vector<GridShape> kShapes = {
    {{7}, {-2}, {5}},
    {{1}, {0}, {1}},
    {{32, 32}, {0, 0}, {1, 1}},
    {{5, 9}, {-15, 0}, {15, 0.3}},
    {{2, 3, 4}, {-1, 10, -1e-3}, {1, 13, 1e-3}},
    {{3, 1, 2, 5, 4}, {0, -1, -2, -3, -4}, {1, 1, 1, 100, 1}},
};

std::vector<std::size_t> coordinates_by_hand(const GridShape& shape, std::size_t cell) {
  std::vector<std::size_t> result(shape.cells.size());
  for (std::size_t k = result.size(); k-- > 0;) {
    result[k] = cell % shape.cells[k];
    cell /= shape.cells[k];
  }
  return result;
}

double width(const GridShape& shape, std::size_t k) {
  return (shape.upper[k] - shape.lower[k]) / static_cast<double>(shape.cells[k]);
}

TEST(Grid, CountsItsCells) {
  EXPECT_EQ(Grid(kShapes[0]).cells(), 7u);
  EXPECT_EQ(Grid(kShapes[2]).cells(), 1024u);
  EXPECT_EQ(Grid(kShapes[4]).cells(), 24u);
  EXPECT_EQ(Grid(kShapes[5]).cells(), 120u);
  EXPECT_EQ(Grid(kShapes[5]).dimensions(), 5u);
  EXPECT_EQ(Grid(kShapes[3]).shape(), kShapes[3]);
}

TEST(Grid, NumbersCellsWithTheLastDimensionFastest) {
  const Grid grid({{2, 3, 4}, {0, 0, 0}, {1, 1, 1}});
  EXPECT_THAT(grid.coordinates(0), ElementsAre(0, 0, 0));
  EXPECT_THAT(grid.coordinates(1), ElementsAre(0, 0, 1));
  EXPECT_THAT(grid.coordinates(4), ElementsAre(0, 1, 0));
  EXPECT_THAT(grid.coordinates(12), ElementsAre(1, 0, 0));
  EXPECT_THAT(grid.coordinates(23), ElementsAre(1, 2, 3));
}

TEST(Grid, FindsEveryCellAgainByCoordinatesAndByCentroid) {
  for (const GridShape& shape : kShapes) {
    const Grid grid(shape);
    for (std::size_t cell = 0; cell < grid.cells(); ++cell) {
      EXPECT_EQ(grid.coordinates(cell), coordinates_by_hand(shape, cell));
      EXPECT_EQ(grid.cell_at(grid.coordinates(cell)), cell);
      EXPECT_EQ(grid.cell_of(grid.centroid(cell)), cell);
      EXPECT_TRUE(grid.strictly_inside(cell, grid.centroid(cell)));
    }
  }
}

TEST(Grid, PutsCentroidsInTheMiddleOfTheirCells) {
  for (const GridShape& shape : kShapes) {
    const Grid grid(shape);
    for (std::size_t cell = 0; cell < grid.cells(); ++cell) {
      const auto coordinates = coordinates_by_hand(shape, cell);
      const auto centroid = grid.centroid(cell);
      for (std::size_t k = 0; k < centroid.size(); ++k) {
        const double middle = shape.lower[k] + (static_cast<double>(coordinates[k]) + 0.5) * width(shape, k);
        EXPECT_THAT(centroid[k], FloatEq(static_cast<float>(middle)));
      }
      std::vector<float> written(centroid.size());
      grid.centroid(cell, written);
      EXPECT_EQ(written, centroid);
    }
    for (std::size_t k = 0; k < grid.dimensions(); ++k) {
      EXPECT_THAT(grid.half_widths()[k], FloatEq(static_cast<float>(width(shape, k) / 2)));
    }
  }
}

TEST(Grid, FindsTheCellOfAnyPointWellInsideOne) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> offset(-0.499, 0.499);
  for (const GridShape& shape : kShapes) {
    const Grid grid(shape);
    for (int i = 0; i < 2000; ++i) {
      const std::size_t cell = random() % grid.cells();
      auto point = grid.centroid(cell);
      for (std::size_t k = 0; k < point.size(); ++k) point[k] += static_cast<float>(offset(random) * width(shape, k));
      ASSERT_EQ(grid.cell_of(point), cell);
      ASSERT_TRUE(grid.strictly_inside(cell, point));
    }
  }
}

TEST(Grid, CountsWhatFallsOutsideForTheNearestCell) {
  const Grid line({{4}, {0}, {1}});
  for (const float below : {-1e-6f, -0.5f, -1e30f, std::numeric_limits<float>::lowest()}) {
    EXPECT_EQ(line.cell_of(std::vector{below}), 0u) << below;
  }
  for (const float above : {1.0f, 1.5f, 1e30f, std::numeric_limits<float>::max()}) {
    EXPECT_EQ(line.cell_of(std::vector{above}), 3u) << above;
  }
  const Grid plane({{3, 5}, {-1, 0}, {1, 10}});
  EXPECT_EQ(plane.cell_of(std::vector{-9.0f, -9.0f}), plane.cell_at(std::vector<std::size_t>{0, 0}));
  EXPECT_EQ(plane.cell_of(std::vector{-9.0f, 99.0f}), plane.cell_at(std::vector<std::size_t>{0, 4}));
  EXPECT_EQ(plane.cell_of(std::vector{9.0f, -9.0f}), plane.cell_at(std::vector<std::size_t>{2, 0}));
  EXPECT_EQ(plane.cell_of(std::vector{0.0f, 99.0f}), plane.cell_at(std::vector<std::size_t>{1, 4}));
}

TEST(Grid, GivesABorderToTheCellAboveIt) {
  const Grid grid({{4, 4}, {0, 0}, {1, 1}});
  EXPECT_EQ(grid.cell_of(std::vector{0.25f, 0.5f}), grid.cell_at(std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(grid.cell_of(std::vector{0.0f, 0.0f}), 0u);
  EXPECT_EQ(grid.cell_of(std::vector{std::nextafter(0.25f, 0.0f), 0.0f}), 0u);
}

TEST(Grid, FindsManyCellsAtOnceAsOneByOne) {
  std::mt19937 random(2);
  for (const GridShape& shape : kShapes) {
    const Grid grid(shape);
    for (const std::size_t n : {0u, 1u, 3u, 17u, 63u, 64u, 65u, 130u}) {
      Matrix points(n, grid.dimensions());
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < grid.dimensions(); ++k) {
          const double room = shape.upper[k] - shape.lower[k];
          std::uniform_real_distribution<double> uniform(shape.lower[k] - 0.2 * room, shape.upper[k] + 0.2 * room);
          points(i, k) = random() % 20 == 0   ? std::numeric_limits<float>::lowest()
                         : random() % 20 == 0 ? std::numeric_limits<float>::max()
                                              : static_cast<float>(uniform(random));
        }
      }
      std::vector<std::uint32_t> cells(n, 12345);
      grid.cells_of(points, cells);
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(cells[i], grid.cell_of(points.row(i)));
    }
  }
}

TEST(Grid, FindsSomeCellForWhatIsNotFinite) {
  const Grid grid({{3, 5}, {-1, 0}, {1, 10}});
  const Matrix points(4, 2, {kNaN, 0, kInfinity, -kInfinity, 0, kNaN, -kInfinity, kInfinity});
  std::vector<std::uint32_t> cells(4);
  grid.cells_of(points, cells);
  for (const std::uint32_t cell : cells) EXPECT_LT(cell, grid.cells());
}

TEST(Grid, HasNoBorderStrictlyInside) {
  const Grid grid({{4, 4}, {0, 0}, {1, 1}});
  const std::size_t cell = grid.cell_at(std::vector<std::size_t>{1, 2});  // 0.25 .. 0.5 x 0.5 .. 0.75
  EXPECT_TRUE(grid.strictly_inside(cell, std::vector{std::nextafter(0.25f, 1.0f), 0.6f}));
  EXPECT_FALSE(grid.strictly_inside(cell, std::vector{0.25f, 0.6f}));
  EXPECT_TRUE(grid.strictly_inside(cell, std::vector{std::nextafter(0.5f, 0.0f), 0.6f}));
  EXPECT_FALSE(grid.strictly_inside(cell, std::vector{0.5f, 0.6f}));
  EXPECT_FALSE(grid.strictly_inside(cell, std::vector{0.3f, 0.5f}));
  EXPECT_FALSE(grid.strictly_inside(cell, std::vector{0.3f, 0.75f}));
  EXPECT_FALSE(grid.strictly_inside(cell, std::vector{0.6f, 0.6f}));
}

TEST(Grid, HasNothingBeyondItsRangesStrictlyInside) {
  const Grid grid({{4, 4}, {0, 0}, {1, 1}});
  EXPECT_EQ(grid.cell_of(std::vector{-0.01f, 0.1f}), 0u);
  EXPECT_FALSE(grid.strictly_inside(0, std::vector{-0.01f, 0.1f}));
  EXPECT_FALSE(grid.strictly_inside(0, std::vector{0.1f, 1e30f}));
}

TEST(Grid, HasNothingThatIsNoNumberStrictlyInside) {
  const Grid grid({{1, 1}, {-1, -1}, {1, 1}});
  EXPECT_TRUE(grid.strictly_inside(0, std::vector{0.0f, 0.0f}));
  for (const float odd : {kNaN, kInfinity, -kInfinity}) {
    EXPECT_FALSE(grid.strictly_inside(0, std::vector{odd, 0.0f}));
    EXPECT_FALSE(grid.strictly_inside(0, std::vector{0.0f, odd}));
  }
}

TEST(Grid, MeasuresDistancesBetweenCentroids) {
  for (const GridShape& shape : kShapes) {
    const Grid grid(shape);
    for (std::size_t a = 0; a < grid.cells(); a += 5) {
      for (std::size_t b = 0; b < grid.cells(); b += 7) {
        double expected = 0;
        for (std::size_t k = 0; k < grid.dimensions(); ++k) {
          const auto steps = static_cast<double>(coordinates_by_hand(shape, a)[k]) -
                             static_cast<double>(coordinates_by_hand(shape, b)[k]);
          expected += std::pow(steps * width(shape, k), 2);
        }
        EXPECT_NEAR(grid.squared_distance(a, b), expected, 1e-12 * (1 + expected));
        EXPECT_EQ(grid.squared_distance(a, b), grid.squared_distance(b, a));
      }
      EXPECT_EQ(grid.squared_distance(a, a), 0);
    }
  }
}

TEST(Grid, IsEqualToOneOfTheSameShape) {
  EXPECT_EQ(Grid(kShapes[3]), Grid(kShapes[3]));
  EXPECT_NE(Grid({{2, 2}, {0, 0}, {1, 1}}), Grid({{2, 2}, {0, 0}, {1, 2}}));
  EXPECT_NE(Grid({{2, 3}, {0, 0}, {1, 1}}), Grid({{3, 2}, {0, 0}, {1, 1}}));
}

TEST(Grid, RefusesAShapeWithoutDimensions) {
  EXPECT_THAT(message_of([] { Grid({{}, {}, {}}); }), AllOf(HasSubstr("at least one dimension"), HasSubstr("got 0")));
}

TEST(Grid, RefusesADimensionWithoutCells) {
  EXPECT_THAT(message_of([] {
                Grid({{4, 0}, {0, 0}, {1, 1}});
              }),
              AllOf(HasSubstr("number of cells"), HasSubstr("between 1 and"), HasSubstr("4 x 0")));
}

TEST(Grid, RefusesMoreCellsThanAnArchiveCanHold) {
  EXPECT_EQ(Grid({{Grid::kMaxCells}, {0}, {1}}).cells(), Grid::kMaxCells);
  EXPECT_THAT(message_of([] {
                Grid({{Grid::kMaxCells, 2}, {0, 0}, {1, 1}});
              }),
              AllOf(HasSubstr("number of cells"), HasSubstr("67108864"), HasSubstr("67108864 x 2")));
  // the product would wrap around to zero
  const std::size_t half = std::size_t{1} << 32;
  EXPECT_THAT(message_of([&] { Grid({{half, half}, {0, 0}, {1, 1}}); }), HasSubstr("number of cells"));
}

TEST(Grid, RefusesRangesThatAreMissing) {
  EXPECT_THAT(message_of([] {
                Grid({{4, 4}, {0, 0}, {1}});
              }),
              AllOf(HasSubstr("ranges"), HasSubstr("each of 2 dimensions"), HasSubstr("2 lower and 1 upper ends")));
  EXPECT_THAT(message_of([] { Grid({{4}, {}, {}}); }), HasSubstr("0 lower and 0 upper ends"));
}

TEST(Grid, RefusesRangesThatAreEmptyOrTurnedRound) {
  EXPECT_THAT(message_of([] {
                Grid({{4, 4}, {0, 1}, {1, 1}});
              }),
              AllOf(HasSubstr("range in dimension 1"), HasSubstr("lower end below the upper"), HasSubstr("1 .. 1")));
  EXPECT_THAT(message_of([] {
                Grid({{4, 4}, {3, 0}, {-2, 1}});
              }),
              AllOf(HasSubstr("range in dimension 0"), HasSubstr("3 .. -2")));
}

TEST(Grid, RefusesRangesThatAreNotFinite) {
  for (const double odd :
       {static_cast<double>(kNaN), static_cast<double>(kInfinity), -static_cast<double>(kInfinity)}) {
    EXPECT_THAT(message_of([&] { Grid({{4}, {odd}, {1}}); }), AllOf(HasSubstr("dimension 0"), HasSubstr("finite")));
    EXPECT_THAT(message_of([&] { Grid({{4}, {0}, {odd}}); }), AllOf(HasSubstr("dimension 0"), HasSubstr("finite")));
  }
}

// Descriptors are floats: a range that floats cannot hold would give cells that nothing can be compared with.
TEST(Grid, RefusesRangesThatFloatsCannotHold) {
  EXPECT_THAT(message_of([] { Grid({{2}, {-1e300}, {1e300}}); }), HasSubstr("dimension 0"));
  EXPECT_THAT(message_of([] { Grid({{2}, {0}, {1e-60}}); }), HasSubstr("dimension 0"));
}

// Cell numbers above 2^24 are no longer all floats.
TEST(Grid, StaysWithinItsCellsHoweverFineItIs) {
  for (const std::size_t cells : {std::size_t{1} << 24, (std::size_t{1} << 24) + 4, Grid::kMaxCells}) {
    const Grid grid({{cells}, {0}, {1}});
    EXPECT_LT(grid.cell_of(std::vector{1.0f}), cells);
    EXPECT_LT(grid.cell_of(std::vector{2.0f}), cells);
    EXPECT_EQ(grid.cell_of(std::vector{-1.0f}), 0u);
    std::vector<std::uint32_t> found(2);
    grid.cells_of(Matrix(2, 1, {1.0f, 2.0f}), found);
    EXPECT_LT(found[0], cells);
    EXPECT_LT(found[1], cells);
  }
}

TEST(Grid, KnowsTheCellsThatTouchACell) {
  const Grid grid(GridShape{{3, 4}, {0, 0}, {1, 1}});
  const auto around = [&](std::size_t cell) {
    std::vector<std::size_t> cells = grid.neighbours(cell);
    std::ranges::sort(cells);
    return cells;
  };
  EXPECT_EQ(around(5), (std::vector<std::size_t>{0, 1, 2, 4, 6, 8, 9, 10}));
  EXPECT_EQ(around(0), (std::vector<std::size_t>{1, 4, 5}));
  EXPECT_EQ(around(11), (std::vector<std::size_t>{6, 7, 10}));
  EXPECT_TRUE(Grid(GridShape{{1}, {0}, {1}}).neighbours(0).empty());
}

}  // namespace
}  // namespace aria
