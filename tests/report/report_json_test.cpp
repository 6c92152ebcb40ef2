// The data of a report page. That its numbers are those of the files is checked from outside, in tests/cli.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "aria/report/packing.hpp"
#include "aria/report/report_data.hpp"
#include "tests/persistence/file_helpers.hpp"
#include "tests/support/messages.hpp"

namespace aria {
namespace {

using aria::testing::full_reevaluation;
using aria::testing::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Json = nlohmann::ordered_json;

ReportArchive small_archive() {
  ReportArchive archive;
  archive.label = "an archive";
  archive.table.solution = Matrix(3, 1);
  archive.table.objective = {1, 2, 3};
  archive.table.measures = Matrix(3, 2, {0.1f, 0.0f, 0.9f, 0.0f, 0.9f, 0.2f});
  archive.reevaluation = full_reevaluation();
  return archive;
}

ReportRun small_run() {
  ReportRun run{.name = "runs/a",
                .task = "arm",
                .algorithm = "map-elites",
                .seed = 3,
                .settings = {{"grid", "[2, 3]"}},
                .grid = *full_reevaluation().grid,
                .fitness_range = {-2, 0},
                .evaluations = 100,
                .seconds = 1.5,
                .archives = {small_archive()},
                .progress = parse_progress("evaluations,phase,best\n10,ES,-1.5\n20,done,nan\n")};
  return run;
}

Json item_of(const ReportItem& item, std::size_t page_bytes = 0) {
  const Json report = Json::parse(report_json({item}, page_bytes));
  EXPECT_EQ(report["format"], 1);
  EXPECT_EQ(report["version"], ARIA_VERSION);
  EXPECT_EQ(report["items"].size(), 1u);
  return report["items"][0];
}

TEST(ReportJson, SaysWhatARunWas) {
  const Json run = item_of(small_run());
  EXPECT_EQ(run["kind"], "run");
  EXPECT_EQ(run["name"], "runs/a");
  EXPECT_EQ(run["seed"], 3);
  EXPECT_EQ(run["settings"], Json::parse(R"([{"name": "grid", "value": "[2, 3]"}])"));
  EXPECT_EQ(run["grid"]["cells"], Json({2, 3}));
  EXPECT_EQ(run["measure_names"], Json({"x", "y"}));
  EXPECT_EQ(run["fitness_range"], Json({-2.0, 0.0}));
  EXPECT_EQ(run["progress"]["columns"], Json({"evaluations", "phase", "best"}));
  EXPECT_EQ(run["progress"]["rows"], Json::parse(R"([[10.0, "ES", -1.5], [20.0, "done", null]])"));
}

TEST(ReportJson, HasNullForWhatIsUnknown) {
  ReportRun run = small_run();
  run.lone_archive = true;
  run.task = run.algorithm = "";
  run.seed.reset();
  run.evaluations.reset();
  run.seconds.reset();
  run.progress.reset();
  run.archives[0].table.objective.clear();
  run.archives[0].reevaluation.reset();
  const Json item = item_of(run);
  EXPECT_EQ(item["kind"], "archive");
  for (const char* key : {"task", "algorithm", "seed", "evaluations", "seconds", "progress"}) {
    EXPECT_TRUE(item[key].is_null()) << key;
  }
  for (const char* key : {"believed", "real", "profile"}) EXPECT_TRUE(item["archives"][0][key].is_null()) << key;
  EXPECT_TRUE(item["archives"][0]["scores"]["corrected"].is_null());
}

TEST(ReportJson, HasWhatWasBelievedAndWhatIsReal) {
  const Json archive = item_of(small_run())["archives"][0];
  EXPECT_EQ(archive["role"], "result");
  EXPECT_EQ(archive["size"], 3);
  EXPECT_EQ(archive["believed"]["cell"], packed(std::vector<std::int32_t>{1, 4, 5}));
  EXPECT_EQ(archive["real"]["cell"], packed(full_reevaluation().index));
  EXPECT_EQ(archive["real"]["kept"], packed(std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(archive["real"]["evaluations"], 10);
  EXPECT_EQ(archive["real"]["spread"], packed(std::vector<float>{0.5f, 0.0f, std::nanf("")}));
  EXPECT_EQ(archive["real"]["samples"]["count"], 2);
  // two solutions of six cells, of fitness -1.5 and 0
  const auto share = archive["profile"]["share"].get<std::vector<double>>();
  EXPECT_EQ(share.front(), 2.0 / 6);
  EXPECT_EQ(share.back(), 1.0 / 6);
  EXPECT_EQ(archive["profile"]["thresholds"].size(), share.size());
}

TEST(ReportJson, NamesTheAxesOfAnyNumberOfDimensions) {
  ReportRun run = small_run();
  run.archives.clear();
  run.grid = Grid(GridShape{{4}, {0}, {1}});
  EXPECT_EQ(item_of(run)["measure_names"], Json({"x"}));
  run.grid = Grid(GridShape{{2, 2, 2, 2}, {0, 0, 0, 0}, {1, 1, 1, 1}});
  EXPECT_EQ(item_of(run)["measure_names"], Json({"d1", "d2", "d3", "d4"}));
}

// Many solutions with all the samples that a report takes.
ReportRun large_run(std::size_t n) {
  ReportRun run = small_run();
  ReportArchive& archive = run.archives[0];
  archive.table = ArchiveTable();
  archive.table.solution = Matrix(n, 1);
  Reevaluation& r = *archive.reevaluation;
  r.samples = 100;
  r.objective_mean = r.objective_std = r.cell_probability = r.cell_probability_lower = r.cell_probability_upper =
      std::vector<float>(n);
  r.measures_mean = r.measures_std = Matrix(n, 2);
  r.descriptor_variance.assign(n, 0);
  r.index.assign(n, 0);
  r.non_finite.assign(n, 0);
  r.objective_samples.assign(n * kReportSamples, 0);
  r.measures_samples = Matrix(n * kReportSamples, 2);
  return run;
}

TEST(ReportJson, StaysBelowTheSizeOfAPage) {
  EXPECT_EQ(item_of(large_run(1000))["archives"][0]["real"]["samples"]["count"], 64);
  constexpr std::size_t kTemplate = 600'000;
  for (const std::size_t n : {20'000u, 40'000u}) {
    const std::vector<ReportItem> items = {large_run(n)};
    const std::string text = report_json(items, kTemplate);
    EXPECT_LT(kTemplate + text.size(), kMaxPageBytes) << n;
    EXPECT_GT(kTemplate + text.size(), kMaxPageBytes * 9 / 10) << n;
  }
  EXPECT_TRUE(item_of(large_run(75'000), kTemplate)["archives"][0]["real"]["samples"].is_null());
}

TEST(ReportJson, HoldsAStudyAsItIsWithRunsWithoutSamples) {
  const ReportStudy study{"runs/study", R"({"format": 1, "b": [1, null], "a": "text"})", {small_run()}};
  const Json item = item_of(study);
  EXPECT_EQ(item["kind"], "study");
  EXPECT_EQ(item["data"].dump(), R"({"format":1,"b":[1,null],"a":"text"})");
  ASSERT_EQ(item["runs"].size(), 1u);
  EXPECT_TRUE(item["runs"][0]["archives"][0]["real"]["samples"].is_null());
}

TEST(ReportJson, TakesNamesThatAreNoText) {
  ReportRun run = small_run();
  run.name = "runs/\xff\"\n";
  EXPECT_THAT(item_of(run)["name"].get<std::string>(), HasSubstr("\"\n"));
}

TEST(ProgressFile, IsReadForAReport) {
  const ReportProgress progress = parse_progress("a,b\n1,x\n,\n");
  EXPECT_THAT(progress.columns, ElementsAre("a", "b"));
  ASSERT_EQ(progress.rows.size(), 2u);
  EXPECT_THAT(progress.rows[0], ElementsAre("1", "x"));
  EXPECT_THAT(progress.rows[1], ElementsAre("", ""));
  EXPECT_THAT(message_of([] { parse_progress("a,b\n1,2\n1,2,3\n"); }), HasSubstr("row 1: its fields must be 2, got 3"));
}

}  // namespace
}  // namespace aria
