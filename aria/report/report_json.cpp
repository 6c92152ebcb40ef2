#include <algorithm>

#include "aria/core/require.hpp"
#include "aria/report/packing.hpp"
#include "aria/report/report_data.hpp"
#include "aria/report/report_items-inl.h"

namespace aria {

namespace {

constexpr int kFormat = 1;
// Fewer points than these are no cloud.
constexpr std::size_t kFewestSamples = 4;

std::string dump(const std::vector<ReportItem>& items, std::size_t samples) {
  ReportJson report;
  report["format"] = kFormat;
  report["version"] = ARIA_VERSION;
  report["items"] = ReportJson::array();
  for (const ReportItem& item : items) {
    const auto* run = std::get_if<ReportRun>(&item);
    report["items"].push_back(run != nullptr ? run_object(*run, samples) : study_object(std::get<ReportStudy>(item)));
  }
  // names of files may be anything: what is not UTF-8 is replaced
  return report.dump(-1, ' ', false, ReportJson::error_handler_t::replace);
}

// How many samples of each solution a page can hold that takes `bytes` without them.
std::size_t affordable_samples(const std::vector<ReportItem>& items, std::size_t bytes) {
  constexpr std::size_t kElementBytes = 200;  // around the values of an archive
  std::size_t numbers = 0;
  for (const ReportItem& item : items) {
    const auto* run = std::get_if<ReportRun>(&item);
    if (run == nullptr) continue;
    for (const ReportArchive& archive : run->archives) {
      if (!archive.reevaluation || archive.reevaluation->kept_samples() == 0) continue;
      numbers += archive.reevaluation->size() * run->grid.dimensions();
      bytes += kElementBytes;
    }
  }
  if (numbers == 0 || bytes >= kMaxPageBytes) return 0;
  // base64 makes four bytes of three
  const std::size_t affordable = (kMaxPageBytes - bytes) * 3 / 4 / (numbers * sizeof(std::uint16_t));
  return affordable < kFewestSamples ? 0 : std::min(affordable, kReportSamples);
}

}  // namespace

ReportJson study_object(const ReportStudy& study) {
  ReportJson object;
  object["kind"] = "study";
  object["name"] = study.name;
  object["data"] = ReportJson::parse(study.data);
  object["runs"] = ReportJson::array();
  for (const ReportRun& run : study.runs) object["runs"].push_back(run_object(run, 0));
  return object;
}

std::string report_json(const std::vector<ReportItem>& items, std::size_t page_bytes) {
  std::string text = dump(items, 0);
  const std::size_t samples = affordable_samples(items, page_bytes + text.size());
  return samples == 0 ? text : dump(items, samples);
}

}  // namespace aria
