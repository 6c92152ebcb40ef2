// The page of a report: one HTML file with its data inside.
#pragma once

#include <string>
#include <string_view>

namespace aria {

// The page without data, as viewer/ makes it; part of the program.
std::string_view report_template();

// The page with `json` in its place. No text in the data can end the element that holds it.
std::string report_page(std::string_view page, std::string_view json);

// Whether a file that starts like this is a page of ours, and so may be replaced by another.
bool is_report_page(std::string_view text);

}  // namespace aria
