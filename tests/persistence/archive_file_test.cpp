#include "aria/persistence/archive_file.hpp"

#include <sys/stat.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "aria/persistence/npz.hpp"
#include "aria/persistence/state_file.hpp"
#include "file_helpers.hpp"
#include "zip_maker.hpp"

namespace aria {
namespace {

using aria::testing::error_of;
using aria::testing::float_npy;
using aria::testing::full_table;
using aria::testing::make_zip;
using aria::testing::npy_bytes;
using aria::testing::read_bytes;
using aria::testing::TemporaryFolder;
using aria::testing::write_bytes;
using aria::testing::ZipMember;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::string bits(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

std::string error_reading(const std::string& bytes) {
  const TemporaryFolder folder;
  write_bytes(folder / "a", bytes);
  const std::string message = error_of([&] { read_archive(folder / "a"); });
  EXPECT_THAT(message, StartsWith((folder / "a").string() + ": "));
  return message;
}

ArchiveTable read_zip(const std::vector<ZipMember>& members) {
  const TemporaryFolder folder;
  write_bytes(folder / "a", make_zip(members));
  return read_archive(folder / "a");
}

// The error of a file that is right but for what `spoil` does to its table: found at writing.
std::string error_writing(const std::function<void(ArchiveTable&)>& spoil) {
  const TemporaryFolder folder;
  ArchiveTable table = full_table();
  spoil(table);
  const std::string message = error_of([&] { write_archive(folder / "a", table); });
  EXPECT_THAT(message, StartsWith((folder / "a").string() + ": "));
  EXPECT_TRUE(folder.names().empty());
  return message;
}

std::string header(const std::string& change_from = "", const std::string& change_to = "") {
  std::string text =
      R"({"format": "aria-archive", "version": 1, "grid": {"cells": [2, 2], "lower": [0, 0], "upper": [1, 1]},)"
      R"( "task": "arm", "provenance": {"seed": "1"}, "columns": ["solution"]})";
  if (!change_from.empty()) text.replace(text.find(change_from), change_from.size(), change_to);
  return text;
}

const ZipMember kSolution{"solution.npy", float_npy({1, 2, 3, 4}, "(2, 2)")};
const ZipMember kCentroids{"centroids.npy", float_npy({0, 0, 0, 1, 1, 0, 1, 1}, "(4, 2)")};

TEST(ArchiveFile, GivesBackEveryColumnBitForBit) {
  const TemporaryFolder folder;
  const ArchiveTable table = full_table();
  write_archive(folder / "a.npz", table);
  const ArchiveTable read = read_archive(folder / "a.npz");
  EXPECT_EQ(read, table);
  EXPECT_EQ(bits(read.solution.values()), bits(table.solution.values()));
  EXPECT_EQ(bits(read.objective), bits(table.objective));
  EXPECT_TRUE(std::signbit(read.grid->shape().lower[0]));
}

TEST(ArchiveFile, GivesBackATableWithGenotypesOnly) {
  const TemporaryFolder folder;
  ArchiveTable table;
  table.solution = Matrix(1, 1, {7});
  write_archive(folder / "a.npz", table);
  EXPECT_EQ(read_archive(folder / "a.npz"), table);
}

TEST(ArchiveFile, GivesBackStandardDeviationsOfASingleEvaluation) {
  const TemporaryFolder folder;
  ArchiveTable table = full_table();
  table.objective_std[1] = std::nanf("");
  write_archive(folder / "a.npz", table);
  EXPECT_TRUE(std::isnan(read_archive(folder / "a.npz").objective_std[1]));
}

TEST(ArchiveFile, WritesTheSameBytesTwiceAndOthersForAnotherTable) {
  const TemporaryFolder folder;
  ArchiveTable table = full_table();
  write_archive(folder / "a", table);
  write_archive(folder / "b", table);
  table.objective[0] = 1.25f;
  write_archive(folder / "c", table);
  EXPECT_EQ(read_bytes(folder / "a"), read_bytes(folder / "b"));
  EXPECT_NE(read_bytes(folder / "a"), read_bytes(folder / "c"));
}

TEST(ArchiveFile, HoldsTheCentroidsOfTheGrid) {
  const TemporaryFolder folder;
  const ArchiveTable table = full_table();
  write_archive(folder / "a", table);
  const NpyArray centroids = read_npz(folder / "a").at("centroids");
  EXPECT_THAT(centroids.shape, ElementsAre(6, 2));
  const auto& values = std::get<std::vector<float>>(centroids.values);
  EXPECT_EQ(std::vector<float>(values.begin() + 8, values.begin() + 10), table.grid->centroid(4));
}

TEST(ArchiveFile, RefusesToWriteWhatItCouldNotRead) {
  EXPECT_THAT(error_writing([](ArchiveTable& t) { t = ArchiveTable(); }), HasSubstr("rows must be at least 1, got 0"));
  EXPECT_THAT(error_writing([](ArchiveTable& t) { t.solution(1, 0) = kInfinity; }),
              HasSubstr("solution: row 1 must be finite, got inf"));
  EXPECT_THAT(error_writing([](ArchiveTable& t) { t.objective[2] = std::nanf(""); }),
              HasSubstr("objective: row 2 must be finite, got nan"));
  EXPECT_THAT(error_writing([](ArchiveTable& t) { t.measures(0, 1) = -kInfinity; }),
              HasSubstr("measures: row 0 must be finite, got -inf"));
  EXPECT_THAT(error_writing([](ArchiveTable& t) { t.objective.pop_back(); }), HasSubstr("rows must be 3, got 2"));
  EXPECT_THAT(error_writing([](ArchiveTable& t) { t.measures = Matrix(3, 1); }),
              HasSubstr("measures: the number of columns must be 2"));
  EXPECT_THAT(error_writing([](ArchiveTable& t) { t.grid.reset(), t.measures_std = Matrix(3, 1); }),
              HasSubstr("measures_std: the number of columns must be 2"));
  EXPECT_THAT(error_writing([](ArchiveTable& t) { t.index[1] = 6; }),
              HasSubstr("index: row 1 must be a cell in [0, 6), got 6"));
  EXPECT_THAT(error_writing([](ArchiveTable& t) { t.grid.reset(), t.index[1] = -1; }), HasSubstr("index: row 1"));
  EXPECT_THAT(error_writing([](ArchiveTable& t) { t.target_index[0] = -1; }), HasSubstr("target_index: row 0"));
  EXPECT_THAT(error_writing([](ArchiveTable& t) { t.cell_probability[0] = 1.5f; }),
              HasSubstr("cell_probability: row 0 must be in [0, 1], got 1.5"));
  EXPECT_THAT(error_writing([](ArchiveTable& t) { t.cell_probability_lower[0] = std::nanf(""); }),
              HasSubstr("got nan"));
  EXPECT_THAT(error_writing([](ArchiveTable& t) { t.objective_std[0] = -1; }), HasSubstr("objective_std: row 0"));
  EXPECT_THAT(error_writing([](ArchiveTable& t) { t.n_evals[0] = -1; }), HasSubstr("n_evals: row 0 must be 0 or more"));
  EXPECT_THAT(error_writing([](ArchiveTable& t) { t.task = "\xff"; }), HasSubstr("UTF-8"));
}

TEST(ArchiveFile, NamesThePathThatCannotBeWritten) {
  const TemporaryFolder folder;
  write_bytes(folder / "file", "old");
  EXPECT_THAT(error_of([&] { write_archive(folder / "file/a.npz", full_table()); }),
              AllOf(HasSubstr("file/a.npz"), HasSubstr("Not a directory")));
  EXPECT_THAT(error_of([&] { write_archive(folder / "missing/a.npz", full_table()); }),
              HasSubstr("No such file or directory"));
}

TEST(ArchiveFile, ReadsAnNpzWithGenotypesAloneAndIgnoresStrangers) {
  const ArchiveTable table = read_zip({kSolution, {"threshold.npy", "not even an array"}, {"readme", "text"}});
  EXPECT_EQ(table.solution, Matrix(2, 2, {1, 2, 3, 4}));
  EXPECT_TRUE(table.objective.empty());
  EXPECT_FALSE(table.grid.has_value());
}

TEST(ArchiveFile, ReadsAMatrixOfGenotypes) {
  const TemporaryFolder folder;
  write_bytes(folder / "a", float_npy({1, 2, 3, 4, 5, 6}, "(3, 2)"));
  EXPECT_EQ(read_archive(folder / "a").solution, Matrix(3, 2, {1, 2, 3, 4, 5, 6}));
}

TEST(ArchiveFile, TellsTheKindByContentNotByName) {
  const TemporaryFolder folder;
  write_archive(folder / "a.csv", full_table());
  write_bytes(folder / "b.npz", "solution_0\n1\n");
  EXPECT_EQ(read_archive(folder / "a.csv"), full_table());
  EXPECT_EQ(read_archive(folder / "b.npz").solution, Matrix(1, 1, {1}));
}

TEST(ArchiveFile, ReadsAHandMadeHeader) {
  const ArchiveTable table = read_zip({{"header.json", header()}, kSolution, kCentroids});
  EXPECT_EQ(table.grid, Grid(GridShape{{2, 2}, {0, 0}, {1, 1}}));
  EXPECT_EQ(table.task, "arm");
  EXPECT_EQ(table.provenance.at("seed"), "1");
}

TEST(ArchiveFile, RefusesHeadersThatBreakARule) {
  const auto message = [](const std::string& text) {
    return error_reading(make_zip({{"header.json", text}, kSolution}));
  };
  EXPECT_THAT(message("nonsense"), AllOf(HasSubstr("header.json"), HasSubstr("must be JSON")));
  EXPECT_THAT(message("[1]"), HasSubstr("a JSON object"));
  EXPECT_THAT(message(header("aria-archive", "zzz")), HasSubstr("format must be 'aria-archive', got 'zzz'"));
  EXPECT_THAT(message(header("\"version\": 1", "\"version\": 2")), HasSubstr("version must be 1, got '2'"));
  EXPECT_THAT(message(header("\"version\": 1", "\"version\": 1.5")), HasSubstr("version must be 1"));
  EXPECT_THAT(message(header("\"version\": 1", "\"other\": 1")), HasSubstr("'version', which is missing"));
  EXPECT_THAT(message(header("\"arm\"", "3")), HasSubstr("task must be a text, got '3'"));
  EXPECT_THAT(message(header("\"1\"}", "1}")), HasSubstr("provenance must be an object of texts"));
  EXPECT_THAT(message(header("[2, 2]", "[2, 0]")), HasSubstr("grid"));
  EXPECT_THAT(message(header("[2, 2]", "[4294967296, 4294967296]")), HasSubstr("grid"));
  EXPECT_THAT(message(header("[2, 2]", "[-1, 2]")), HasSubstr("grid.cells"));
  EXPECT_THAT(message(header("[2, 2]", "[2]")), HasSubstr("grid"));
  EXPECT_THAT(message(header("[2, 2]", "7")), HasSubstr("arrays cells"));
  EXPECT_THAT(message(header("[1, 1]", "[1, \"1\"]")), HasSubstr("grid.upper"));
  EXPECT_THAT(message(header("[1, 1]", "[1, 0]")), HasSubstr("grid"));
  EXPECT_THAT(message(header("[\"solution\"]", "[\"solution\", \"objective\"]")), HasSubstr("got 'objective'"));
  EXPECT_THAT(message(header("[\"solution\"]", "3")), HasSubstr("columns must be an array"));
  EXPECT_THAT(message(std::string(100000, '[')), HasSubstr("JSON"));
  EXPECT_THAT(message(std::string((1 << 20) + 1, ' ')), HasSubstr("at most 1048576 bytes"));
}

TEST(ArchiveFile, RefusesAFileOfAnotherKind) {
  const TemporaryFolder folder;
  write_state(folder / "a", State(), {});
  EXPECT_THAT(error_of([&] { read_archive(folder / "a"); }), HasSubstr("'aria-archive', got 'aria-checkpoint'"));
}

TEST(ArchiveFile, RefusesShapesThatDoNotAgree) {
  const auto message = [](const ZipMember& member) {
    return error_reading(make_zip({{"header.json", header()}, kSolution, member, kCentroids}));
  };
  EXPECT_THAT(message({"objective.npy", float_npy({1}, "(1,)")}),
              HasSubstr("objective.npy: its shape must be (2,), got (1,)"));
  EXPECT_THAT(message({"objective.npy", float_npy({1, 2}, "(2, 1)")}), HasSubstr("must be (2,)"));
  EXPECT_THAT(message({"objective.npy", float_npy({}, "(0,)")}), HasSubstr("must be (2,)"));
  EXPECT_THAT(message({"measures.npy", float_npy({1, 2}, "(2,)")}), HasSubstr("must be (2, columns), got (2,)"));
  EXPECT_THAT(message({"measures.npy", float_npy({}, "(2, 0)")}), HasSubstr("must be (2, columns)"));
  EXPECT_THAT(message({"measures.npy", float_npy({1, 2}, "(2, 1)")}), HasSubstr("columns must be 2"));
  const ZipMember fewer{"centroids.npy", float_npy({1, 2}, "(1, 2)")};
  EXPECT_THAT(error_reading(make_zip({{"header.json", header()}, kSolution, fewer})),
              HasSubstr("(4, 2), as the grid, got (1, 2)"));
}

TEST(ArchiveFile, RefusesGenotypesThatAreNoMatrix) {
  EXPECT_THAT(error_reading(float_npy({1, 2}, "(2,)")), HasSubstr("(rows, columns)"));
  EXPECT_THAT(error_reading(float_npy({1, 2}, "(2, 1, 1)")), HasSubstr("(rows, columns)"));
  EXPECT_THAT(error_reading(float_npy({}, "(0, 5)")), HasSubstr("at least one each, got (0, 5)"));
  EXPECT_THAT(error_reading(float_npy({}, "(1152921504606846976, 0)")), HasSubstr("at least one each"));
}

TEST(ArchiveFile, RefusesTypesThatDoNotFitTheColumn) {
  const auto message = [](const ZipMember& member) { return error_reading(make_zip({kSolution, member})); };
  EXPECT_THAT(message({"index.npy", float_npy({1, 2}, "(2,)")}), HasSubstr("index.npy: its type must be integers"));
  EXPECT_THAT(message({"objective.npy", npy_bytes("{'descr': '|O', 'fortran_order': False, 'shape': (2,)}", "")}),
              HasSubstr("pickle"));
  const std::string large = npy_bytes("{'descr': '<i8', 'fortran_order': False, 'shape': (2,)}",
                                      std::string("\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0", 16));
  EXPECT_THAT(message({"index.npy", large}), HasSubstr("value 1 must fit 4 bytes, got 4294967296"));
}

TEST(ArchiveFile, NamesTheRowThatIsNotFinite) {
  EXPECT_THAT(error_reading(float_npy({1, 2, kInfinity, 4}, "(2, 2)")),
              HasSubstr("solution: row 1 must be finite, got inf"));
  EXPECT_THAT(error_reading(make_zip({kSolution, {"objective.npy", float_npy({std::nanf(""), 1}, "(2,)")}})),
              HasSubstr("objective: row 0 must be finite, got nan"));
}

TEST(ArchiveFile, RefusesAnNpzWithoutGenotypes) {
  EXPECT_THAT(error_reading(make_zip({{"weights.npy", kSolution.data}})),
              HasSubstr("a member solution.npy, got 'weights.npy'"));
  EXPECT_THAT(error_reading(make_zip({})), HasSubstr("solution.npy"));
}

TEST(ArchiveFile, RefusesWhatIsNoFile) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(error_of([&] { read_archive(folder / "missing"); }),
              AllOf(StartsWith((folder / "missing").string()), HasSubstr("No such file or directory")));
  EXPECT_THAT(error_of([&] { read_archive(folder.path()); }), HasSubstr("must be a regular file, got a folder"));
  EXPECT_THAT(error_of([&] { read_archive(folder / "pipe"); }), HasSubstr("must be a regular file"));
  EXPECT_THAT(error_reading(""), HasSubstr("at least 1 byte"));
  EXPECT_THAT(error_reading("PK"), HasSubstr("must be an archive"));
  EXPECT_THAT(error_reading("\x93NUMPY"), HasSubstr("its length"));
  EXPECT_THAT(error_reading("{\"json\": 1}\n"), HasSubstr("a CSV with columns solution_0, solution_1, ..., got '{"));
}

}  // namespace
}  // namespace aria
