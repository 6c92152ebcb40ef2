// Which names a member of a zip may have, the same at writing and at reading.
#pragma once

#include <string_view>

namespace aria {

// Throws InputError for a name that could mean a place outside a folder if somebody unpacked it: with '/', '\' or "..".
void check_member_name(std::string_view name);

}  // namespace aria
