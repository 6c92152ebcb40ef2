#include "aria/run/verification.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include <nlohmann/json.hpp>

#include "aria/core/require.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "aria/metrics/corrected_archive.hpp"
#include "aria/persistence/archive_file.hpp"
#include "aria/persistence/file_checksum.hpp"
#include "aria/persistence/file_error.hpp"
#include "aria/persistence/input_file.hpp"
#include "aria/persistence/reevaluation_file.hpp"
#include "aria/run/correction.hpp"
#include "aria/run/run_files.hpp"
#include "aria/run/run_loop.hpp"
#include "aria/run/scratch_folder.hpp"

namespace aria {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kRows = 3;  // of progress.csv, that the first generations reach where nothing else is said

using Result = Verification::Result;

struct Finding {
  Result result = Result::kUnknown;
  std::string detail;
};

Finding holds(std::string detail) { return {Result::kHolds, std::move(detail)}; }
Finding fails(std::string detail) { return {Result::kFails, std::move(detail)}; }
Finding unknown(std::string detail) { return {Result::kUnknown, std::move(detail)}; }

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

std::string bytes_of(const fs::path& path) {
  return naming_file(path, [&] { return InputFile(path).read_all(); });
}

bool same_bytes(const fs::path& a, const fs::path& b) { return bytes_of(a) == bytes_of(b); }

// Whether a log begins with these rows. Figures that only later phases have are more columns, empty in these.
bool begins_with(const std::string& log, const std::string& rows) {
  std::istringstream recorded(log);
  std::istringstream repeated(rows);
  std::string line;
  std::string start;
  std::string empty_columns;
  for (bool header = true; std::getline(repeated, start); header = false) {
    if (!std::getline(recorded, line) || !line.starts_with(start)) return false;
    const std::string more = line.substr(start.size());
    if (header) empty_columns.assign(static_cast<std::size_t>(std::ranges::count(more, ',')), ',');
    if (header ? !more.empty() && more.front() != ',' : more != empty_columns) return false;
  }
  return true;
}

std::size_t lines_in(const std::string& text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); }

// What a check found, one after the other: each uses what those before it could read.
class Verifier {
 public:
  Verifier(const fs::path& folder, VerificationConfig config, const ExperimentHooks& hooks)
      : files_(folder), config_(config), hooks_(hooks) {}

  Verification run() {
    check("files", [&] { return check_files(); });
    check("configuration", [&] { return check_configuration(); });
    check("archives", [&] { return check_archives(); });
    check("corrected.npz", [&] { return check_corrected(); });
    check("figures", [&] { return check_figures(); });
    if (config_.whole) {
      check("the run", [&] { return repeat_run(); });
    } else {
      check("re-evaluations", [&] { return repeat_reevaluations(); });
      check("generations", [&] { return repeat_generations(); });
    }
    return std::move(found_);
  }

 private:
  template <class Work>
  void check(const char* what, Work&& work) {
    if (found_.interrupted) return;
    Finding finding;
    try {
      finding = work();
    } catch (const InputError& error) {
      finding = fails(error.what());
    }
    if (stopped()) {
      found_.interrupted = true;
      return;
    }
    found_.checks.push_back({what, finding.result, finding.detail});
  }

  bool stopped() const { return hooks_.stop && hooks_.stop(); }
  bool has_metrics() const { return run_ && run_->config.reevaluations > 0; }

  Finding check_files() {
    summary_ = naming_file(files_.summary(), [&] { return parse_summary(bytes_of(files_.summary())); });
    if (summary_->files.empty()) return unknown("summary.json holds no checksums: it is of an older version");
    require(summary_->to_json() == bytes_of(files_.summary()), "summary.json", "as it was written", "something else");
    for (const auto& [name, checksum] : summary_->files) {
      const fs::path file = files_.path() / fs::path(name).filename();
      if (file_checksum(file) != checksum) return fails(fmt::format("{} is not what the run wrote", printable(name)));
    }
    for (const fs::path& file : files_.results()) {
      const std::string name = file.filename().string();
      if (is_there(file) && !summary_->files.contains(name)) return fails(name + " is not of this run");
    }
    return holds(fmt::format("summary.json and {} others have their checksums", summary_->files.size()));
  }

  // What the run began with, where the user brought it.
  const ArchiveTable* brought(const RunConfig& config) {
    if (config.algorithm != "aria") return nullptr;
    if (!initial_) initial_ = read_archive(files_.initial());
    return &*initial_;
  }

  Finding check_configuration() {
    const RunConfig config = read_config(files_.config());
    ResolvedRun run = resolve(config, brought(config));
    const std::string text = run.config.to_toml();
    if (text != bytes_of(files_.config())) return fails("run.toml is not what a run with its settings writes");
    run_ = std::move(run);
    if (!summary_) return unknown("summary.json cannot be read");
    const ResolvedConfig& resolved = run_->config;
    if (summary_->task != resolved.task || summary_->algorithm != resolved.algorithm ||
        summary_->seed != resolved.seed) {
      return fails(fmt::format("run.toml is of {} on {}, seed {}, summary.json of {} on {}, seed {}",
                               resolved.algorithm, resolved.task, resolved.seed, printable(summary_->algorithm),
                               printable(summary_->task), summary_->seed));
    }
    return holds(fmt::format("{} on {}, seed {}, with nothing left to default", resolved.algorithm, resolved.task,
                             resolved.seed));
  }

  Finding check_archives() {
    if (!initial_ && is_there(files_.initial())) initial_ = read_archive(files_.initial());
    archive_ = read_archive(files_.archive());
    if (!run_) return unknown("the configuration cannot be read");
    if (archive_->grid != Grid(run_->task->info().grid) || archive_->task != run_->config.task) {
      archive_.reset();
      return fails("archive.npz is of another task, or on another grid");
    }
    return holds(initial_ ? fmt::format("{} solutions, started from {}", archive_->size(), initial_->size())
                          : fmt::format("{} solutions", archive_->size()));
  }

  Finding check_corrected() {
    if (!run_ || !archive_) return unknown("the configuration or the archive cannot be read");
    if (!has_metrics()) return unknown("the run has no metrics");
    if (!is_there(files_.reevaluations())) return unknown("the re-evaluations were not kept");
    reevaluation_ = read_reevaluation(files_.reevaluations(), archive_->solution);
    const Grid grid(run_->task->info().grid);
    ArchiveTable corrected = corrected_archive(*archive_, grid, *reevaluation_);
    corrected_ = std::move(corrected);
    if (corrected_->size() == 0) {
      return is_there(files_.corrected()) ? fails("no re-evaluation gave a result, and yet it is there")
                                          : holds("not there, as no re-evaluation gave a result");
    }
    write_archive(scratch_.path() / "corrected.npz", *corrected_);
    if (!same_bytes(scratch_.path() / "corrected.npz", files_.corrected())) {
      return fails("it is not what reevaluations.npz makes of archive.npz");
    }
    return holds(fmt::format("{} of {} solutions, as reevaluations.npz says", corrected_->size(), archive_->size()));
  }

  Finding check_figures() {
    if (!run_ || !archive_ || !summary_)
      return unknown("the configuration, the archive or summary.json cannot be read");
    if (has_metrics() && !corrected_) return unknown("the re-evaluations cannot be read");
    const TaskInfo& info = run_->task->info();
    RunSummary again = *summary_;
    again.ranges = fixed_ranges(info);
    again.cells_in_all = Grid(info.grid).cells();
    again.result.illusory = illusory_scores(*archive_, Grid(info.grid), again.ranges);
    again.result.corrected = corrected_ ? std::optional(corrected_scores(*corrected_, again.ranges)) : std::nullopt;
    if (again.initial && initial_) again.initial = scores_of_initial(again.ranges);
    const std::string progress = bytes_of(files_.progress());
    const std::size_t last_line = progress.rfind('\n', progress.size() - 2);
    const bool counted = progress.substr(last_line + 1).starts_with(fmt::format("{},", summary_->evaluations));
    if (!counted) return fails("progress.csv ends with another number of evaluations than summary.json says");
    if (again.to_json() != summary_->to_json())
      return fails("the scores in summary.json are not those of the archives");
    return holds("the scores in summary.json are those of the archives");
  }

  BeforeAndAfter scores_of_initial(const ScoreRanges& ranges) const {
    const Grid grid(run_->task->info().grid);
    BeforeAndAfter scores{illusory_scores(*initial_, grid, ranges), std::nullopt};
    if (!has_metrics()) return scores;
    const Reevaluation stored = read_reevaluation(files_.initial_reevaluations(), initial_->solution);
    scores.corrected = corrected_scores(corrected_archive(*initial_, grid, stored), ranges);
    return scores;
  }

  // Empty where the file is what the same evaluations give again.
  std::string compare_reevaluation(const ArchiveTable& table, const fs::path& file, const char* phase) {
    const Reevaluation stored = read_reevaluation(file, table.solution);
    LocalEvaluator evaluator(run_->task);
    const std::size_t planned = table.size() * stored.samples;
    const ReevaluationConfig config{run_->config.reevaluations, stored.kept_samples()};
    const Correction again = correct(table, evaluator, config, run_->config.seed, [&](std::size_t done) {
      if (hooks_.progress) hooks_.progress([&] { return StageProgress{phase, done, planned, table.size()}; });
      return !stopped();
    });
    if (again.reevaluation.size() < table.size()) return "interrupted";
    write_reevaluation(scratch_.path() / "again.npz", again.reevaluation, table.solution);
    if (same_bytes(scratch_.path() / "again.npz", file)) return "";
    return fmt::format("{} is not what the evaluations give when repeated", file.filename().string());
  }

  Finding repeat_reevaluations() {
    if (!run_ || !archive_) return unknown("the configuration or the archive cannot be read");
    if (!has_metrics()) return unknown("the run has no metrics");
    if (!is_there(files_.reevaluations())) return unknown("they were not kept");
    std::string difference = compare_reevaluation(*archive_, files_.reevaluations(), "re-evaluating");
    std::size_t solutions = archive_->size();
    if (difference.empty() && initial_ && is_there(files_.initial_reevaluations())) {
      difference = compare_reevaluation(*initial_, files_.initial_reevaluations(), "re-evaluating the start");
      solutions += initial_->size();
    }
    if (!difference.empty()) return fails(difference);
    return holds(fmt::format("{} evaluations of each of {} solutions give the same bytes again",
                             run_->config.reevaluations, solutions));
  }

  Finding repeat_generations() {
    if (!run_) return unknown("the configuration cannot be read");
    const std::string recorded = bytes_of(files_.progress());
    LocalEvaluator evaluator(run_->task);
    RunProgress progress;
    std::size_t generations = 0;
    RunHooks hooks;
    hooks.progress = [&](std::size_t evaluations, const AnyAlgorithm& algorithm) {
      ++generations;
      if (!hooks_.progress) return;
      hooks_.progress([&] {
        const AlgorithmStatus status = algorithm.status();
        return StageProgress{"repeating", evaluations, 0, status.cells};
      });
    };
    hooks.stop = [&] {
      const bool enough = config_.generations ? generations >= *config_.generations : progress.log.rows() >= kRows;
      return enough || stopped();
    };
    run_loop(run_->algorithm, evaluator, progress, hooks);
    const std::string again = progress.log.to_csv();
    if (!begins_with(recorded, again)) {
      return fails(fmt::format("repeated, the first {} give other rows than progress.csv", generations));
    }
    return holds(
        fmt::format("the first {} give the same {} rows of progress.csv again", generations, lines_in(again) - 1));
  }

  Finding repeat_run() {
    if (!run_) return unknown("the configuration cannot be read");
    const RunConfig config = read_config(files_.config());
    const RunFiles again(scratch_.path() / "run");
    const Experiment repeated = run_experiment(config, brought(config), again.path(), hooks_);
    if (repeated.outcome == Experiment::Outcome::kInterrupted) return unknown("interrupted");
    const std::vector<fs::path> files = files_.results();
    const std::vector<fs::path> files_again = again.results();
    std::size_t same = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
      if (!is_there(files[i]) && !is_there(files_again[i])) continue;
      if (!is_there(files[i]) || !is_there(files_again[i]) || !same_bytes(files[i], files_again[i])) {
        return fails(fmt::format("repeated, it gives another {}", files[i].filename().string()));
      }
      ++same;
    }
    return holds(fmt::format("repeated, it gives the same bytes of {} files", same));
  }

  ScratchFolder scratch_;  // first of all: where none can be made, that is not the run's fault
  RunFiles files_;
  VerificationConfig config_;
  const ExperimentHooks& hooks_;
  Verification found_;
  std::optional<RunSummary> summary_;
  std::optional<ResolvedRun> run_;
  std::optional<ArchiveTable> archive_;
  std::optional<ArchiveTable> initial_;
  std::optional<ArchiveTable> corrected_;
  std::optional<Reevaluation> reevaluation_;
};

}  // namespace

std::string to_string(Verification::Result result) {
  if (result == Result::kHolds) return "holds";
  return result == Result::kFails ? "FAILS" : "unknown";
}

bool Verification::holds() const {
  return std::ranges::none_of(checks, [](const Check& check) { return check.result == Result::kFails; });
}

std::string Verification::to_json() const {
  nlohmann::ordered_json object;
  object["holds"] = holds();
  object["checks"] = nlohmann::ordered_json::array();
  for (const Check& check : checks) {
    const std::string result = check.result == Result::kFails ? "fails" : to_string(check.result);
    object["checks"].push_back({{"what", check.what}, {"result", result}, {"detail", check.detail}});
  }
  return object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Verification verify_run(const fs::path& folder, const VerificationConfig& config, const ExperimentHooks& hooks) {
  const RunFiles files(folder);
  require(is_there(files.config()), "a run", "a folder with a run.toml", folder.string());
  require(is_there(files.summary()), fmt::format("the run in {}", folder.string()),
          "finished (the command that began it goes on with it)", "one without a summary.json");
  return Verifier(folder, config, hooks).run();
}

}  // namespace aria
