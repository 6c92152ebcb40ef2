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

std::string dump(const std::vector<ReportItem>& items, const ReportDetail& detail) {
  ReportJson report;
  report["format"] = kFormat;
  report["version"] = ARIA_VERSION;
  report["items"] = ReportJson::array();
  for (const ReportItem& item : items) {
    const auto* run = std::get_if<ReportRun>(&item);
    report["items"].push_back(run != nullptr ? run_object(*run, detail) : study_object(std::get<ReportStudy>(item)));
  }
  // names of files may be anything: what is not UTF-8 is replaced
  return report.dump(-1, ' ', false, ReportJson::error_handler_t::replace);
}

// The archives that may be told in detail: those of runs and the lone ones.
std::vector<const ReportArchive*> detailed_archives(const std::vector<ReportItem>& items) {
  std::vector<const ReportArchive*> archives;
  for (const ReportItem& item : items) {
    const auto* run = std::get_if<ReportRun>(&item);
    if (run == nullptr) continue;
    for (const ReportArchive& archive : run->archives) archives.push_back(&archive);
  }
  return archives;
}

// How many times `each` bytes fit into `room` characters, of which `spent` bytes and some text for each of `elements`
// are taken already.
std::size_t affordable(std::size_t room, std::size_t elements, std::size_t spent, std::size_t each) {
  constexpr std::size_t kElementBytes = 300;  // around the values of an archive
  const std::size_t text = elements * kElementBytes;
  if (each == 0 || text >= room) return 0;
  // base64 makes four bytes of three
  const std::size_t bytes = (room - text) * 3 / 4;
  return spent >= bytes ? 0 : (bytes - spent) / each;
}

// How many samples of each solution go into `room`.
std::size_t affordable_samples(const std::vector<ReportItem>& items, std::size_t room) {
  std::size_t elements = 0;
  std::size_t numbers = 0;
  for (const ReportArchive* archive : detailed_archives(items)) {
    const auto& reevaluation = archive->reevaluation;
    if (!reevaluation || reevaluation->kept_samples() == 0) continue;
    numbers += reevaluation->measures_mean.values().size();
    ++elements;
  }
  const std::size_t count = affordable(room, elements, 0, numbers * sizeof(std::uint16_t));
  return count < kFewestSamples ? 0 : std::min(count, kReportSamples);
}

// How many rollouts of each solution go into `room`.
std::size_t affordable_rollouts(const std::vector<ReportItem>& items, std::size_t room) {
  std::size_t elements = 0;
  std::size_t spent = 0;
  std::size_t each = 0;
  for (const ReportArchive* archive : detailed_archives(items)) {
    if (!archive->motion) continue;
    spent += motion_bytes(*archive->motion);
    each += rollout_bytes(*archive->motion);
    ++elements;
  }
  return affordable(room, elements, spent, each);
}

}  // namespace

ReportJson study_object(const ReportStudy& study) {
  ReportJson object;
  object["kind"] = "study";
  object["name"] = study.name;
  object["data"] = ReportJson::parse(study.data);
  object["runs"] = ReportJson::array();
  for (const ReportRun& run : study.runs) object["runs"].push_back(run_object(run, {}));
  return object;
}

std::string report_json(const std::vector<ReportItem>& items, std::size_t page_bytes) {
  ReportDetail detail;
  std::string text = dump(items, detail);
  const auto room = [&] { return kMaxPageBytes - std::min(kMaxPageBytes, page_bytes + text.size()); };
  detail.rollouts = affordable_rollouts(items, room() / 2);
  if (detail.rollouts > 0) text = dump(items, detail);
  detail.samples = affordable_samples(items, room());
  return detail.samples == 0 ? text : dump(items, detail);
}

}  // namespace aria
