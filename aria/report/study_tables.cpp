#include "aria/report/study_tables.hpp"

#include <fmt/format.h>

#include "aria/report/study_sections.hpp"
#include "aria/report/text.hpp"

namespace aria {

namespace {

// Text that goes over several lines where it has to.
std::string paragraph(const std::string& text, const TerminalStyle& style) {
  std::string result;
  for (const std::string& line : wrapped(printable(text, style.unicode), style.width)) result += line + '\n';
  return result;
}

std::string markdown(const std::vector<StudySection>& sections) {
  std::string text;
  for (const StudySection& section : sections) {
    text += fmt::format("\n## {}\n\n{}", section.title, section.table.markdown());
    if (!section.note.empty()) text += fmt::format("\n{}\n", section.note);
  }
  return text;
}

}  // namespace

std::string study_screen(const StudyData& data, const TerminalStyle& style) {
  std::string text = paragraph(study_title(data), style);
  for (const StudySection& section : main_sections(data)) {
    text += '\n' + paragraph(section.title, style) + '\n' + section.table.render(style);
    if (!section.note.empty()) text += paragraph(section.note, style);
  }
  return text;
}

std::string study_markdown(const StudyData& data) {
  return fmt::format("# {}\n{}{}", study_title(data), markdown(main_sections(data)), markdown(detail_sections(data)));
}

}  // namespace aria
