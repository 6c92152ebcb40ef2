// Where the settings of a run come from, and what they come to.
#include "aria/run/configuration.hpp"

#include <algorithm>

#include "run_helpers.hpp"
#include "tests/persistence/file_helpers.hpp"

namespace aria {
namespace {

using aria::testing::brought_archive;
using aria::testing::error_of;
using aria::testing::TemporaryFolder;
using aria::testing::tiny_config;
using aria::testing::write_bytes;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;
using ::testing::StartsWith;

RunConfig with_setting(RunConfig config, const std::string& name, const std::string& value) {
  config.settings.emplace_back(name, value);
  return config;
}

std::string value_of(const std::vector<ResolvedSetting>& settings, const std::string& name) {
  const auto found = std::ranges::find(settings, name, &ResolvedSetting::name);
  return found == settings.end() ? "(not there)" : found->value;
}

class ConfigFile : public ::testing::Test {
 protected:
  RunConfig read(const std::string& text) {
    write_bytes(path_, text);
    return read_config(path_);
  }
  std::string error(const std::string& text) {
    return error_of([&] { read(text); });
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "run.toml";
};

TEST_F(ConfigFile, SaysWhatToRun) {
  const RunConfig config = read(R"(task = "arm"
algorithm = "es"
seed = 12
preset = "lite"
reevaluations = 1_000

[settings]
sigma = 0.5
pairs = 64
grid = [3, 4]
spread = "variance"
)");
  EXPECT_EQ(config.task, "arm");
  EXPECT_EQ(config.algorithm, "es");
  EXPECT_EQ(config.seed, 12u);
  EXPECT_EQ(config.preset, "lite");
  EXPECT_EQ(config.reevaluations, 1000u);
  EXPECT_THAT(config.settings, ::testing::UnorderedElementsAre(Pair("sigma", "0.5"), Pair("pairs", "64"),
                                                               Pair("grid", "3,4"), Pair("spread", "variance")));
}

TEST_F(ConfigFile, MayBeEmpty) {
  write_bytes(path_, "# nothing but a comment\n");
  const RunConfig config = read_config(path_);
  EXPECT_FALSE(config.task || config.algorithm || config.seed || config.preset || config.reevaluations);
  EXPECT_TRUE(config.settings.empty());
}

TEST_F(ConfigFile, TakesNumbersAsText) {
  EXPECT_EQ(read("seed = \"2e3\"").seed, 2000u);
  EXPECT_EQ(read("seed = 2e3").seed, 2000u);
}

TEST_F(ConfigFile, SuggestsTheNearestKey) {
  EXPECT_THAT(error("algoritm = \"es\""),
              AllOf(StartsWith(path_.string()), HasSubstr("'algoritm'"), HasSubstr("did you mean 'algorithm'?")));
}

TEST_F(ConfigFile, NamesTheKeyOfABadValue) {
  EXPECT_THAT(error("seed = -1"), HasSubstr("seed must be a whole number from 0 to 2^53, got '-1'"));
  EXPECT_THAT(error("seed = 1.5"), HasSubstr("got '1.5'"));
  EXPECT_THAT(error("seed = true"), HasSubstr("seed must be a number, a text or a list of whole numbers"));
  EXPECT_THAT(error("seed = 2020-01-01"), HasSubstr("seed must be"));
  EXPECT_THAT(error("reevaluations = \"many\""), HasSubstr("reevaluations must be a whole number"));
  EXPECT_THAT(error("settings = 3"), HasSubstr("settings must be a table"));
  EXPECT_THAT(error("[settings]\nsigma = {a = 1}"), HasSubstr("sigma must be"));
  EXPECT_THAT(error("[settings]\ngrid = [3, 4.5]"), HasSubstr("grid must be a list of whole numbers"));
}

TEST_F(ConfigFile, TellsTheLineOfASyntaxError) {
  EXPECT_THAT(error("task = \"arm\"\nseed = = 3\n"), StartsWith(path_.string() + ":2: "));
  EXPECT_THAT(error("task = \"arm\n"), StartsWith(path_.string() + ":1: "));
  EXPECT_THAT(error("task = \"arm\"\ntask = \"arm\"\n"), StartsWith(path_.string() + ":2: "));
  EXPECT_THAT(error("\n\nsee\xff = 3\n"), StartsWith(path_.string() + ":3: "));
}

// Found by the fuzzer, with the library's assertions on.
TEST_F(ConfigFile, IsRefusedWithBytesThatAreNotAscii) {
  EXPECT_THAT(error(std::string("seed = 1\n[\0settings]\n", 21)), HasSubstr(":2: a configuration must be plain ASCII"));
  EXPECT_THAT(error("seed\xd0\xa4 = 1\n"), HasSubstr("got a byte 0xd0"));
  EXPECT_THAT(error("seed = 1 # \x01\n"), HasSubstr("got a byte 0x01"));
}

TEST_F(ConfigFile, MustBeThere) {
  EXPECT_THAT(error_of([&] { read_config(folder_ / "none.toml"); }),
              AllOf(HasSubstr("none.toml"), HasSubstr("a file that exists")));
  EXPECT_THAT(error_of([&] { read_config(folder_.path()); }), HasSubstr(folder_.path().string()));
}

TEST_F(ConfigFile, IsNotReadWhereItIsLarge) {
  const std::size_t limit = std::size_t{1} << 20;
  EXPECT_THAT(error(std::string(limit + 1, '#')), AllOf(HasSubstr("at most 1048576 bytes"), EndsWith("got 1048577")));
  EXPECT_NO_THROW(read(std::string(limit, '#')));
}

TEST(RunConfig, GivesWayToWhatIsSaidLater) {
  RunConfig file;
  file.task = "arm";
  file.seed = 3;
  file.preset = "lite";
  file.settings = {{"sigma", "0.1"}, {"pairs", "8"}};
  RunConfig given;
  given.algorithm = "es";
  given.seed = 4;
  given.reevaluations = 0;
  given.settings = {{"sigma", "0.2"}};
  const RunConfig both = file.overridden_by(given);
  EXPECT_EQ(both.task, "arm");
  EXPECT_EQ(both.algorithm, "es");
  EXPECT_EQ(both.seed, 4u);
  EXPECT_EQ(both.preset, "lite");
  EXPECT_EQ(both.reevaluations, 0u);
  EXPECT_THAT(both.settings, ElementsAre(Pair("sigma", "0.1"), Pair("pairs", "8"), Pair("sigma", "0.2")));
}

TEST(Assignment, IsANameAndAValue) {
  EXPECT_THAT(parse_assignment("sigma=0.1"), Pair("sigma", "0.1"));
  EXPECT_THAT(parse_assignment("note=a=b"), Pair("note", "a=b"));
  EXPECT_THAT(parse_assignment("empty="), Pair("empty", ""));
}

TEST(Assignment, MustHaveAName) {
  for (const char* text : {"sigma", "=3", "", "="}) {
    EXPECT_THAT(error_of([&] { parse_assignment(text); }),
                AllOf(HasSubstr("--set must be name=value"), EndsWith("'" + std::string(text) + "'")));
  }
}

TEST(RecordedSettings, AreThoseOfTheTaskAndComeFirst) {
  ArchiveTable archive;
  archive.task = "arm";
  archive.provenance = {{"algorithm", "map-elites"}, {"setting.batch", "7"}, {"setting.joints", "5"}, {"seed", "3"}};
  RunConfig config;
  config.task = "arm";
  config.settings = {{"joints", "6"}};
  EXPECT_THAT(with_recorded_settings(config, archive).settings, ElementsAre(Pair("joints", "5"), Pair("joints", "6")));
  archive.task = "another";
  EXPECT_THAT(with_recorded_settings(config, archive).settings, ElementsAre(Pair("joints", "6")));
}

TEST(Resolve, FillsInEveryDefault) {
  RunConfig config;
  config.task = "arm";
  config.algorithm = "map-elites";
  const ResolvedRun run = resolve(config, nullptr);
  EXPECT_EQ(run.config.seed, kDefaultSeed);
  EXPECT_EQ(run.config.preset, "paper");
  EXPECT_EQ(run.config.reevaluations, 1024u);
  EXPECT_EQ(value_of(run.config.task_settings, "joints"), "8");
  EXPECT_EQ(value_of(run.config.task_settings, "grid"), "[32, 32]");
  EXPECT_EQ(value_of(run.config.algorithm_settings, "budget"), "428228608");
  EXPECT_EQ(run.config.input_checksum, "");
}

TEST(Resolve, KnowsThePresets) {
  RunConfig config;
  config.task = "arm";
  config.algorithm = "map-elites";
  config.preset = "lite";
  EXPECT_EQ(value_of(resolve(config, nullptr).config.algorithm_settings, "budget"), "26764288");
  config.preset = "medium";
  EXPECT_THAT(error_of([&] { resolve(config, nullptr); }), HasSubstr("preset must be paper or lite, got 'medium'"));
}

TEST(Resolve, GivesSettingsToTheTaskAndToTheAlgorithm) {
  const ResolvedRun run = resolve(tiny_config("aria-es"), nullptr);
  EXPECT_EQ(value_of(run.config.task_settings, "grid"), "[4, 4]");
  EXPECT_EQ(value_of(run.config.algorithm_settings, "pairs"), "16");
  EXPECT_EQ(value_of(run.config.algorithm_settings, "grid"), "(not there)");
  EXPECT_EQ(run.task->info().parameters, 5u);
  EXPECT_THAT(run.task->info().grid.cells, ElementsAre(4, 4));
}

TEST(Resolve, LetsTheLastOfANameWin) {
  const RunConfig config = with_setting(with_setting(tiny_config("es"), "sigma", "0.1"), "sigma", "0.2");
  EXPECT_EQ(value_of(resolve(config, nullptr).config.algorithm_settings, "sigma"), "0.2");
}

TEST(Resolve, AsksForATaskAndAnAlgorithm) {
  RunConfig config;
  config.algorithm = "es";
  EXPECT_THAT(error_of([&] { resolve(config, nullptr); }), HasSubstr("--task must be given"));
  config.task = "arm";
  config.algorithm.reset();
  EXPECT_THAT(error_of([&] { resolve(config, nullptr); }), HasSubstr("--algorithm must be given"));
}

TEST(Resolve, SuggestsTheNearestName) {
  RunConfig config = tiny_config("es");
  config.task = "amr";
  EXPECT_THAT(error_of([&] { resolve(config, nullptr); }), HasSubstr("unknown task 'amr' (did you mean 'arm'?)"));
  config = tiny_config("es");
  config.algorithm = "aria_me";
  EXPECT_THAT(error_of([&] { resolve(config, nullptr); }),
              HasSubstr("unknown algorithm 'aria_me' (did you mean 'aria-me'?)"));
  EXPECT_THAT(error_of([&] { resolve(with_setting(tiny_config("es"), "segma", "1"), nullptr); }),
              HasSubstr("unknown setting 'segma' (did you mean 'sigma'?)"));
  EXPECT_THAT(error_of([&] { resolve(with_setting(tiny_config("es"), "joint", "1"), nullptr); }),
              AllOf(HasSubstr("did you mean 'joints'?"), HasSubstr("there are: "), HasSubstr("initial_steps")));
}

TEST(Resolve, RefusesASettingOfAnotherAlgorithm) {
  EXPECT_THAT(error_of([&] { resolve(with_setting(tiny_config("map-elites"), "pairs", "8"), nullptr); }),
              HasSubstr("unknown setting 'pairs'"));
}

TEST(Resolve, NamesTheSettingOfABadValue) {
  const auto error = [](const std::string& algorithm, const std::string& name, const std::string& value) {
    return error_of([&] { resolve(with_setting(tiny_config(algorithm), name, value), nullptr); });
  };
  EXPECT_THAT(error("es", "sigma", "x"), HasSubstr("sigma must be a finite number, got 'x'"));
  EXPECT_THAT(error("es", "sigma", "-1"), AllOf(HasSubstr("sigma must be"), EndsWith("got -1")));
  EXPECT_THAT(error("es", "pairs", "-1"), HasSubstr("pairs must be a whole number"));
  EXPECT_THAT(error("es", "pairs", "0"), AllOf(HasSubstr("pairs must be"), EndsWith("got 0")));
  EXPECT_THAT(error("es", "joints", "0"), HasSubstr("joints must be from 1 to 1024, got 0"));
  EXPECT_THAT(error("es", "grid", "4"), HasSubstr("grid must be two numbers of cells"));
  EXPECT_THAT(error("es", "spread", "wide"), HasSubstr("spread must be one of deviation, variance, got 'wide'"));
}

TEST(Resolve, LimitsTheReevaluations) {
  RunConfig config = tiny_config("es");
  config.reevaluations = (std::size_t{1} << 24) + 1;
  EXPECT_THAT(error_of([&] { resolve(config, nullptr); }),
              AllOf(HasSubstr("reevaluations must be from 0"), EndsWith("got 16777217")));
  config.reevaluations = 0;
  EXPECT_NO_THROW(resolve(config, nullptr));
}

TEST(Resolve, NeedsAnArchiveForAriaAlone) {
  EXPECT_THAT(error_of([&] { resolve(tiny_config("aria"), nullptr); }),
              AllOf(HasSubstr("'aria'"), HasSubstr("an archive to start from"), HasSubstr("aria improve")));
}

TEST(Resolve, TellsArchivesApart) {
  ArchiveTable archive = brought_archive();
  const std::string first = resolve(tiny_config("aria"), &archive).config.input_checksum;
  EXPECT_EQ(first.size(), 16u);
  EXPECT_EQ(resolve(tiny_config("aria"), &archive).config.input_checksum, first);
  archive.solution(0, 0) = -0.0f;
  EXPECT_NE(resolve(tiny_config("aria"), &archive).config.input_checksum, first);
}

TEST(Resolve, RefusesGenotypesOfAnotherLength) {
  ArchiveTable archive;
  archive.solution = Matrix(2, 3);
  EXPECT_THAT(error_of([&] { resolve(tiny_config("aria"), &archive); }),
              HasSubstr("a genotype of the archive must be 5 parameters long for task 'arm', got 3"));
}

TEST(ResolvedConfig, IsWrittenAsAConfigurationFile) {
  RunConfig config = tiny_config("map-elites");
  config.seed = 9;
  EXPECT_EQ(resolve(config, nullptr).config.to_toml(), R"(task = "arm"
algorithm = "map-elites"
seed = 9
preset = "paper"
reevaluations = 16

[settings]
joints = 5
fitness_noise = 0.01
descriptor_noise = 0.01
spread = "deviation"
grid = [4, 4]
budget = 600
batch = 64
iso_sigma = 0.01
line_sigma = 0.1
)");
}

TEST(ResolvedConfig, SaysWhichArchiveItIsFor) {
  const ArchiveTable archive = brought_archive();
  const ResolvedConfig config = resolve(tiny_config("aria"), &archive).config;
  EXPECT_THAT(config.to_toml(), HasSubstr("\ninput_checksum = \"" + config.input_checksum + "\"\n"));
  EXPECT_THAT(resolve(tiny_config("es"), nullptr).config.to_toml(), Not(HasSubstr("input_checksum")));
}

TEST_F(ConfigFile, OfAnyRunIsReadBackAsTheSameRun) {
  const ArchiveTable archive = brought_archive();
  for (const char* algorithm :
       {"map-elites", "me-sa", "me-sa-r", "mome-r", "es", "aria-me", "aria-linear", "aria-es", "aria"}) {
    RunConfig config = tiny_config(algorithm);
    config.preset = "lite";
    config = with_setting(config, "spread", "variance");
    // numbers that are written with an exponent, and ones that need all their digits
    config = with_setting(config, "descriptor_noise", "1e-7");
    config = with_setting(config, "fitness_noise", "0.30000000000000004");
    config.seed = std::uint64_t{1} << 53;
    const ArchiveTable* brought = std::string(algorithm) == "aria" ? &archive : nullptr;
    const std::string text = resolve(config, brought).config.to_toml();
    EXPECT_EQ(resolve(read(text), brought).config.to_toml(), text);
  }
}

}  // namespace
}  // namespace aria
