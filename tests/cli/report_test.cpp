// aria report
#include <algorithm>
#include <filesystem>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace aria::testing {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;
using ::testing::Not;

using Json = nlohmann::ordered_json;

// What the page's own code does to read its data.
constexpr const char* kReadPage = R"(
import base64, re
def items(path):
    text = open(path, encoding='utf-8').read()
    found = re.findall(r'<script type="application/json" id="aria-report">(.*?)</script>', text, re.S)
    assert len(found) == 1
    report = json.loads(found[0])
    assert report['format'] == 1
    return report['items']
def unpack(text, kind): return np.frombuffer(base64.b64decode(text, validate=True), kind)
def same(a, b): assert a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind == 'f'), (a, b)
def check_archive(item, archive, file, reevaluations):
    believed, real, n = archive['believed'], archive['real'], archive['size']
    m = len(item['grid']['cells'])
    assert n == len(file['solution'])
    same(unpack(believed['cell'], '<i4'), file['index'])
    same(unpack(believed['fitness'], '<f4'), file['objective'])
    same(unpack(believed['measures'], '<f4').reshape(n, m), file['measures'])
    r = reevaluations
    same(unpack(real['cell'], '<i4'), r['index'])
    same(unpack(real['fitness'], '<f4'), r['objective_mean'])
    same(unpack(real['fitness_std'], '<f4'), r['objective_std'])
    same(unpack(real['measures'], '<f4').reshape(n, m), r['measures_mean'])
    same(unpack(real['probability'], '<f4'), r['cell_probability'])
    same(unpack(real['probability_lower'], '<f4'), r['cell_probability_lower'])
    same(unpack(real['probability_upper'], '<f4'), r['cell_probability_upper'])
    spread = np.sqrt((r['measures_std'].astype(float) ** 2).sum(1))
    assert np.allclose(unpack(real['spread'], '<f4'), spread, rtol=1e-6)
    samples = real['samples']
    k = samples['count']
    q = unpack(samples['values'], '<u2').reshape(n, k, m).astype(float)
    assert k == min(64, r['measures_samples'].shape[1]) and (q < 65535).all()
    lower, upper = np.array(samples['lower']), np.array(samples['upper'])
    value = lower + q / 65534 * (upper - lower)
    assert (np.abs(value - r['measures_samples'][:, :k]) <= (upper - lower) / 65534).all()
)";

class Report : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    if (!IsSkipped() && !has_python()) GTEST_SKIP() << "no Python with NumPy was given";
  }
  void check(const std::string& script) const { python(kReadPage + script); }
  void expect_refused(const Arguments& arguments, const std::string& message) const {
    Program::expect_refused(arguments, HasSubstr(message));
  }
};

TEST_F(Report, OfARunHasTheNumbersOfItsFiles) {
  succeed(tiny_run("aria-me", "run") + Arguments{"--seed", "3", "--quiet"});
  const Finished finished = succeed({"report", "run"});
  EXPECT_THAT(finished.out, HasSubstr("Report: report.html ("));
  EXPECT_EQ(finished.err, "");
  check(R"(
[run] = items('report.html')
summary = json.load(open('run/summary.json'))
assert run['kind'] == 'run' and run['name'] == 'run' and run['task'] == 'arm' and run['algorithm'] == 'aria-me'
assert run['seed'] == 3 and run['evaluations'] == summary['evaluations'] and run['seconds'] == summary['seconds']
assert run['grid'] == dict(cells=[6, 6], lower=[0, 0], upper=[1, 1]) and run['measure_names'] == ['x', 'y']
assert run['fitness_range'] == summary['ranges']['fitness']
assert dict(name='pairs', value='32') in run['settings'], run['settings']
initial, result = run['archives']
assert (initial['role'], initial['label']) == ('initial', 'MAP-Elites archive')
assert (result['role'], result['label']) == ('result', "ARIA's archive")
for archive, name, scores in [(initial, 'initial', summary['initial']), (result, 'archive', summary)]:
    reevaluations = 'initial_reevaluations' if name == 'initial' else 'reevaluations'
    check_archive(run, archive, np.load(f'run/{name}.npz'), np.load(f'run/{reevaluations}.npz'))
    assert archive['scores'] == {key: scores[key] for key in ('illusory', 'corrected')}
    assert archive['real']['evaluations'] == 64
    kept = unpack(archive['real']['kept'], '<i4')
    assert len(kept) == scores['corrected']['cells']

# what is kept is the corrected archive
corrected = np.load('run/corrected.npz')
kept = unpack(result['real']['kept'], '<i4')
same(np.load('run/archive.npz')['solution'][kept], corrected['solution'])
share = [(corrected['objective_mean'] >= t).sum() / 36 for t in result['profile']['thresholds']]
assert np.allclose(share, result['profile']['share'])

lines = [line.split(',') for line in open('run/progress.csv').read().splitlines()]
assert run['progress']['columns'] == lines[0]
assert [[r[0], r[1], r[2]] for r in run['progress']['rows']] == [[int(l[0]), l[1], int(l[2])] for l in lines[1:]]
)");
}

TEST_F(Report, IsTheSameEachTime) {
  succeed(tiny_run("map-elites", "run") + Arguments{"--quiet"});
  succeed({"report", "run", "--quiet"});
  const std::string first = bytes("report.html");
  EXPECT_EQ(succeed({"report", "run", "--quiet", "--threads", "3"}).out, "");
  EXPECT_TRUE(bytes("report.html") == first) << "replaced by the same";
}

TEST_F(Report, KeepsTheOrderOfWhatItIsGiven) {
  succeed(tiny_run("map-elites", "a") + Arguments{"--quiet"});
  succeed(tiny_run("es", "b") + Arguments{"--quiet"});
  const Json object = Json::parse(succeed({"report", "b", "a", "a/archive.npz", "--out", "page.html", "--json"}).out);
  EXPECT_EQ(object["report"], "page.html");
  EXPECT_EQ(object["bytes"], bytes("page.html").size());
  check(R"(
b, a, archive = items('page.html')
assert [i['name'] for i in (b, a, archive)] == ['b', 'a', 'a/archive.npz']
assert [i['kind'] for i in (b, a, archive)] == ['run', 'run', 'archive']
assert b['archives'][0]['label'] == 'ES solution'
)");
}

TEST_F(Report, OfAnArchiveTakesTheReevaluationsBesideIt) {
  succeed(tiny_run("map-elites", "run") + Arguments{"--quiet", "--seed", "5"});
  fs::copy_file(folder_ / "run/archive.npz", folder_ / "mine.npz");
  succeed({"correct", "mine.npz", "--reevaluations", "40", "--seed", "9", "--keep-samples", "--quiet"});
  succeed({"report", "run/archive.npz", "mine.npz", "--quiet"});
  check(R"(
ours, mine = items('report.html')
check_archive(ours, ours['archives'][0], np.load('run/archive.npz'), np.load('run/reevaluations.npz'))
check_archive(mine, mine['archives'][0], np.load('mine.npz'), np.load('mine.corrected/reevaluations.npz'))
assert (ours['archives'][0]['real']['evaluations'], mine['archives'][0]['real']['evaluations']) == (64, 40)
assert ours['algorithm'] == 'map-elites' and ours['seed'] == 5 and ours['progress'] is None
)");
}

TEST_F(Report, OfAnArchiveTellsTheSettingsThatItWasMeasuredUnder) {
  succeed(tiny_run("map-elites", "run") + Arguments{"--quiet"});
  fs::copy_file(folder_ / "run/archive.npz", folder_ / "mine.npz");
  succeed({"correct", "mine.npz", "--set", "descriptor_noise=0.2", "--out", "mine.corrected", "--quiet"});
  succeed({"report", "mine.npz", "--out", "plain.html", "--quiet"});
  succeed({"report", "mine.npz", "--set", "descriptor_noise=0.2", "--reevaluations", "64", "--out", "noisy.html",
           "--quiet"});
  check(R"(
[plain], [noisy] = items('plain.html'), items('noisy.html')
noise = lambda item: {s['name']: s['value'] for s in item['settings']}['descriptor_noise']
assert (noise(plain), noise(noisy)) == ('0.01', '0.2'), (noise(plain), noise(noisy))
p = lambda item: item['archives'][0]['scores']['corrected']['p_score']
assert p(plain) > p(noisy), (p(plain), p(noisy))
)");
}

TEST_F(Report, OfAnArchiveFromElsewhereEvaluatesIt) {
  succeed(tiny_run("map-elites", "run") + Arguments{"--quiet"});
  python("np.save('plain.npy', np.load('run/archive.npz')['solution'])");
  const Arguments task = set({"grid=6x6", "fitness_noise=0.05"}) + Arguments{"--task", "arm", "--reevaluations", "64"};
  succeed(Arguments{"report", "plain.npy", "--quiet"} + task);
  check(R"(
[item] = items('report.html')
[archive] = item['archives']
assert item['task'] == 'arm' and item['algorithm'] is None and archive['believed'] is None
r = np.load('run/reevaluations.npz')
same(unpack(archive['real']['fitness'], '<f4'), r['objective_mean'])
assert archive['scores']['illusory'] is None
assert archive['scores']['corrected'] == json.load(open('run/summary.json'))['corrected']
)");
}

TEST_F(Report, OfAnArchiveOfAnUnknownTaskShowsWhatIsBelieved) {
  succeed(tiny_run("map-elites", "run") + Arguments{"--quiet"});
  python(R"(
import zipfile
with zipfile.ZipFile('run/archive.npz') as old, zipfile.ZipFile('other.npz', 'w') as new:
    for name in old.namelist():
        data = old.read(name)
        new.writestr(name, data.replace(b'"arm"', b'"leg"') if name == 'header.json' else data)
)");
  succeed({"report", "other.npz", "--quiet"});
  check(R"(
[item] = items('report.html')
[archive] = item['archives']
assert item['task'] == 'leg' and archive['real'] is None and archive['profile'] is None
file = np.load('other.npz')
same(unpack(archive['believed']['fitness'], '<f4'), file['objective'])
assert archive['scores']['illusory']['cells'] == len(set(file['index'])) and archive['scores']['corrected'] is None
assert item['fitness_range'] == [float(file['objective'].min()), float(file['objective'].max())]
)");
}

TEST_F(Report, OfARunWithoutMetricsShowsWhatIsBelieved) {
  Arguments command = tiny_run("map-elites", "run") + Arguments{"--quiet"};
  *std::ranges::find(command, "64") = "0";
  succeed(command);
  succeed({"report", "run", "--quiet"});
  check("[run] = items('report.html')\nassert run['archives'][0]['real'] is None and run['archives'][0]['believed']");
}

TEST_F(Report, IsNotEndedByWhatIsInItsData) {
  const std::string name = "run<";
  succeed(tiny_run("map-elites", name + "/script><b>") + Arguments{"--quiet"});
  succeed({"report", name + "/script><b>", "--quiet"});
  EXPECT_THAT(bytes("report.html"), Not(HasSubstr("<b>")));
  check("[run] = items('report.html')\nassert run['name'] == 'run</script><b>'");
}

class StudyReport : public Report {
 protected:
  // A study as 'aria study' leaves it, of two algorithms.
  void make_study() const {
    for (const char* algorithm : {"map-elites", "aria-es"}) {
      for (const char* seed : {"1", "2"}) {
        succeed(tiny_run(algorithm, std::string("study/") + algorithm + "/" + seed) +
                Arguments{"--seed", seed, "--quiet"});
      }
    }
    python(R"(
runs = lambda name: [dict(seed=s, folder=f'{name}/{s}', evaluations=1, seconds=1, metrics={}) for s in (1, 2)]
algorithms = [dict(name='map-elites', runs=runs('map-elites'), median_run=1),
              dict(name='aria-es', runs=runs('aria-es'), median_run=0)]
json.dump(dict(format=1, task='arm', note='</script>', algorithms=algorithms), open('study/study.json', 'w'))
)");
  }
};

TEST_F(StudyReport, HoldsTheStudyAndTheMedianRuns) {
  make_study();
  succeed({"report", "study", "--quiet"});
  check(R"(
[study] = items('report.html')
assert study['kind'] == 'study' and study['name'] == 'study'
assert study['data'] == json.load(open('study/study.json'))
assert [run['name'] for run in study['runs']] == ['map-elites/2', 'aria-es/1']
for run in study['runs']:
    file, archive = np.load(f"study/{run['name']}/reevaluations.npz"), run['archives'][-1]
    same(unpack(archive['real']['fitness'], '<f4'), file['objective_mean'])
    assert archive['real']['samples'] is None
)");
}

TEST_F(StudyReport, NamesWhatIsWrongWithAStudy) {
  make_study();
  fs::remove(folder_ / "study/aria-es/1/summary.json");
  expect_refused({"report", "study"}, "the run in study/aria-es/1 must be finished");
  fs::rename(folder_ / "study/study.json", folder_ / "study/study.toml");
  expect_refused({"report", "study"}, "the study in study must be finished");
  write("study/study.json", "{\"format\": 1}");
  expect_refused({"report", "study"}, "study/study.json must be what 'aria study' wrote");
  write("study/study.json", "{\"format\": 2, \"algorithms\": []}");
  expect_refused({"report", "study"}, "study/study.json: format must be 1");
  write("study/study.json", R"({"format": 1, "algorithms": [{"median_run": 0, "runs": [{"folder": "../run"}]}]})");
  expect_refused({"report", "study"}, "study/study.json: the folder of a run must be below that of the study");
}

TEST_F(Report, RefusesWhatIsNothingToReport) {
  expect_refused({"report"}, "SOURCE is required");
  expect_refused({"report", "none"}, "none: cannot open it: No such file");
  fs::create_directory(folder_ / "empty");
  expect_refused({"report", "empty"}, "what is reported must be the folder of a run");
  write("text", "dear diary");
  expect_refused({"report", "text", "--task", "arm"}, "text: it must be an archive");
  python("np.save('plain.npy', np.zeros((4, 8)))");
  expect_refused({"report", "plain.npy"}, "--task must be given for plain.npy, which has no grid, got nothing");
  expect_refused({"report", "plain.npy", "--task", "amr"}, "unknown task 'amr' (did you mean 'arm'?)");
  python("np.save('short.npy', np.zeros((4, 5)))");
  expect_refused({"report", "short.npy", "--task", "arm"}, "short.npy: a genotype of the archive must be 8 parameters");
}

TEST_F(Report, RefusesARunThatIsUnfinishedOrDamaged) {
  succeed(tiny_run("aria-me", "run") + Arguments{"--quiet"});
  const std::string good = bytes("run/reevaluations.npz");
  write("run/reevaluations.npz", good.substr(0, good.size() / 2));
  expect_refused({"report", "run"}, "run/reevaluations.npz: ");
  fs::remove(folder_ / "run/reevaluations.npz");
  expect_refused({"report", "run"}, "run/reevaluations.npz must be there: the run's summary has metrics");
  write("run/reevaluations.npz", good);
  write("run/progress.csv", "a,b\n1\n");
  expect_refused({"report", "run"}, "run/progress.csv: its checksum must be ");
  fs::remove(folder_ / "run/summary.json");
  expect_refused({"report", "run"}, "the run in run must be finished (the command that began it goes on with it)");
}

TEST_F(Report, ReplacesAReportAndNothingElse) {
  succeed(tiny_run("map-elites", "run") + Arguments{"--quiet"});
  expect_refused({"report", "run", "--out", "run/archive.npz"},
                 "--out must be a new file or a report to replace, got run/archive.npz");
  write("empty.html", "");
  expect_refused({"report", "run", "--out", "empty.html"}, "--out must be a new file or a report to replace");
  expect_refused({"report", "run", "--out", "run"}, "--out must be the name of a file, got the folder run");
  expect_refused({"report", "run", "--out", "none/page.html"}, "--out must be in a folder that exists");
  expect_refused({"report", "run", "--out", ""}, "--out must be the name of a file");
  expect_refused(
      {"report", "run", "--task", "arm"},
      "what is reported must be an archive where --task, --seed, --reevaluations or --set is given, got run");
}

}  // namespace
}  // namespace aria::testing
