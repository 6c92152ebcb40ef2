#include "aria/persistence/json_header-inl.h"

#include "aria/persistence/file_error.hpp"
#include "aria/persistence/json_text-inl.h"

namespace aria {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& value) { return excerpt(value.dump(-1, ' ', true, Json::error_handler_t::replace)); }

}  // namespace

std::string format_header(const Json& header) {
  std::string text;
  try {
    text = header.dump(2) + "\n";
  } catch (const nlohmann::json::exception& error) {
    throw InputError(fmt::format("{}: every text must be UTF-8: {}", kHeaderMember, printable(error.what())));
  }
  require(text.size() <= kMaxJsonBytes, fmt::format("{}: its length", kHeaderMember),
          fmt::format("at most {} bytes", kMaxJsonBytes), text.size());
  return text;
}

const Json& json_at(const Json& object, const std::string& key) {
  require(object.is_object(), "it", "a JSON object", text_of(object));
  const auto found = object.find(key);
  if (found == object.end()) throw InputError(fmt::format("it must have a key '{}', which is missing", key));
  return *found;
}

std::string json_string(const Json& object, const std::string& key) {
  const Json& value = json_at(object, key);
  require(value.is_string(), key, "a text", text_of(value));
  return value.get<std::string>();
}

std::map<std::string, std::string> json_string_map(const Json& object, const std::string& key) {
  const Json& map = json_at(object, key);
  require(map.is_object(), key, "an object of texts", text_of(map));
  std::map<std::string, std::string> result;
  for (const auto& [name, value] : map.items()) {
    require(value.is_string(), key, "an object of texts", text_of(map));
    result[name] = value.get<std::string>();
  }
  return result;
}

Json read_header(const NpzReader& reader, std::string_view format, int version) {
  const std::string text = reader.read_text(kHeaderMember, kMaxJsonBytes);
  return naming(kHeaderMember, [&] {
    Json header;
    try {
      header = parse_json(text);
    } catch (const nlohmann::json::exception& error) {
      throw InputError(fmt::format("it must be JSON: {}", printable(error.what())));
    }
    const std::string got = json_string(header, "format");
    require(got == format, "format", fmt::format("'{}'", format), excerpt(got));
    const Json& number = json_at(header, "version");
    require(number.is_number_integer() && number == version, "version", fmt::format("{}", version), text_of(number));
    return header;
  });
}

}  // namespace aria
