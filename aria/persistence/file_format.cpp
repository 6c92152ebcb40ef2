#include "aria/persistence/file_format.hpp"

#include "aria/core/require.hpp"
#include "aria/persistence/json_header-inl.h"
#include "aria/persistence/json_text-inl.h"

namespace aria {

std::string format_of_file(const std::filesystem::path& path) {
  try {
    return json_string(parse_json(NpzReader(path).read_text(kHeaderMember, kMaxJsonBytes)), "format");
  } catch (const InputError&) {
    return "";
  } catch (const nlohmann::json::exception&) {
    return "";
  }
}

}  // namespace aria
