// Studies and reports.
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "aria/core/require.hpp"
#include "aria/persistence/atomic_file.hpp"
#include "aria/persistence/file_error.hpp"
#include "aria/persistence/input_file.hpp"
#include "aria/report/report_page.hpp"
#include "aria/report/study_tables.hpp"
#include "aria/run/study.hpp"
#include "aria/run/study_files.hpp"
#include "aria/sources/report_sources.hpp"
#include "python/src/bindings.hpp"
#include "python/src/interrupts.hpp"
#include "python/src/task_handle.hpp"

namespace aria::python {

namespace {

namespace fs = std::filesystem;

StudyHooks hooks_of(Watch& watch) {
  StudyHooks hooks;
  hooks.stop = [&watch] { return watch.stopped(); };
  hooks.progress = [&watch](const StudyProgress& progress) {
    if (!watch.due()) return;
    double done = static_cast<double>(progress.done);
    for (const auto& run : progress.running) done += run.share;
    const auto permille = [](double runs) { return static_cast<std::size_t>(runs * 1000); };
    watch.note({"running", permille(done), permille(static_cast<double>(progress.runs)), progress.done});
  };
  return hooks;
}

nb::dict study(const nb::dict& config, const fs::path& folder, bool repair, const nb::object& show) {
  StudyConfig given;
  given.task = nb::cast<std::string>(config["task"]);
  given.algorithms = nb::cast<std::vector<std::string>>(config["algorithms"]);
  given.replications = nb::cast<std::size_t>(config["replications"]);
  given.seed = nb::cast<std::uint64_t>(config["seed"]);
  given.preset = nb::cast<std::string>(config["preset"]);
  given.reevaluations = nb::cast<std::size_t>(config["reevaluations"]);
  given.settings = nb::cast<NamedValues>(config["settings"]);
  given.algorithm_settings = nb::cast<std::map<std::string, NamedValues>>(config["algorithm_settings"]);
  Watch watch(show);
  Study result;
  watch.run_beside([&] { result = run_study(given, folder, repair, hooks_of(watch)); });
  if (result.data) write_if_changed(folder / "study.md", study_markdown(*result.data));
  nb::dict dict;
  dict["runs"] = result.runs;
  dict["finished"] = result.finished;
  dict["failed"] = result.failed;
  dict["data"] = result.data ? nb::cast(study_json(*result.data)) : nb::none();
  dict["text"] = result.data ? nb::cast(study_screen(*result.data, {.unicode = true, .width = 100})) : nb::none();
  return dict;
}

void check_page(const fs::path& path) {
  std::error_code error;
  require(!fs::is_directory(path, error), "out", "the name of a file", path.string());
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  require(fs::is_directory(folder, error), "out", "in a folder that exists", path.string());
  if (!fs::exists(path, error)) return;
  const bool ours =
      fs::file_size(path, error) > 0 && naming_file(path, [&] { return is_report_page(InputFile(path).read_all()); });
  require(ours, "out", "a new file or a report to replace", path.string());
}

std::size_t report(const std::vector<std::string>& sources, const fs::path& out, const std::optional<std::string>& task,
                   const std::optional<std::uint64_t>& seed, const std::optional<std::size_t>& reevaluations,
                   const NamedValues& settings, const nb::object& show) {
  require(!sources.empty(), "sources", "at least one run, study or archive", "none");
  check_page(out);
  RunConfig given;
  given.task = task;
  given.seed = seed;
  given.reevaluations = reevaluations;
  given.settings = settings;
  std::vector<std::string> assignments;
  for (const auto& [name, value] : settings) assignments.push_back(fmt::format("{}={}", name, value));
  Watch watch(show);
  std::size_t bytes = 0;
  watch.run_beside([&] {
    std::vector<ReportItem> items;
    for (const std::string& source : sources) {
      const SourceKind kind = kind_of_source(source);
      if (kind == SourceKind::kRun) items.emplace_back(run_source(source));
      if (kind == SourceKind::kStudy) items.emplace_back(study_source(source));
      if (kind != SourceKind::kArchive) continue;
      items.emplace_back(archive_source(source, {given, assignments, [&](std::size_t done, std::size_t planned) {
                                                   if (watch.due()) watch.note({"re-evaluating", done, planned, 0});
                                                   return !watch.stopped();
                                                 }}));
    }
    const std::string page = report_page(report_template(), report_json(items, report_template().size()));
    write_file_atomically(out, page);
    bytes = page.size();
  });
  return bytes;
}

}  // namespace

void bind_studies(nb::module_& module) {
  module.attr("DEFAULT_REPLICATIONS") = kDefaultReplications;
  module.def("study", &study, nb::arg("config"), nb::arg("folder"), nb::arg("repair"), nb::arg("show").none(),
             "Runs a study into a folder, going on where it was interrupted.");
  module.def("report", &report, nb::arg("sources"), nb::arg("out"), nb::arg("task").none(), nb::arg("seed").none(),
             nb::arg("reevaluations").none(), nb::arg("settings"), nb::arg("show").none(),
             "Writes a page that shows runs, studies and archives; gives its size in bytes.");
}

}  // namespace aria::python
