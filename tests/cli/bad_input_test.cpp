// Bad input is told in one line that names the thing, the rule and the value, and leaves every file as it was.
#include <filesystem>

#include "program.hpp"

namespace aria::testing {
namespace {

namespace fs = std::filesystem;

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Matcher;

class BadInput : public Program {
 protected:
  // A run that would be fine but for what is added.
  void expect_run_refused(const Arguments& more, const Matcher<std::string>& message) const {
    expect_refused(tiny_run("map-elites", "out") + more, message);
  }
};

class BadCommand : public BadInput {};

TEST_F(BadCommand, IsNamedWithTheNearestOne) {
  expect_refused({"rnu"}, HasSubstr("unknown command 'rnu' (did you mean 'run'?); there are: run"));
  expect_refused({"imporve", "x.npz"}, HasSubstr("did you mean 'improve'?"));
  expect_refused({"zzzzzz"}, HasSubstr("unknown command 'zzzzzz'; there are: "));
  expect_refused({""}, HasSubstr("unknown command ''"));
}

TEST_F(BadCommand, IsToldInOneLineWhateverItIs) {
  expect_refused({"two\nlines"}, HasSubstr("unknown command 'two?lines'"));
  expect_run_refused({"--set", "a\nb=\x1b[31m"}, HasSubstr("unknown setting 'a?b'"));
}

TEST_F(BadCommand, HasWhatItNeeds) {
  expect_refused({"improve"}, HasSubstr("ARCHIVE is required"));
  expect_refused({"correct"}, HasSubstr("ARCHIVE is required"));
  expect_refused({"run"}, HasSubstr("--task must be given ('aria tasks' lists them), got nothing"));
  expect_refused({"run", "--task", "arm"}, HasSubstr("--algorithm must be given ('aria algorithms' lists them)"));
}

class BadOption : public BadInput {};

TEST_F(BadOption, IsNamed) {
  expect_refused({"--fast"}, HasSubstr("--fast"));
  expect_run_refused({"--turbo"}, HasSubstr("unknown option '--turbo' (see --help)"));
  expect_run_refused({"--keep-samples"}, HasSubstr("--keep-samples"));
  expect_run_refused({"extra"}, HasSubstr("extra"));
  expect_run_refused({"--seed"}, HasSubstr("--seed"));
  expect_run_refused({"--seed", "1", "--seed", "2"}, HasSubstr("--seed"));
  expect_refused({"tasks", "arm"}, HasSubstr("arm"));
}

TEST_F(BadOption, HasTheNearestNameSuggested) {
  expect_refused({"run", "--task", "amr", "--algorithm", "es"},
                 HasSubstr("unknown task 'amr' (did you mean 'arm'?); there are: arm"));
  expect_refused({"run", "--task", "arm", "--algorithm", "map-elite"},
                 HasSubstr("unknown algorithm 'map-elite' (did you mean 'map-elites'?)"));
  expect_run_refused({"--set", "bugdet=3"}, HasSubstr("unknown setting 'bugdet' (did you mean 'budget'?)"));
  expect_run_refused({"--set", "pairs=3"}, HasSubstr("unknown setting 'pairs'"));
  expect_refused({"algorithms", "--task", "amr"}, HasSubstr("did you mean 'arm'?"));
}

TEST_F(BadOption, IsNamedWithTheNearestOne) {
  expect_refused({"run", "--task", "arm", "--algoritm", "es"},
                 HasSubstr("unknown option '--algoritm'; did you mean '--algorithm'?"));
  expect_run_refused({"--sed=3"}, HasSubstr("unknown option '--sed'; did you mean '--seed'?"));
  expect_refused({"correct", "--keepsamples"},
                 HasSubstr("unknown option '--keepsamples'; did you mean '--keep-samples'?"));
  expect_refused({"improve", "--presett", "lite", "a.npz"}, HasSubstr("did you mean '--preset'?"));
  expect_refused({"--versoin"}, HasSubstr("unknown option '--versoin'; did you mean '--version'?"));
}

TEST_F(BadOption, HasItsValueTold) {
  expect_run_refused({"--seed", "-1"}, HasSubstr("--seed must be a whole number from 0 to 2^53, got '-1'"));
  expect_run_refused({"--seed", "one"}, HasSubstr("--seed must be a whole number from 0 to 2^53, got 'one'"));
  expect_run_refused({"--seed", "1.5"}, HasSubstr("got '1.5'"));
  expect_run_refused({"--seed", ""}, HasSubstr("--seed must be"));
  expect_run_refused({"--threads", "0"}, HasSubstr("--threads must be from 1 to 1024, got 0"));
  expect_run_refused({"--threads", "-2"}, AllOf(HasSubstr("--threads must be"), HasSubstr("got '-2'")));
  expect_run_refused({"--threads", "5000"}, HasSubstr("--threads must be from 1 to 1024, got 5000"));
  expect_run_refused({"--preset", "huge"}, HasSubstr("preset must be paper or lite, got 'huge'"));
  expect_refused({"run", "--task", "arm", "--algorithm", "es", "--reevaluations", "2e7"},
                 HasSubstr("reevaluations must be from 0 (no metrics) to 2^24, got 20000000"));
  expect_refused({"run", "--task", "arm", "--algorithm", "es", "--reevaluations", "-5"},
                 HasSubstr("--reevaluations must be a whole number"));
}

TEST_F(BadOption, HasItsSettingTold) {
  expect_run_refused({"--set", "budget"}, HasSubstr("--set must be name=value, got 'budget'"));
  expect_run_refused({"--set", "=3"}, HasSubstr("--set must be name=value, got '=3'"));
  expect_run_refused({"--set", "budget=0"}, HasSubstr("budget must be >= 1, got 0"));
  expect_run_refused({"--set", "budget=-3"}, HasSubstr("budget must be a whole number from 0 to 2^53, got '-3'"));
  expect_run_refused({"--set", "budget=much"}, HasSubstr("got 'much'"));
  expect_run_refused({"--set", "budget="}, HasSubstr("budget must be a whole number"));
  expect_run_refused({"--set", "batch=1e12"}, HasSubstr("batch must be"));
  expect_run_refused({"--set", "iso_sigma=nan"}, HasSubstr("iso_sigma must be a finite number, got 'nan'"));
  expect_run_refused({"--set", "iso_sigma=-1"}, HasSubstr("iso_sigma must be"));
  expect_run_refused({"--set", "joints=0"}, HasSubstr("joints must be from 1 to 1024, got 0"));
  expect_run_refused({"--set", "descriptor_noise=-0.1"}, HasSubstr("descriptor_noise must be from 0 to 1e6, got -0.1"));
  expect_run_refused({"--set", "grid=0x4"}, AllOf(HasSubstr("grid"), HasSubstr("0 x 4")));
  expect_run_refused({"--set", "grid=99999x99999"}, AllOf(HasSubstr("grid"), HasSubstr("99999 x 99999")));
  expect_run_refused({"--set", "grid=4"}, HasSubstr("grid must be two numbers of cells (x and y), got [4]"));
  expect_run_refused({"--set", "grid=4xfour"}, HasSubstr("grid must be a whole number"));
  expect_run_refused({"--set", "spread=wide"}, HasSubstr("spread must be one of deviation, variance, got 'wide'"));
}

class BadConfiguration : public BadInput {};

TEST_F(BadConfiguration, IsNamedWithItsLine) {
  expect_run_refused({"--config", "none.toml"}, HasSubstr("must be a file that exists, got none.toml"));
  expect_run_refused({"--config", "."}, HasSubstr("must be a file that exists, got ."));
  write("bad.toml", "seed = 1\ntask = = 2\n");
  expect_run_refused({"--config", "bad.toml"}, HasSubstr("bad.toml:2: "));
  write("bad.toml", std::string("\0\xff\xfe binary", 10));
  expect_run_refused({"--config", "bad.toml"}, HasSubstr("bad.toml:1: "));
  write("bad.toml", "tusk = \"arm\"\n");
  expect_run_refused({"--config", "bad.toml"}, HasSubstr("bad.toml: unknown key 'tusk' (did you mean 'task'?)"));
  write("bad.toml", "seed = -4\n");
  expect_run_refused({"--config", "bad.toml"}, HasSubstr("bad.toml: seed must be a whole number"));
  write("bad.toml", "[settings]\nbatc = 4\n");
  expect_run_refused({"--config", "bad.toml"}, HasSubstr("unknown setting 'batc' (did you mean 'batch'?)"));
}

class BadArchive : public BadInput {
 protected:
  void SetUp() override {
    Program::SetUp();
    if (!has_python()) GTEST_SKIP() << "no Python with NumPy was given";
  }

  // By both commands that take an archive.
  void expect_archive_refused(const std::string& name, const Matcher<std::string>& message) const {
    const auto named = AllOf(HasSubstr(name), message);
    expect_refused({"improve", name, "--task", "arm", "--out", "out"}, named);
    expect_refused({"correct", name, "--task", "arm", "--out", "out"}, named);
  }
};

TEST_F(BadArchive, IsNamedWhereItCannotBeRead) {
  expect_archive_refused("none.npz", HasSubstr("No such file or directory"));
  write("empty.npz", "");
  expect_archive_refused("empty.npz", HasSubstr("empty"));
  write("text.npz", "dear diary");
  expect_archive_refused("text.npz", HasSubstr("it must be an archive"));
  fs::create_directory(folder_ / "folder");
  for (const char* command : {"improve", "correct"}) {
    expect_refused({command, "folder", "--task", "arm"}, HasSubstr("a folder with an archive.npz, got folder"));
  }
}

TEST_F(BadArchive, IsNamedWhereItIsDamaged) {
  python("np.savez('good.npz', solution=np.arange(800, dtype=np.float32).reshape(100, 8) / 1000)");
  const std::string good = bytes("good.npz");
  write("cut.npz", good.substr(0, good.size() / 2));
  expect_archive_refused("cut.npz", HasSubstr("cut.npz: "));
  std::string flipped = good;
  flipped[good.size() / 2] = static_cast<char>(flipped[good.size() / 2] ^ 1);
  write("flipped.npz", flipped);
  expect_archive_refused("flipped.npz", HasSubstr("solution"));
  python("np.save('good.npy', np.zeros((100, 8)))");
  write("cut.npy", bytes("good.npy").substr(0, 1000));
  expect_archive_refused("cut.npy", HasSubstr("cut.npy: "));
}

TEST_F(BadArchive, IsNotBelievedToBeHuge) {
  python(R"(
with open('huge.npy', 'wb') as file:
    np.lib.format.write_array_header_1_0(file, dict(descr='<f4', fortran_order=False, shape=(1 << 40, 8)))
    file.write(b'\0' * 64)
)");
  expect_archive_refused("huge.npy", HasSubstr("huge.npy: "));
}

TEST_F(BadArchive, IsNamedWhereItIsOfAnotherShape) {
  python(R"(
np.savez('flat.npz', solution=np.zeros(8))
np.savez('deep.npz', solution=np.zeros((2, 8, 2)))
np.savez('none.npz', solution=np.zeros((0, 8)))
np.savez('lost.npz', objective=np.zeros(3))
np.savez('odd.npz', solution=np.zeros((3, 8)), objective=np.zeros(2))
np.save('flat.npy', np.zeros(8))
)");
  expect_archive_refused("flat.npz", AllOf(HasSubstr("solution"), HasSubstr("(8,)")));
  expect_archive_refused("deep.npz", AllOf(HasSubstr("solution"), HasSubstr("(2, 8, 2)")));
  expect_archive_refused("none.npz", AllOf(HasSubstr("solution"), HasSubstr("(0, 8)")));
  expect_archive_refused("lost.npz", HasSubstr("solution"));
  expect_archive_refused("odd.npz", AllOf(HasSubstr("objective"), HasSubstr("(3,)"), HasSubstr("(2,)")));
  expect_archive_refused("flat.npy", HasSubstr("(8,)"));
}

TEST_F(BadArchive, IsNeverUnpickled) {
  python("np.savez('objects.npz', solution=np.array([[1, None]], object))");
  expect_archive_refused("objects.npz", HasSubstr("pickle"));
}

TEST_F(BadArchive, HasTheRowNamedThatIsNotANumber) {
  python(R"(
solution = np.zeros((5, 8), np.float32)
solution[3, 2] = np.nan
np.savez('nan.npz', solution=solution)
np.save('nan.npy', solution)
np.savez('infinite.npz', solution=np.where(np.isnan(solution), np.inf, solution))
np.savetxt('nan.csv', solution, delimiter=',', comments='', header=','.join(f'solution_{i}' for i in range(8)))
)");
  for (const char* name : {"nan.npz", "nan.npy", "infinite.npz", "nan.csv"}) {
    expect_archive_refused(name, AllOf(HasSubstr("solution"), HasSubstr("3")));
  }
}

TEST_F(BadArchive, MustFitTheTask) {
  python("np.save('short.npy', np.zeros((4, 5)))");
  const auto message = HasSubstr("a genotype of the archive must be 8 parameters long for task 'arm', got 5");
  expect_refused({"improve", "short.npy", "--task", "arm"}, message);
  expect_refused({"correct", "short.npy", "--task", "arm"}, message);
}

TEST_F(BadArchive, MustBeOfAKnownTask) {
  python("np.save('plain.npy', np.zeros((4, 8)))");
  expect_refused({"correct", "plain.npy"},
                 HasSubstr("--task must be given: the archive does not say what it is for, got nothing"));
  expect_refused({"improve", "plain.npy"}, HasSubstr("--task must be given"));
}

TEST_F(BadArchive, IsNotForAnAlgorithmWithoutOne) {
  python("np.save('plain.npy', np.zeros((4, 8)))");
  expect_refused({"improve", "plain.npy", "--task", "arm", "--algorithm", "es"}, HasSubstr("--algorithm"));
  write("es.toml", "algorithm = \"es\"\n");
  expect_refused({"improve", "plain.npy", "--task", "arm", "--config", "es.toml"},
                 HasSubstr("the algorithm of 'aria improve' must be aria, got es"));
  expect_refused({"run", "--task", "arm", "--algorithm", "aria"},
                 HasSubstr("algorithm 'aria' must be given an archive to start from: aria improve"));
}

TEST_F(BadArchive, IsToldOfASettingThatIsNotTheTasks) {
  python("np.save('plain.npy', np.zeros((4, 8)))");
  expect_refused({"correct", "plain.npy", "--task", "arm", "--set", "budget=3"}, HasSubstr("unknown setting 'budget'"));
  expect_refused({"correct", "plain.npy", "--task", "arm", "--reevaluations", "0"},
                 HasSubstr("reevaluations must be from 1 to 2^24, got 0"));
}

class BadFolder : public BadInput {
 protected:
  // By every command that writes into a folder.
  void expect_folder_refused(const std::string& out, const Matcher<std::string>& message) const {
    expect_refused(tiny_run("map-elites", out), message);
    expect_refused(tiny_improvement("run/archive.npz", out), message);
  }
};

TEST_F(BadFolder, IsRefusedBeforeTheWork) {
  succeed(tiny_run("map-elites", "run") + Arguments{"--quiet"});
  write("file", "a regular file");
  expect_folder_refused("file", HasSubstr("--out must be a folder, got file"));
  expect_folder_refused("file/below/it", AllOf(HasSubstr("--out must be"), HasSubstr("file/below/it")));
  expect_folder_refused("", HasSubstr("--out must be the name of a folder, got nothing"));
  for (const char* out : {"file", "file/below/it", ""}) {
    expect_refused({"correct", "run", "--out", out}, HasSubstr("--out must be"));
  }
}

TEST_F(BadConfiguration, IsOfOnePreset) {
  succeed(tiny_run("map-elites", "run") + Arguments{"--quiet"});
  expect_refused({"run", "--config", "run/run.toml", "--preset", "lite", "--out", "again"},
                 HasSubstr("--preset must be paper, as in the configuration file, whose settings are of it, got lite"));
  succeed({"run", "--config", "run/run.toml", "--preset", "paper", "--out", "again", "--quiet"});
}

TEST_F(BadFolder, IsRefusedWithForeignFilesInIt) {
  succeed(tiny_run("map-elites", "run") + Arguments{"--quiet"});
  fs::create_directory(folder_ / "thesis");
  write("thesis/chapter.tex", "mine");
  expect_folder_refused("thesis", HasSubstr("--out must be a new folder, an empty one, or that of a run"));
}

TEST_F(BadFolder, IsRefusedWithARunOfOtherSettings) {
  succeed(tiny_run("map-elites", "run") + Arguments{"--quiet"});
  expect_refused(
      tiny_run("map-elites", "run") + Arguments{"--seed", "9"},
      AllOf(HasSubstr("--out run holds a run with other settings"), HasSubstr("'seed = 1' there, 'seed = 9' here")));
  expect_refused(tiny_run("map-elites", "run") + Arguments{"--set", "batch=9"},
                 HasSubstr("'batch = 256' there, 'batch = 9' here"));
  expect_refused(tiny_run("es", "run"), HasSubstr("'algorithm = \"map-elites\"' there, 'algorithm = \"es\"' here"));
  expect_refused(tiny_improvement("run/archive.npz", "run"), HasSubstr("other settings"));
}

TEST_F(BadFolder, IsRefusedWithADamagedRunInIt) {
  succeed(tiny_run("map-elites", "run") + Arguments{"--quiet"});
  write("run/summary.json", "{}");
  expect_refused(tiny_run("map-elites", "run"), HasSubstr("run/summary.json: "));
  fs::remove(folder_ / "run/summary.json");
  write("run/checkpoint.npz", "PK not a checkpoint");
  expect_refused(tiny_run("map-elites", "run"), HasSubstr("run/checkpoint.npz: "));
  write("run/run.toml", "seed = = 1");
  expect_refused({"correct", "run"}, HasSubstr("run/run.toml:1: "));
}

}  // namespace
}  // namespace aria::testing
