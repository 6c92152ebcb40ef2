#include "aria/persistence/archive_csv.hpp"

#include <cmath>
#include <limits>

#include "aria/persistence/archive_file.hpp"
#include "file_helpers.hpp"

namespace aria {
namespace {

using aria::testing::error_of;
using aria::testing::TemporaryFolder;
using aria::testing::write_bytes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string error_parsing(const std::string& text) {
  return error_of([&] { parse_archive_csv(text); });
}

TEST(ArchiveCsv, ReadsWhatPandasWritesOfAPyribsArchive) {
  const ArchiveTable table = parse_archive_csv(
      ",solution_0,solution_1,solution_2,objective,measures_0,measures_1,threshold,index\n"
      "0,0.1257302210933933,-0.1321048632913019,0.6404226504432821,-0.7322673547034516,0.028319671145462966,"
      "0.12428327649956394,-0.7322673547034516,0\n"
      "1,1.3040000451301372,0.9470809631292422,-7.037352358069926e-01,-0.31630015636915454,0.6153851114812539,"
      "0.38367755426188344,-0.31630015636915454,9\n");
  EXPECT_EQ(table.solution, Matrix(2, 3,
                                   {0.1257302210933933f, -0.1321048632913019f, 0.6404226504432821f, 1.3040000451301372f,
                                    0.9470809631292422f, -0.7037352358069926f}));
  EXPECT_THAT(table.objective, ElementsAre(-0.7322673547034516f, -0.31630015636915454f));
  EXPECT_EQ(table.measures,
            Matrix(2, 2, {0.028319671145462966f, 0.12428327649956394f, 0.6153851114812539f, 0.38367755426188344f}));
  EXPECT_THAT(table.index, ElementsAre(0, 9));
}

TEST(ArchiveCsv, ReadsColumnsInAnyOrder) {
  const ArchiveTable table = parse_archive_csv("measures_1,solution_1,index,measures_0,solution_0\n1,2,3,4,5\n");
  EXPECT_EQ(table.solution, Matrix(1, 2, {5, 2}));
  EXPECT_EQ(table.measures, Matrix(1, 2, {4, 1}));
  EXPECT_THAT(table.index, ElementsAre(3));
  EXPECT_TRUE(table.objective.empty());
}

TEST(ArchiveCsv, ToleratesQuotesSpacesCrLfAndAByteOrderMark) {
  const ArchiveTable table = parse_archive_csv(
      "\xef\xbb\xbf\"solution_0\",\"a \"\"strange\"\", name\",\"solution_1\"\r\n"
      "\r\n\"1.5\",\"two\nlines, and a comma\", 2 \r\n3,,4\r\n\r\n");
  EXPECT_EQ(table.solution, Matrix(2, 2, {1.5f, 2, 3, 4}));
}

TEST(ArchiveCsv, ToleratesALastLineWithoutEnd) {
  EXPECT_EQ(parse_archive_csv("solution_0,solution_1\n1,2").solution, Matrix(1, 2, {1, 2}));
  EXPECT_EQ(parse_archive_csv("solution_0,solution_1\r\n1,\"2\"\r").solution, Matrix(1, 2, {1, 2}));
}

TEST(ArchiveCsv, ReadsFloatsExactly) {
  const ArchiveTable table = parse_archive_csv("solution_0\n-0.0\n1e-45\n3.4028235e+38\n0.1\n1e-50\n16777217\n");
  EXPECT_THAT(table.solution.values(), ElementsAre(0.0f, std::numeric_limits<float>::denorm_min(),
                                                   std::numeric_limits<float>::max(), 0.1f, 0.0f, 16777216.0f));
  EXPECT_TRUE(std::signbit(table.solution(0, 0)));
}

TEST(ArchiveCsv, RefusesColumnsThatAreMissingOrTwice) {
  EXPECT_THAT(error_parsing("solution_0,solution_2\n1,2\n"), HasSubstr("numbered 0 to 1, each once, got solution_2"));
  EXPECT_THAT(error_parsing("solution_0,solution_0\n1,2\n"), HasSubstr("each once, got solution_0"));
  EXPECT_THAT(error_parsing("solution_0,measures_1\n1,2\n"), HasSubstr("measures_"));
  EXPECT_THAT(error_parsing("solution_0,objective,objective\n1,2,3\n"),
              HasSubstr("objective must be there once, got 2"));
  EXPECT_THAT(error_parsing("solution_0,index,index\n1,2,3\n"), HasSubstr("index must be there once, got 2"));
  EXPECT_THAT(error_parsing("solution_99999999999999999999,solution_x\n1,2\n"), HasSubstr("solution_0"));
  EXPECT_THAT(error_parsing("x,y\n1,2\n"), HasSubstr("got 'x,y'"));
  EXPECT_THAT(error_parsing("\n\n"), HasSubstr("must be an archive"));
}

TEST(ArchiveCsv, NamesTheRowAndFieldThatAreNoNumber) {
  EXPECT_THAT(error_parsing("a,solution_0\n0,1\n0,zwei\n"),
              HasSubstr("row 1, field 1: it must be a number, got 'zwei'"));
  EXPECT_THAT(error_parsing("solution_0\n1.5x\n"), HasSubstr("got '1.5x'"));
  EXPECT_THAT(error_parsing("solution_0,objective\n1,\n"), HasSubstr("row 0, field 1: it must be a number, got ''"));
  EXPECT_THAT(error_parsing("solution_0\n1e999\n"), HasSubstr("got '1e999'"));
  EXPECT_THAT(error_parsing("solution_0,index\n1,2.5\n"), HasSubstr("integer"));
  EXPECT_THAT(error_parsing("solution_0,index\n1,4294967296\n"), HasSubstr("integer of 4 bytes"));
}

TEST(ArchiveCsv, RefusesRowsOfAnotherLength) {
  EXPECT_THAT(error_parsing("solution_0,solution_1\n1,2\n3\n"),
              HasSubstr("row 1 must have 2 fields, as the first line, got 1"));
  EXPECT_THAT(error_parsing("solution_0\n1,2\n"), HasSubstr("must have 1 fields, as the first line, got 2"));
}

TEST(ArchiveCsv, RefusesBrokenQuotes) {
  EXPECT_THAT(error_parsing("\"solution_0\n1\n"), HasSubstr("a quote must end"));
  EXPECT_THAT(error_parsing("\"solution_0\"x\n1\n"), HasSubstr("must end in ','"));
}

TEST(ArchiveCsv, RefusesTooManyColumns) {
  EXPECT_THAT(error_parsing("solution_0" + std::string(kMaxCsvColumns, ',') + "\n1\n"), HasSubstr("at most 1048576"));
}

TEST(ArchiveCsv, RefusesRowsThatBreakTheRulesOfArchives) {
  const TemporaryFolder folder;
  write_bytes(folder / "a", "solution_0,objective\n1,2\nnan,3\n");
  EXPECT_THAT(error_of([&] { read_archive(folder / "a"); }), HasSubstr("solution: row 1 must be finite, got nan"));
  write_bytes(folder / "a", "solution_0,objective\n1,inf\n");
  EXPECT_THAT(error_of([&] { read_archive(folder / "a"); }), HasSubstr("objective: row 0 must be finite, got inf"));
  write_bytes(folder / "a", "solution_0,objective\n");
  EXPECT_THAT(error_of([&] { read_archive(folder / "a"); }), HasSubstr("at least 1, got 0"));
  write_bytes(folder / "a", "solution_0,index\n1,-1\n");
  EXPECT_THAT(error_of([&] { read_archive(folder / "a"); }), HasSubstr("index: row 0"));
}

}  // namespace
}  // namespace aria
