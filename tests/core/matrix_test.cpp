#include "aria/core/matrix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <type_traits>

namespace aria {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

TEST(Matrix, StartsWithZerosAndStoresRowsOneAfterTheOther) {
  Matrix matrix(2, 3);
  EXPECT_THAT(matrix.values(), Each(0.0f));
  matrix(0, 2) = 1;
  matrix(1, 0) = 2;
  EXPECT_THAT(matrix.values(), ElementsAre(0, 0, 1, 2, 0, 0));
  EXPECT_THAT(matrix.row(1), ElementsAre(2, 0, 0));
  EXPECT_EQ(matrix.rows(), 2u);
  EXPECT_EQ(matrix.columns(), 3u);
}

TEST(Matrix, TakesValuesOver) {
  const Matrix matrix(2, 2, {1, 2, 3, 4});
  EXPECT_EQ(matrix(0, 1), 2);
  EXPECT_EQ(matrix(1, 0), 3);
}

TEST(Matrix, KeepsItsMemoryWhenItShrinks) {
  Matrix matrix(100, 10);
  const float* before = matrix.data();
  matrix.resize(3, 7);
  EXPECT_EQ(matrix.values().size(), 21u);
  matrix.resize(50, 20);
  EXPECT_EQ(matrix.data(), before);
  EXPECT_EQ(matrix.columns(), 20u);
}

TEST(Matrix, GrowsByRows) {
  Matrix matrix;
  EXPECT_TRUE(matrix.empty());
  matrix.append_row(std::vector<float>{1, 2});
  matrix.append_row(std::vector<float>{3, 4});
  EXPECT_EQ(matrix, Matrix(2, 2, {1, 2, 3, 4}));
  EXPECT_FALSE(matrix.empty());
}

TEST(Matrix, IsEqualOnlyInTheSameShape) {
  EXPECT_EQ(Matrix(2, 3), Matrix(2, 3));
  EXPECT_NE(Matrix(2, 3), Matrix(3, 2));
  EXPECT_NE(Matrix(1, 2, {1, 2}), Matrix(1, 2, {1, 3}));
}

TEST(MatrixView, WritesThrough) {
  Matrix matrix(3, 2, {1, 2, 3, 4, 5, 6});
  const MutableMatrixView view = matrix.view();
  view(2, 1) = 60;
  view.row(0)[0] = 10;
  EXPECT_THAT(matrix.values(), ElementsAre(10, 2, 3, 4, 5, 60));
}

TEST(MatrixView, ShowsSomeOfTheRows) {
  Matrix matrix(4, 2, {1, 2, 3, 4, 5, 6, 7, 8});
  const MatrixView view = matrix.view().rows(1, 2);
  EXPECT_EQ(view.rows(), 2u);
  EXPECT_THAT(view.values(), ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(view.row(1), ElementsAre(5, 6));
  EXPECT_EQ(view.data(), matrix.data() + 2);
  EXPECT_TRUE(view.rows(2, 0).empty());
  EXPECT_EQ(view.rows(1, 1)(0, 1), 6);
}

TEST(MatrixView, ThatMayWriteServesWhereOneMayOnlyRead) {
  static_assert(std::is_convertible_v<MutableMatrixView, MatrixView>);
  static_assert(!std::is_convertible_v<MatrixView, MutableMatrixView>);
  static_assert(std::is_convertible_v<const Matrix&, MatrixView>);
  Matrix matrix(1, 2, {1, 2});
  const MatrixView view = matrix.view();
  EXPECT_EQ(view.data(), matrix.data());
  EXPECT_EQ(view.size(), 2u);
}

TEST(MatrixView, OfNothingIsEmpty) {
  EXPECT_TRUE(MatrixView().empty());
  EXPECT_EQ(MatrixView().rows(), 0u);
}

}  // namespace
}  // namespace aria
