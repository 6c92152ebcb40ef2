// An archive as comma-separated text.
#include "aria/persistence/archive_columns.hpp"
#include "aria/persistence/archive_csv.hpp"
#include "fuzz/refusal.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  aria::fuzz::read_or_refuse([&] { aria::check_table(aria::parse_archive_csv(text)); });
  return 0;
}
