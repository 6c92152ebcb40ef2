#include "aria/persistence/npz_names.hpp"

#include "aria/persistence/file_error.hpp"

namespace aria {

void check_member_name(std::string_view name) {
  const bool plain = !name.empty() && name.find_first_of(std::string_view("/\\\0", 3)) == std::string_view::npos &&
                     name.find("..") == std::string_view::npos;
  require(plain, "the name of a member", "a plain name without '/', '\\' or '..'", excerpt(name));
}

}  // namespace aria
