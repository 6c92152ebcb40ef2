#include "aria/report/report_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace aria {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kPage =
    "<p>a</p><script type=\"application/json\" id=\"aria-report\">__ARIA_REPORT__</script><p>b</p>";

TEST(ReportPage, HasItsDataInPlace) {
  EXPECT_EQ(report_page(kPage, R"({"a":1})"),
            "<p>a</p><script type=\"application/json\" id=\"aria-report\">{\"a\":1}</script><p>b</p>");
}

TEST(ReportPage, KeepsDataFromEndingItsElement) {
  const std::string page = report_page(kPage, R"({"name":"</script><!--<b>__ARIA_REPORT__"})");
  EXPECT_THAT(page, HasSubstr(R"("\u003c/script>\u003c!--\u003cb>__ARIA_REPORT__")"));
  EXPECT_THAT(page, Not(HasSubstr("<b>")));
}

TEST(ReportPage, MustHaveAPlace) {
  EXPECT_THROW(report_page("<p>__ARIA_REPORT__</p>", "{}"), std::logic_error);
  EXPECT_THROW(report_page("<script type=\"application/json\" id=\"aria-report\">{}</script>", "{}"), std::logic_error);
}

TEST(ReportPage, OfTheProgramIsOneFileOfItsOwn) {
  const std::string page = report_page(report_template(), "{\"format\":1}");
  EXPECT_THAT(page, HasSubstr(">{\"format\":1}</script>"));
  EXPECT_THAT(page, Not(HasSubstr("__ARIA_REPORT__")));
  EXPECT_TRUE(is_report_page(page));
  EXPECT_FALSE(is_report_page("<html></html>"));
  // nothing is fetched from elsewhere
  EXPECT_THAT(page, Not(HasSubstr("src=\"http")));
  EXPECT_THAT(page, Not(HasSubstr("href=\"http")));
  EXPECT_LT(page.size(), std::size_t{2'000'000});
}

}  // namespace
}  // namespace aria
