#include "aria/persistence/reevaluation_file.hpp"

#include <cmath>
#include <limits>

#include "aria/persistence/npz.hpp"
#include "file_helpers.hpp"
#include "tests/support/bits.hpp"

namespace aria {
namespace {

using aria::testing::bits_of;
using aria::testing::error_of;
using aria::testing::full_reevaluation;
using aria::testing::read_bytes;
using aria::testing::TemporaryFolder;
using aria::testing::write_bytes;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

const Matrix kSolutions(3, 2, {1, 2, 3, 4, 5, 6});

class ReevaluationFile : public ::testing::Test {
 protected:
  // The error of reading what is right but for what `spoil` does to it.
  std::string error_after(const std::function<void(Reevaluation&)>& spoil) const {
    Reevaluation table = full_reevaluation();
    spoil(table);
    write_reevaluation(path_, table, kSolutions);
    return error();
  }
  // The same for one array of the file.
  template <class T>
  std::string error_with(const std::string& name, const std::vector<std::size_t>& shape,
                         const std::vector<T>& values) const {
    write_reevaluation(path_, full_reevaluation(), kSolutions);
    const auto arrays = read_npz(path_);
    NpzWriter writer;
    writer.add_text("header.json", NpzReader(path_).read_text("header.json", 1 << 20));
    for (const auto& [other, array] : arrays) {
      if (other == name) continue;
      std::visit([&, &member = other,
                  &shape_there = array.shape](const auto& column) { writer.add(member, shape_there, column); },
                 array.values);
    }
    if (!shape.empty()) writer.add(name, shape, values);
    writer.save(path_);
    return error();
  }
  std::string error() const {
    const std::string message = error_of([&] { read_reevaluation(path_, kSolutions); });
    EXPECT_THAT(message, StartsWith(path_.string() + ": "));
    return message;
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "r.npz";
};

TEST_F(ReevaluationFile, IsReadBackBitForBit) {
  const Reevaluation table = full_reevaluation();
  write_reevaluation(path_, table, kSolutions);
  const Reevaluation read = read_reevaluation(path_, kSolutions);
  EXPECT_EQ(read.samples, table.samples);
  EXPECT_EQ(read.grid, table.grid);
  EXPECT_EQ(bits_of(read.objective_mean), bits_of(table.objective_mean));
  EXPECT_EQ(bits_of(read.objective_std), bits_of(table.objective_std));
  EXPECT_EQ(bits_of(read.measures_mean.values()), bits_of(table.measures_mean.values()));
  EXPECT_EQ(bits_of(read.measures_std.values()), bits_of(table.measures_std.values()));
  EXPECT_EQ(read.cell_probability, table.cell_probability);
  EXPECT_EQ(read.cell_probability_lower, table.cell_probability_lower);
  EXPECT_EQ(read.cell_probability_upper, table.cell_probability_upper);
  EXPECT_EQ(read.index, table.index);
  EXPECT_EQ(read.non_finite, table.non_finite);
  EXPECT_EQ(bits_of(read.objective_samples), bits_of(table.objective_samples));
  EXPECT_EQ(bits_of(read.measures_samples.values()), bits_of(table.measures_samples.values()));
  EXPECT_FLOAT_EQ(static_cast<float>(read.descriptor_variance[0]), static_cast<float>(table.descriptor_variance[0]));
  EXPECT_TRUE(std::isnan(read.descriptor_variance[2]));
}

TEST_F(ReevaluationFile, MayBeWithoutSamples) {
  Reevaluation table = full_reevaluation();
  table.objective_samples.clear();
  table.measures_samples = Matrix();
  write_reevaluation(path_, table, kSolutions);
  EXPECT_FALSE(NpzReader(path_).has_array("objective_samples"));
  EXPECT_EQ(read_reevaluation(path_, kSolutions).kept_samples(), 0u);
}

TEST_F(ReevaluationFile, HasTheSameBytesAgain) {
  write_reevaluation(path_, full_reevaluation(), kSolutions);
  write_reevaluation(folder_ / "again", full_reevaluation(), kSolutions);
  EXPECT_EQ(read_bytes(path_), read_bytes(folder_ / "again"));
}

TEST_F(ReevaluationFile, IsOfItsOwnSolutionsAlone) {
  write_reevaluation(path_, full_reevaluation(), kSolutions);
  Matrix others = kSolutions;
  others(2, 1) = 6.5f;
  EXPECT_TRUE(is_reevaluation_of(path_, kSolutions));
  EXPECT_FALSE(is_reevaluation_of(path_, others));
  EXPECT_THAT(error_of([&] { read_reevaluation(path_, others); }),
              AllOf(HasSubstr("r.npz: header.json: solutions must be"), HasSubstr("the archive's")));
}

TEST_F(ReevaluationFile, IsRefusedWithArraysOfAnotherShape) {
  EXPECT_THAT(error_with<float>("objective_mean", {2}, {1, 2}),
              HasSubstr("objective_mean.npy: its shape must be (3,), got (2,)"));
  EXPECT_THAT(error_with<float>("objective_mean", {3, 1}, {1, 2, 3}), HasSubstr("got (3, 1)"));
  EXPECT_THAT(error_with<float>("measures_mean", {3, 1}, {1, 2, 3}),
              HasSubstr("measures_mean.npy: its shape must be (3, 2), got (3, 1)"));
  EXPECT_THAT(error_with<std::int32_t>("index", {4}, {0, 1, 2, 3}), HasSubstr("index.npy"));
  EXPECT_THAT(error_with<float>("index", {3}, {0, 1, 2}), HasSubstr("index.npy"));
  EXPECT_THAT(error_with<float>("objective_samples", {3}, {0, 1, 2}),
              HasSubstr("objective_samples.npy: its shape must be (3, 1 to 10), got (3,)"));
  EXPECT_THAT(error_with<float>("objective_samples", {3, 0}, {}), HasSubstr("got (3, 0)"));
  EXPECT_THAT(error_with<float>("objective_samples", {3, 11}, std::vector<float>(33)), HasSubstr("got (3, 11)"));
  EXPECT_THAT(error_with<float>("measures_samples", {3, 1, 2}, std::vector<float>(6)),
              HasSubstr("measures_samples.npy: its shape must be (3, 2, 2), got (3, 1, 2)"));
}

TEST_F(ReevaluationFile, IsRefusedWithAnArrayMissing) {
  for (const char* name : {"objective_mean", "objective_std", "measures_mean", "measures_std", "cell_probability",
                           "cell_probability_lower", "cell_probability_upper", "index", "non_finite",
                           "objective_samples", "measures_samples"}) {
    EXPECT_THAT(error_with<float>(name, {}, {}), HasSubstr(std::string(name) + ".npy")) << name;
  }
}

TEST_F(ReevaluationFile, IsRefusedWithTheRowNamedThatCannotBe) {
  EXPECT_THAT(error_after([](Reevaluation& r) { r.index[1] = 6; }),
              HasSubstr("index: row 1 must be a cell in [0, 6), got 6"));
  EXPECT_THAT(error_after([](Reevaluation& r) { r.index[1] = -1; }), HasSubstr("index: row 1"));
  EXPECT_THAT(error_after([](Reevaluation& r) { r.index[2] = 0; }),
              HasSubstr("index: row 2 must be -1, where every evaluation failed, got 0"));
  EXPECT_THAT(error_after([](Reevaluation& r) { r.non_finite[0] = 11; }),
              HasSubstr("non_finite: row 0 must be from 0 to 10, got 11"));
  EXPECT_THAT(error_after([](Reevaluation& r) { r.non_finite[0] = -1; }), HasSubstr("non_finite: row 0"));
  EXPECT_THAT(error_after([](Reevaluation& r) { r.cell_probability[1] = 1.5f; }),
              HasSubstr("cell_probability: row 1 must be in [0, 1], got 1.5"));
  EXPECT_THAT(error_after([](Reevaluation& r) { r.cell_probability_upper[2] = kNaN; }), HasSubstr("row 2"));
  EXPECT_THAT(error_after([](Reevaluation& r) { r.objective_mean[0] = kNaN; }),
              HasSubstr("objective_mean: row 0 must be finite, got nan"));
  EXPECT_THAT(error_after([](Reevaluation& r) { r.measures_mean(1, 1) = kInfinity; }), HasSubstr("measures_mean"));
  EXPECT_THAT(error_after([](Reevaluation& r) { r.objective_std[1] = -1; }), HasSubstr("objective_std: row 1"));
  EXPECT_THAT(error_after([](Reevaluation& r) { r.measures_std(0, 0) = kNaN; }), HasSubstr("measures_std: row 0"));
  EXPECT_THAT(error_after([](Reevaluation& r) { r.objective_samples[3] = kInfinity; }),
              HasSubstr("objective_samples: row 1"));
  EXPECT_THAT(error_after([](Reevaluation& r) { r.measures_samples(0, 1) = kNaN; }),
              HasSubstr("objective_samples: row 0"));
}

TEST_F(ReevaluationFile, IsRefusedWithAHeaderThatLies) {
  EXPECT_THAT(error_after([](Reevaluation& r) { r.samples = 0; }),
              HasSubstr("header.json: evaluations must be from 1 to 16777216, got '0'"));
  EXPECT_THAT(error_after([](Reevaluation& r) { r.samples = std::size_t{1} << 40; }), HasSubstr("evaluations"));
  EXPECT_THAT(error_after([](Reevaluation& r) {
                r.grid = Grid(GridShape{{6}, {0}, {1}});
              }),
              HasSubstr("measures_mean.npy: its shape must be (3, 1), got (3, 2)"));
  write_bytes(path_, "PK\x03\x04 no more");
  error();
}

}  // namespace
}  // namespace aria
