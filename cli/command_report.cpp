// aria report
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "aria/core/require.hpp"
#include "aria/persistence/atomic_file.hpp"
#include "aria/persistence/file_error.hpp"
#include "aria/persistence/input_file.hpp"
#include "aria/report/report_page.hpp"
#include "aria/sources/report_sources.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output_place.hpp"
#include "cli/screen.hpp"

namespace aria::cli {

namespace {

namespace fs = std::filesystem;

struct ReportOptions {
  CommonOptions common;
  std::vector<std::string> sources;
};

// A page of ours is replaced; anything else is somebody's file.
void check_page(const fs::path& path) {
  check_output_file(path);
  std::error_code error;
  if (!fs::exists(path, error)) return;
  const bool ours =
      fs::file_size(path, error) > 0 && naming_file(path, [&] { return is_report_page(InputFile(path).read_all()); });
  require(ours, "--out", "a new file or a report to replace", path.string());
}

// The options of an evaluation are for archives: a run and a study have theirs behind them.
void check_options(const ReportOptions& options, const RunConfig& given) {
  const bool evaluates = std::ranges::any_of(
      options.sources, [](const std::string& source) { return kind_of_source(source) == SourceKind::kArchive; });
  if (evaluates) return;
  const bool says = given.task || given.seed || given.reevaluations || !given.settings.empty();
  require(!says, "what is reported", "an archive where --task, --seed, --reevaluations or --set is given",
          fmt::format("{}", fmt::join(options.sources, ", ")));
}

std::vector<ReportItem> open_sources(const ReportOptions& options, const RunConfig& given, ProgressScreen& screen) {
  std::vector<ReportItem> items;
  for (const std::string& source : options.sources) {
    const SourceKind kind = kind_of_source(source);
    if (kind == SourceKind::kRun) items.emplace_back(run_source(source));
    if (kind == SourceKind::kStudy) items.emplace_back(study_source(source));
    if (kind != SourceKind::kArchive) continue;
    items.emplace_back(archive_source(
        source, {given, options.common.assignments, [&](std::size_t done, std::size_t planned) {
                   screen.update([&] { return StageProgress{"re-evaluating " + source, done, planned, 0}; });
                   return !interrupted();
                 }}));
  }
  return items;
}

void show(const ReportOptions& options, const fs::path& path, std::size_t bytes) {
  if (options.common.json) {
    const nlohmann::ordered_json object = {{"report", path.string()}, {"bytes", bytes}, {"sources", options.sources}};
    std::fputs((object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n").c_str(), stdout);
  } else if (!options.common.quiet) {
    std::fputs(fmt::format("Report: {} ({:.1f} MB)\n", path.string(), static_cast<double>(bytes) / 1e6).c_str(),
               stdout);
  }
}

int report(const ReportOptions& options) {
  const fs::path path = options.common.out.value_or("report.html");
  const RunConfig given = run_config(options.common);
  check_options(options, given);
  check_page(path);
  prepare_machine(options.common);
  catch_interrupts();
  ProgressScreen screen(options.common.quiet);
  std::vector<ReportItem> items;
  try {
    items = open_sources(options, given, screen);
  } catch (const Interrupted&) {
    screen.finish();
    std::fputs("aria: interrupted; nothing was written.\n", stderr);
    return kInterrupted;
  }
  screen.finish();
  const std::string page = report_page(report_template(), report_json(items, report_template().size()));
  write_file_atomically(path, page);
  show(options, path, page.size());
  return kDone;
}

}  // namespace

Command add_report_command(CLI::App& program) {
  CLI::App* app = program.add_subcommand("report", "write a page that shows runs, studies and archives");
  auto options = std::make_shared<ReportOptions>();
  app->add_option("SOURCE", options->sources, "folders of runs or studies, or archives (.npz, .npy, .csv)")->required();
  add_common_options(*app, options->common);
  app->get_option("--out")->description("the page; default report.html")->type_name("FILE");
  app->footer(
      "The page is one file that opens from disk. An archive without a run is re-evaluated here, where its task is\n"
      "known or given by --task; --seed, --set and --reevaluations are for those.\n\n"
      "Examples:\n"
      "  aria report runs/a\n"
      "  aria report runs/map-elites runs/aria --out compared.html\n"
      "  aria report runs/study --out study.html\n"
      "  aria report pyribs.csv --task arm");
  return {app, [options] { return report(*options); }};
}

}  // namespace aria::cli
