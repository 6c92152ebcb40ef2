# Makes a C++ source of a text file, so that the program carries it:
#   cmake -DINPUT=page.html -DOUTPUT=page.cpp -DHEADER=aria/room/page.hpp -DFUNCTION=page -P embed_text.cmake
# The source defines `std::string_view aria::FUNCTION()`, which HEADER declares.

file(READ "${INPUT}" hex HEX)
if(hex STREQUAL "")
  message(FATAL_ERROR "${INPUT} is empty")
endif()
string(REPEAT "." 64 line)  # 32 bytes
string(REGEX REPLACE "(${line})" "\\1\n" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE "${OUTPUT}" "#include \"${HEADER}\"

namespace aria {

namespace {

constexpr unsigned char kBytes[] = {
${bytes}};

}  // namespace

std::string_view ${FUNCTION}() { return {reinterpret_cast<const char*>(kBytes), sizeof(kBytes)}; }

}  // namespace aria
")
