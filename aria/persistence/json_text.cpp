#include "aria/persistence/json_text-inl.h"

#include "aria/core/require.hpp"

namespace aria {

using Json = nlohmann::ordered_json;

Json parse_json(std::string_view text) {
  return Json::parse(text, [](int depth, Json::parse_event_t, const Json&) {
    require(depth <= kMaxJsonDepth, "the depth of its JSON", fmt::format("at most {}", kMaxJsonDepth), "more");
    return true;
  });
}

}  // namespace aria
