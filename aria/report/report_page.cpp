#include "aria/report/report_page.hpp"

#include <stdexcept>

namespace aria {

namespace {

constexpr std::string_view kElement = "<script type=\"application/json\" id=\"aria-report\">";
constexpr std::string_view kPlace = "__ARIA_REPORT__";

}  // namespace

std::string report_page(std::string_view page, std::string_view json) {
  const std::size_t element = page.find(kElement);
  if (element == std::string_view::npos || !page.substr(element + kElement.size()).starts_with(kPlace)) {
    throw std::logic_error("the template of the report has no place for its data");
  }
  const std::size_t place = element + kElement.size();
  std::string result(page.substr(0, place));
  result.reserve(page.size() + json.size());
  for (const char c : json) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result += c;
    }
  }
  result += page.substr(place + kPlace.size());
  return result;
}

bool is_report_page(std::string_view text) { return text.find(kElement) != std::string_view::npos; }

}  // namespace aria
