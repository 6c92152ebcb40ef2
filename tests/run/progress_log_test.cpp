// How far a run has come, in a log and in a checkpoint.
#include "aria/run/progress_log.hpp"

#include "aria/run/run_loop.hpp"
#include "tests/persistence/file_helpers.hpp"

namespace aria {
namespace {

using aria::testing::error_of;
using ::testing::HasSubstr;

AlgorithmStatus status(const std::string& phase, std::size_t planned, std::size_t cells, double best_fitness) {
  return {.phase = phase, .planned_evaluations = planned, .cells = cells, .best_fitness = best_fitness};
}

ProgressLog small_log() {
  ProgressLog log;
  log.add(10, status("first", 4000, 2, -0.5));
  log.add(30, status("second part", 4000, 3, 0.1));
  log.add(60, status("first", 4000, 3, 0.1));
  return log;
}

TEST(ProgressLog, HasOneLinePerMilestone) {
  EXPECT_EQ(small_log().to_csv(),
            "evaluations,phase,cells,best_fitness\n"
            "10,first,2,-0.5\n"
            "30,second part,3,0.1\n"
            "60,first,3,0.1\n");
  EXPECT_EQ(ProgressLog().to_csv(), "evaluations,phase,cells,best_fitness\n");
}

TEST(ProgressLog, HasAColumnForEveryFigureThatAnAlgorithmHas) {
  ProgressLog log;
  AlgorithmStatus learning = status("learning", 4000, 2, 1);
  learning.figures = {{"loss", 0.5}, {"gain", 2}};
  log.add(10, learning);
  log.add(20, status("later", 4000, 3, 1));
  learning.figures = {{"late", 7}, {"loss", 0.25}};
  log.add(30, learning);
  const char* expected =
      "evaluations,phase,cells,best_fitness,loss,gain,late\n"
      "10,learning,2,1,0.5,2,\n"
      "20,later,3,1,,,\n"
      "30,learning,2,1,0.25,,7\n";
  EXPECT_EQ(log.to_csv(), expected);
  ProgressLog copy;
  copy.load(log.save());
  EXPECT_EQ(copy.to_csv(), expected);
}

TEST(ProgressLog, FollowsAPhaseMoreCloselyWhereThatIsWanted) {
  ProgressLog log;
  AlgorithmStatus first = status("first", 1'000'000, 1, 0);
  first.phase_evaluations = 2000;
  log.add(100, first);
  EXPECT_FALSE(log.due(109));
  EXPECT_TRUE(log.due(110));
}

TEST(ProgressLog, IsDueTwoHundredTimesInARun) {
  ProgressLog log;
  EXPECT_TRUE(log.due(0));
  log.add(100, status("all", 4000, 1, 0));
  EXPECT_FALSE(log.due(119));
  EXPECT_TRUE(log.due(120));
}

TEST(ProgressLog, IsDueAtEveryStepOfARunOfUnknownLength) {
  ProgressLog log;
  log.add(100, status("all", 0, 1, 0));
  EXPECT_FALSE(log.due(100));
  EXPECT_TRUE(log.due(101));
}

TEST(ProgressLog, GoesOnAsItWouldHave) {
  ProgressLog log = small_log();
  ProgressLog copy;
  copy.load(log.save());
  EXPECT_EQ(copy.to_csv(), log.to_csv());
  EXPECT_FALSE(copy.due(79));
  EXPECT_TRUE(copy.due(80));
  for (ProgressLog* each : {&log, &copy}) each->add(90, status("second part", 4000, 4, 0.2));
  EXPECT_EQ(copy.to_csv(), log.to_csv());
  EXPECT_EQ(copy.save(), log.save());
}

TEST(ProgressLog, RefusesADamagedState) {
  const State good = small_log().save();
  State phase = good;
  phase.put("phase", std::vector<std::int64_t>{0, 7, 0});
  EXPECT_THAT(error_of([&] { ProgressLog().load(phase); }), HasSubstr("phase"));
  State cells = good;
  cells.put("cells", std::vector<std::int64_t>{1});
  EXPECT_THAT(error_of([&] { ProgressLog().load(cells); }), HasSubstr("cells"));
  State lost = good;
  lost.arrays().erase("best_fitness");
  EXPECT_THAT(error_of([&] { ProgressLog().load(lost); }), HasSubstr("best_fitness"));
}

TEST(ProgressLog, KeepsWhatItHasWhenAStateIsRefused) {
  ProgressLog log = small_log();
  const std::string before = log.to_csv();
  ProgressLog other;
  other.add(5, status("other", 0, 9, 9));
  State state = other.save();
  state.arrays().erase("next");
  EXPECT_THROW(log.load(state), InputError);
  EXPECT_EQ(log.to_csv(), before);
}

TEST(RunProgress, IsSavedAndLoaded) {
  RunProgress progress;
  progress.evaluations = 90;
  progress.failed = 4;
  progress.seconds = 1.25;
  progress.log = small_log();
  RunProgress copy;
  copy.load(progress.save());
  EXPECT_EQ(copy.evaluations, 90u);
  EXPECT_EQ(copy.failed, 4u);
  EXPECT_EQ(copy.seconds, 1.25);
  EXPECT_EQ(copy.log.to_csv(), progress.log.to_csv());
}

TEST(RunProgress, RefusesCountersThatCannotBe) {
  RunProgress progress;
  progress.evaluations = 3;
  State state = progress.save();
  state.put("failed", std::int64_t{4});
  EXPECT_THAT(error_of([&] { progress.load(state); }), HasSubstr("0 <= failed <= evaluations"));
  state.put("failed", std::int64_t{-1});
  EXPECT_THROW(progress.load(state), InputError);
}

}  // namespace
}  // namespace aria
