#include "aria/task/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/messages.hpp"

namespace aria {
namespace {

using aria::testing::message_of;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

TEST(TaskRegistry, ListsTheArm) { EXPECT_THAT(task_entries(), Contains(Field(&TaskEntry::name, "arm"))); }

TEST(TaskRegistry, HasASummaryAndAPlanForEveryTask) {
  for (const TaskEntry& entry : task_entries()) {
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    EXPECT_EQ(entry.summary.find('\n'), std::string::npos) << entry.name;
    EXPECT_EQ(plan_task(entry.name).build()->info().name, entry.name);
  }
}

TEST(TaskRegistry, SuggestsTheNearestNameForATaskThatIsUnknown) {
  EXPECT_THAT(message_of([] { plan_task("amr"); }),
              AllOf(HasSubstr("unknown task 'amr'"), HasSubstr("did you mean 'arm'?"), HasSubstr("there are: arm")));
}

TEST(TaskPlan, BuildsWithTheSettingsThatWereMade) {
  TaskPlan plan = plan_task("arm");
  EXPECT_THAT(plan.settings.names(), IsSupersetOf({"joints", "fitness_noise", "descriptor_noise", "spread", "grid"}));
  plan.settings.set("joints", "12");
  plan.settings.set("grid", "6x7");
  const auto task = plan.build();
  EXPECT_EQ(task->info().parameters, 12u);
  EXPECT_THAT(task->info().grid.cells, ElementsAre(6, 7));
}

TEST(TaskPlan, ChecksItsSettingsWhenItBuilds) {
  TaskPlan plan = plan_task("arm");
  plan.settings.set("joints", "0");
  EXPECT_THAT(message_of([&] { plan.build(); }), AllOf(HasSubstr("joints"), HasSubstr("got 0")));
}

TEST(TaskPlan, IsItsOwn) {
  TaskPlan first = plan_task("arm");
  TaskPlan second = plan_task("arm");
  first.settings.set("joints", "3");
  EXPECT_EQ(second.build()->info().parameters, 8u);
  EXPECT_EQ(first.build()->info().parameters, 3u);
}

}  // namespace
}  // namespace aria
