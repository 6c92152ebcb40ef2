#include "aria/run/study_config.hpp"

#include "aria/algorithm/registry.hpp"
#include "study_helpers.hpp"

namespace aria {
namespace {

using aria::testing::error_of;
using aria::testing::TemporaryFolder;
using aria::testing::tiny_study;
using aria::testing::write_bytes;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> names_of(const ResolvedStudy& study) {
  std::vector<std::string> names;
  for (const ResolvedConfig& config : study.algorithms) names.push_back(config.algorithm);
  return names;
}

std::string value_of(const ResolvedStudy& study, const char* algorithm, const char* setting) {
  for (const ResolvedSetting& s : study.find(algorithm)->algorithm_settings) {
    if (s.name == setting) return s.value;
  }
  return "";
}

StudyConfig on_arm() {
  StudyConfig config;
  config.task = "arm";
  return config;
}

TEST(StudyNames, AreSplitAtCommas) {
  EXPECT_THAT(parse_names("a,b , c"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(parse_names(""), ElementsAre(""));
  EXPECT_THAT(parse_names("a,"), ElementsAre("a", ""));
}

TEST(StudyConfig, MeansThePublishedComparisonWhereNothingIsSaid) {
  const ResolvedStudy study = resolve_study(on_arm());
  std::vector<std::string> expected;
  for (const AlgorithmEntry& entry : algorithm_entries()) {
    if (entry.compared && !entry.needs_policy) expected.push_back(entry.name);
  }
  EXPECT_EQ(names_of(study), expected);
  EXPECT_THAT(expected, ::testing::IsSupersetOf({"map-elites", "aria-me", "aria-es"}));
  EXPECT_THAT(expected, AllOf(Not(::testing::Contains("es")), Not(::testing::Contains("aria"))));
  EXPECT_EQ(study.replications, 10u);
  EXPECT_EQ(study.common().preset, "paper");
  StudyConfig all = on_arm();
  all.algorithms = {{"all", "es"}};
  EXPECT_EQ(resolve_study(all).algorithms.size(), expected.size() + 1);
}

TEST(StudyConfig, ComparesPolicyGradientsWhereThereArePolicies) {
  StudyConfig config = on_arm();
  config.task = "walker";
  EXPECT_THAT(names_of(resolve_study(config)), ::testing::IsSupersetOf({"pga-me", "aria-pga", "aria-me"}));
  config = on_arm();
  config.algorithms = {{"pga-me"}};
  EXPECT_THAT(error_of([&] { resolve_study(config); }), AllOf(HasSubstr("policies"), HasSubstr("'arm'")));
}

TEST(StudyConfig, HasOneOrderOfAlgorithmsWhateverWasSaid) {
  EXPECT_EQ(names_of(resolve_study(tiny_study({"aria-me", "map-elites", "aria-me"}))),
            names_of(resolve_study(tiny_study({"map-elites", "aria-me"}))));
}

TEST(StudyConfig, MakesTheRunsThatTheirSeedsMake) {
  StudyConfig config = tiny_study({"map-elites"}, 3);
  config.seed = 5;
  const ResolvedStudy study = resolve_study(config);
  EXPECT_EQ(study.run(0, 2).seed, 7u);
  RunConfig alone;
  alone.task = "arm";
  alone.algorithm = "map-elites";
  alone.seed = 7;
  alone.reevaluations = 16;
  alone.settings = {{"grid", "4x4"}, {"joints", "5"}, {"budget", "600"}, {"batch", "64"}};
  EXPECT_EQ(study.run(0, 2).to_toml(), resolve(alone, nullptr).config.to_toml());
  EXPECT_EQ(resolve(request_of(study.run(0, 2)), nullptr).config.to_toml(), study.run(0, 2).to_toml());
}

TEST(StudyConfig, GivesASettingToEveryAlgorithmThatHasIt) {
  StudyConfig config = on_arm();
  config.algorithms = {{"map-elites", "aria-me", "aria-es"}};
  config.settings = {{"batch", "77"}, {"fitness_resolution", "0.0625"}, {"joints", "6"}};
  const ResolvedStudy study = resolve_study(config);
  EXPECT_EQ(value_of(study, "map-elites", "batch"), "77");
  EXPECT_EQ(value_of(study, "aria-me", "batch"), "77");
  EXPECT_EQ(value_of(study, "aria-es", "batch"), "");
  EXPECT_EQ(value_of(study, "aria-es", "fitness_resolution"), "0.0625");
  EXPECT_EQ(study.common().task_settings[0].value, "6");
}

TEST(StudyConfig, RefusesWhatItCannotDo) {
  const auto refused = [](const std::function<void(StudyConfig&)>& spoil, const ::testing::Matcher<std::string>& why) {
    StudyConfig config = tiny_study({"map-elites", "aria-me"});
    spoil(config);
    EXPECT_THAT(error_of([&] { resolve_study(config); }), why);
  };
  refused([](StudyConfig& c) { c.task.reset(); }, HasSubstr("--task must be given"));
  refused([](StudyConfig& c) { c.task = "amr"; }, HasSubstr("unknown task 'amr' (did you mean 'arm'?)"));
  refused(
      [](StudyConfig& c) {
        c.algorithms = {{"map-elites", "aria-mee"}};
      },
      HasSubstr("unknown algorithm 'aria-mee' (did you mean 'aria-me'?)"));
  refused([](StudyConfig& c) { c.algorithms = {{""}}; }, HasSubstr("unknown algorithm ''"));
  refused([](StudyConfig& c) { c.algorithms = {{"aria"}}; }, HasSubstr("that start without an archive, got 'aria'"));
  refused([](StudyConfig& c) { c.algorithms.emplace(); }, HasSubstr("--algorithms must be"));
  refused([](StudyConfig& c) { c.replications = 0; }, HasSubstr("replications must be from 1 to 10000, got 0"));
  refused([](StudyConfig& c) { c.replications = 10'001; }, HasSubstr("got 10001"));
  refused([](StudyConfig& c) { c.seed = std::uint64_t{1} << 53; }, HasSubstr("seed must be at most 2^53 - 1"));
  refused([](StudyConfig& c) { c.reevaluations = 0; }, HasSubstr("reevaluations must be at least 2"));
  refused([](StudyConfig& c) { c.preset = "huge"; }, HasSubstr("preset must be paper or lite, got 'huge'"));
  refused([](StudyConfig& c) { c.settings.emplace_back("bacth", "3"); },
          HasSubstr("unknown setting 'bacth' (did you mean 'batch'?)"));
  refused([](StudyConfig& c) { c.settings.emplace_back("initial_steps", "3"); },
          HasSubstr("unknown setting 'initial_steps'"));
  refused([](StudyConfig& c) { c.settings.emplace_back("iso_sigma", "-1"); }, HasSubstr("iso_sigma must be"));
  refused([](StudyConfig& c) { c.algorithm_settings["map-elites"].emplace_back("pairs", "3"); },
          HasSubstr("unknown setting 'pairs'"));
  refused([](StudyConfig& c) { c.algorithm_settings["mop-elites"]; }, HasSubstr("did you mean 'map-elites'?"));
}

TEST(StudyConfig, IsRepeatedFromWhatItComesTo) {
  const TemporaryFolder folder;
  const ResolvedStudy study = resolve_study(tiny_study({"map-elites", "aria-me", "aria-es"}));
  write_bytes(folder / "study.toml", study.to_toml());
  EXPECT_EQ(resolve_study(read_study_config(folder / "study.toml")).to_toml(), study.to_toml());
}

TEST(StudyConfig, LetsWhatIsSaidLastWin) {
  const TemporaryFolder folder;
  write_bytes(folder / "study.toml", resolve_study(tiny_study({"map-elites", "aria-me"})).to_toml());
  StudyConfig over;
  over.algorithms = {{"map-elites"}};
  over.settings = {{"batch", "99"}};
  over.seed = 8;
  const ResolvedStudy study = resolve_study(read_study_config(folder / "study.toml").overridden_by(over));
  EXPECT_THAT(names_of(study), ElementsAre("map-elites"));
  EXPECT_EQ(value_of(study, "map-elites", "batch"), "99");
  EXPECT_EQ(value_of(study, "map-elites", "budget"), "600");
  EXPECT_EQ(study.common().seed, 8u);
}

TEST(StudyConfig, IsReadWithItsFaultsNamed) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& text, const ::testing::Matcher<std::string>& why) {
    write_bytes(folder / "bad.toml", text);
    EXPECT_THAT(error_of([&] { read_study_config(folder / "bad.toml"); }), AllOf(HasSubstr("bad.toml"), why));
  };
  refused("replications = = 2\n", HasSubstr(":1: "));
  refused("algorithm = \"es\"\n", HasSubstr("unknown key 'algorithm' (did you mean 'algorithms'?)"));
  refused("algorithms = [3]\n", HasSubstr("algorithms must be a list of names"));
  refused("replications = -1\n", HasSubstr("replications must be a whole number"));
  refused("settings = 3\n", HasSubstr("settings must be a table"));
  EXPECT_THAT(error_of([&] { read_study_config(folder / "none.toml"); }), HasSubstr("a file that exists"));
}

TEST(ExtendedStudy, TakesMoreAlgorithmsAndReplicationsAndKeepsTheOthers) {
  const ResolvedStudy there = resolve_study(tiny_study({"aria-me"}, 3));
  const ResolvedStudy both = extended(there, resolve_study(tiny_study({"map-elites"}, 2)));
  EXPECT_EQ(both.to_toml(), resolve_study(tiny_study({"map-elites", "aria-me"}, 3)).to_toml());
  EXPECT_EQ(extended(both, there).to_toml(), both.to_toml());
}

TEST(ExtendedStudy, RefusesAnythingElseThatDiffers) {
  const ResolvedStudy there = resolve_study(tiny_study({"map-elites", "aria-me"}));
  const auto refused = [&](const std::function<void(StudyConfig&)>& change, const std::string& why) {
    StudyConfig config = tiny_study({"map-elites", "aria-me"});
    change(config);
    const ResolvedStudy now = resolve_study(config);
    EXPECT_EQ(error_of([&] { extended(there, now); }), why);
  };
  refused([](StudyConfig& c) { c.seed = 2; }, "seed = 1 there, seed = 2 here");
  refused([](StudyConfig& c) { c.preset = "lite"; }, "preset = paper there, preset = lite here");
  refused([](StudyConfig& c) { c.reevaluations = 17; }, "reevaluations = 16 there, reevaluations = 17 here");
  refused([](StudyConfig& c) { c.settings.emplace_back("joints", "7"); }, "joints = 5 there, joints = 7 here");
  refused([](StudyConfig& c) { c.algorithm_settings["aria-me"].emplace_back("pairs", "17"); },
          "aria-me: pairs = 16 there, aria-me: pairs = 17 here");
  StudyConfig other_settings = tiny_study({"aria-es"});
  other_settings.algorithm_settings["aria-es"].emplace_back("pairs", "17");
  EXPECT_EQ(extended(there, resolve_study(other_settings)).algorithms.size(), 3u) << "a new one may have its own";
}

}  // namespace
}  // namespace aria
