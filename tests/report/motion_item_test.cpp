// How solutions move, in the data of a report page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "aria/report/packing.hpp"
#include "aria/report/report_data.hpp"
#include "tests/persistence/file_helpers.hpp"

namespace aria {
namespace {

using aria::testing::full_reevaluation;

using Json = nlohmann::ordered_json;
using Kind = ReportMotion::Kind;

ReportRun run_with(std::optional<ReportMotion> motion, std::size_t solutions = 3) {
  ReportArchive archive;
  archive.table.solution = Matrix(solutions, 1);
  archive.motion = std::move(motion);
  return {.name = "runs/ant",
          .task = "ant",
          .algorithm = "",
          .seed = {},
          .settings = {},
          .grid = Grid(GridShape{{2, 2}, {-30, -30}, {30, 30}}),
          .fitness_range = {0, 1},
          .evaluations = {},
          .seconds = {},
          .archives = {archive},
          .progress = {}};
}

Json motion_of(const ReportItem& item, std::size_t page_bytes = 0) {
  return Json::parse(report_json({item}, page_bytes))["items"][0]["archives"][0]["motion"];
}

// Solutions 2 and 0, two rollouts of three places each.
ReportMotion small_path() {
  return {.kind = Kind::kPath,
          .rows = {2, 0},
          .rollouts = 2,
          .steps = {10, 4, 10, 0},
          .step_seconds = 0.05,
          .longest = 10,
          .points = 3,
          .path = {0, 0, 1, 2, 4, 8, 0, 0, -1, 2, -4, 4, 0, 0, 0, 4, 0, 0, 0, 0, 2, 2, 2, 0},
          .feet = {},
          .touches = {}};
}

// One solution, two rollouts of five steps.
ReportMotion small_gait() {
  return {.kind = Kind::kGait,
          .rows = {1},
          .rollouts = 2,
          .steps = {5, 3},
          .step_seconds = 0.01,
          .longest = 5,
          .points = 0,
          .path = {},
          .feet = {"right", "left"},
          .touches = {1, 1, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 0, 0}};
}

// As many of each as there are cells on the published grid.
ReportMotion large_motion(Kind kind, std::size_t solutions, std::size_t rollouts) {
  ReportMotion motion{.kind = kind,
                      .rows = {},
                      .rollouts = rollouts,
                      .steps = std::vector<std::uint32_t>(solutions * rollouts, 250),
                      .step_seconds = 0.05,
                      .longest = 250,
                      .points = 40,
                      .path = {},
                      .feet = {},
                      .touches = {}};
  for (std::size_t row = 0; row < solutions; ++row) motion.rows.push_back(row);
  if (kind == Kind::kPath) motion.path.assign(solutions * rollouts * 40 * 2, 1);
  if (kind == Kind::kGait) motion.feet = {"right", "left"};
  if (kind == Kind::kGait) motion.touches.assign(solutions * rollouts * 2 * 250, 1);
  return motion;
}

TEST(ReportMotion, IsNullWhereNothingMoves) { EXPECT_TRUE(motion_of(run_with(std::nullopt)).is_null()); }

TEST(ReportMotion, HasThePathsOfSomeSolutions) {
  const Json motion = motion_of(run_with(small_path()));
  EXPECT_EQ(motion["kind"], "path");
  EXPECT_EQ(motion["rows"], packed(std::vector<std::int32_t>{2, 0}));
  EXPECT_EQ(motion["rollouts"], 2);
  EXPECT_EQ(motion["steps"], packed(std::vector<std::int32_t>{10, 4, 10, 0}));
  EXPECT_EQ(motion["step_seconds"], 0.05);
  EXPECT_EQ(motion["longest"], 10);
  EXPECT_EQ(motion["feet"], Json::array());
  EXPECT_TRUE(motion["touches"].is_null());
  const Json& path = motion["path"];
  EXPECT_EQ(path["points"], 3);
  EXPECT_EQ(path["lower"], Json({-4.0, 0.0}));
  EXPECT_EQ(path["upper"], Json({4.0, 8.0}));
  // x = -4 + q / 65534 * 8, y = q / 65534 * 8
  const std::vector<std::uint16_t> expected = {32767, 0,     40959, 16384, 65534, 65534, 32767, 0,
                                               24575, 16384, 0,     32767, 32767, 0,     32767, 32767,
                                               32767, 0,     32767, 0,     49151, 16384, 49151, 0};
  EXPECT_EQ(path["values"], packed(expected));
}

TEST(ReportMotion, HasTheGaitInBits) {
  const Json motion = motion_of(run_with(small_gait()));
  EXPECT_EQ(motion["kind"], "gait");
  EXPECT_TRUE(motion["path"].is_null());
  EXPECT_EQ(motion["feet"], Json({"right", "left"}));
  // 11001 00110 11100 00100, the first the lowest bit
  EXPECT_EQ(motion["touches"], packed(std::vector<std::uint8_t>{0b10010011, 0b00011101, 0b0010}));
}

TEST(ReportMotion, LeavesOutPlacesThatAreNone) {
  ReportMotion motion = small_path();
  motion.path[4] = std::nanf("");
  motion.path[7] = std::numeric_limits<float>::infinity();
  const Json path = motion_of(run_with(motion))["path"];
  EXPECT_EQ(path["upper"], Json({2.0, 4.0}));
  const auto values = path["values"].get<std::string>();
  // places 2 and 3, four bytes each from byte 8 on, are all ones
  EXPECT_EQ(values.substr(12, 8), std::string("//////") + values.substr(18, 2));
}

TEST(ReportMotion, StaysSmallOnThePublishedGrid) {
  for (const Kind kind : {Kind::kPath, Kind::kGait}) {
    const std::string text = report_json({run_with(large_motion(kind, 1024, 4), 1024)}, 350'000);
    EXPECT_EQ(Json::parse(text)["items"][0]["archives"][0]["motion"]["rollouts"], 4);
    EXPECT_LT(text.size(), 1'000'000u);
  }
}

TEST(ReportMotion, HasFewerRolloutsWhereThePageWouldBeTooLarge) {
  constexpr std::size_t kTemplate = 350'000;
  for (const Kind kind : {Kind::kPath, Kind::kGait}) {
    const std::vector<ReportItem> items = {run_with(large_motion(kind, 4000, 20), 4000)};
    const std::string text = report_json(items, kTemplate);
    const std::size_t rollouts = Json::parse(text)["items"][0]["archives"][0]["motion"]["rollouts"];
    EXPECT_GT(rollouts, 1u);
    EXPECT_LT(rollouts, 20u);
    // half of what the template leaves
    EXPECT_LT(text.size(), (kMaxPageBytes - kTemplate) / 2 + 1000);
    EXPECT_GT(text.size() * (rollouts + 1) / rollouts, (kMaxPageBytes - kTemplate) / 2);
  }
  EXPECT_TRUE(motion_of(run_with(small_path()), kMaxPageBytes).is_null());
}

TEST(ReportMotion, TakesTheFirstRolloutsOfEachSolution) {
  ReportMotion motion = small_path();
  // so many places that only one rollout of each solution has room
  motion.points = 200'000;
  motion.path.assign(2 * 2 * motion.points * 2, 0);
  motion.path[2 * motion.points] = 7;   // second rollout of the first solution
  motion.path[4 * motion.points] = 50;  // first rollout of the second
  const Json object = motion_of(run_with(motion));
  EXPECT_EQ(object["rollouts"], 1);
  EXPECT_EQ(object["steps"], packed(std::vector<std::int32_t>{10, 10}));
  EXPECT_EQ(object["path"]["upper"], Json({50.0, 0.0}));
}

TEST(ReportMotion, LeavesRoomForTheSamples) {
  ReportRun run = run_with(large_motion(Kind::kPath, 3, 4));
  run.archives[0].reevaluation = full_reevaluation();
  const Json archive = Json::parse(report_json({run}, 0))["items"][0]["archives"][0];
  EXPECT_EQ(archive["motion"]["rollouts"], 4);
  EXPECT_EQ(archive["real"]["samples"]["count"], 2);
}

TEST(ReportMotion, IsNotToldOfTheRunsOfAStudy) {
  const ReportStudy study{"runs/study", R"({"format": 1})", {run_with(small_path())}};
  const Json item = Json::parse(report_json({study}, 0))["items"][0];
  EXPECT_TRUE(item["runs"][0]["archives"][0]["motion"].is_null());
}

}  // namespace
}  // namespace aria
