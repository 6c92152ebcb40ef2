// aria correct
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "aria/core/require.hpp"
#include "aria/evaluation/evaluator.hpp"
#include "aria/run/correction.hpp"
#include "aria/run/correction_files.hpp"
#include "aria/sources/archive_source.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output_place.hpp"
#include "cli/screen.hpp"

namespace aria::cli {

namespace {

namespace fs = std::filesystem;

struct CorrectOptions {
  CommonOptions common;
  std::string archive;
  bool keep_samples = false;
};

// Where results go when nothing is said: never over the files of a run, which belong together.
fs::path default_folder(const ArchiveSource& source, std::size_t reevaluations, std::uint64_t seed) {
  if (source.in_run) return source.path / fmt::format("correction-{}-seed{}", reevaluations, seed);
  return source.path.parent_path() / (source.path.stem().string() + ".corrected");
}

// The folder that is told, or that of all corrections of this kind. What is measured under other settings does not go
// there: it would be taken for what the archive is worth under its own.
fs::path choose_folder(const CorrectOptions& options, const ArchiveSource& source, const ResolvedTask& task,
                       std::size_t reevaluations, std::uint64_t seed) {
  if (options.common.out) return *options.common.out;
  require(source.fits_record(task), "--out", "given where settings differ from those the archive was made with",
          "nothing");
  return default_folder(source, reevaluations, seed);
}

int correct_archive(const CorrectOptions& options) {
  const ArchiveSource source = open_archive(options.archive);
  const RunConfig given = run_config(options.common);
  const RunConfig config = source.config.overridden_by(given);
  const ResolvedTask task = source.make_task(given, options.common.assignments);
  const ReevaluationConfig metrics{config.reevaluations.value_or(kDefaultReevaluations),
                                   options.keep_samples ? SIZE_MAX : 0};
  metrics.validate();
  const std::uint64_t seed = config.seed.value_or(kDefaultSeed);
  const fs::path folder = choose_folder(options, source, task, metrics.reevaluations, seed);
  check_output_folder(folder);
  check_correction_folder(folder, source.path);
  prepare_machine(options.common);
  catch_interrupts();

  LocalEvaluator evaluator(task.task);
  ProgressScreen screen(options.common.quiet);
  const std::size_t planned = source.table.size() * metrics.reevaluations;
  Correction correction = correct(source.table, evaluator, metrics, seed, [&](std::size_t done) {
    screen.update([&] { return StageProgress{"re-evaluating", done, planned, source.table.size()}; });
    return !interrupted();
  });
  screen.finish();
  if (correction.reevaluation.size() < source.table.size()) {
    std::fputs("aria: interrupted; nothing was written.\n", stderr);
    return kInterrupted;
  }
  if (correction.corrected.size() == 0) {
    throw std::runtime_error(fmt::format("no solution could be evaluated: {}", evaluator.first_error()));
  }

  record_settings(task, correction.corrected);
  RunSummary summary = summary_of(correction, source.table, task.task->info(), seed);
  summary.first_error = evaluator.first_error();
  write_correction(folder, correction.corrected, correction.reevaluation, source.table.solution);
  if (options.common.json) {
    std::fputs(summary.to_json().c_str(), stdout);
  } else if (!options.common.quiet) {
    std::fputs(correction_screen(summary, source.table, correction.corrected, folder.string()).c_str(), stdout);
  }
  return kDone;
}

}  // namespace

Command add_correct_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("correct", "show what is really in an archive");
  auto options = std::make_shared<CorrectOptions>();
  app->add_option("ARCHIVE", options->archive, "an archive (.npz, .npy, .csv) or the folder of a run")->required();
  app->add_flag("--keep-samples", options->keep_samples, "also write every single evaluation");
  add_common_options(*app, options->common);
  app->footer(
      "Writes corrected.npz and reevaluations.npz (one row per solution, in the order given) into NAME.corrected "
      "beside\n"
      "a file NAME.npz, or into correction-N-seedS in the folder of a run, whose own files stay as they are. With "
      "other\n"
      "settings than the archive was made with, --out says where.\n\n"
      "Examples:\n"
      "  aria correct runs/a\n"
      "  aria correct pyribs.csv --task arm --reevaluations 4096\n"
      "  aria correct genotypes.npy --task arm --keep-samples --out checked --json");
  return {app, [options] { return correct_archive(*options); }};
}

}  // namespace aria::cli
