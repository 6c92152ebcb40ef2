#include "aria/persistence/npy_header.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "aria/persistence/file_error.hpp"

namespace aria {
namespace {

// Reads the one Python expression that NumPy writes: a dict of 'descr', 'fortran_order' and 'shape', each once, in any
// order. Nothing else of Python is understood, on purpose.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text), rest_(text) {}

  NpyHeader parse() {
    expect('{');
    while (!accept('}')) {
      parse_item();
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_spaces();
    if (!rest_.empty() || !has_descr_ || !has_order_ || !has_shape_) fail();
    return std::move(header_);
  }

 private:
  [[noreturn]] void fail() const {
    throw InputError(
        fmt::format("its header must be a dict of 'descr', 'fortran_order' and 'shape', got {}", excerpt(text_)));
  }
  void skip_spaces() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
  }
  bool accept(char c) {
    skip_spaces();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail();
  }
  bool accept_word(std::string_view word) {
    skip_spaces();
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  std::string_view parse_string() {
    const char quote = accept('"') ? '"' : '\'';
    if (quote == '\'') expect('\'');
    const std::size_t end = rest_.find(quote);
    if (end == std::string_view::npos) fail();
    const std::string_view result = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return result;
  }
  void parse_item() {
    const std::string_view key = parse_string();
    expect(':');
    if (key == "descr" && !has_descr_) {
      has_descr_ = true;
      parse_descr();
    } else if (key == "fortran_order" && !has_order_) {
      has_order_ = true;
      header_.fortran_order = accept_word("True");
      if (!header_.fortran_order && !accept_word("False")) fail();
    } else if (key == "shape" && !has_shape_) {
      has_shape_ = true;
      parse_shape();
    } else {
      fail();
    }
  }
  void parse_descr() {
    skip_spaces();
    if (rest_.starts_with('[')) throw InputError("its type must be a plain number type, got a structured array");
    const std::string_view descr = parse_string();
    static constexpr std::array<std::string_view, 12> kTypes = {"f2", "f4", "f8", "i1", "i2", "i4",
                                                                "i8", "u1", "u2", "u4", "u8", "b1"};
    const bool known = descr.size() == 3 && std::ranges::find(kTypes, descr.substr(1)) != kTypes.end();
    // single bytes have no order: NumPy writes '|'
    if (!known || (descr[0] != '<' && descr[0] != '>' && !(descr[0] == '|' && descr[2] == '1'))) refuse_type(descr);
    header_.type = descr.substr(1);
    header_.item_size = static_cast<std::size_t>(descr[2] - '0');
    header_.big_endian = descr[0] == '>';
  }
  [[noreturn]] static void refuse_type(std::string_view descr) {
    const bool objects = descr.find('O') != std::string_view::npos;
    throw InputError(fmt::format("its type must be floats of 2, 4 or 8 bytes, integers or booleans, got {}{}",
                                 excerpt(descr), objects ? " (Python objects, which would need pickle)" : ""));
  }
  void parse_shape() {
    expect('(');
    while (!accept(')')) {
      require(header_.shape.size() < kMaxNpyDimensions, "its number of dimensions",
              fmt::format("at most {}", kMaxNpyDimensions), "more");
      header_.shape.push_back(parse_dimension());
      if (accept(',')) continue;
      // (3) is a number in Python, not a tuple
      if (header_.shape.size() == 1) fail();
      expect(')');
      break;
    }
  }
  std::size_t parse_dimension() {
    skip_spaces();
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || end == rest_.data()) fail();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  std::string_view text_;
  std::string_view rest_;
  NpyHeader header_;
  bool has_descr_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
};

// A product that wraps around would pass for a small array.
void check_product(const NpyHeader& header) {
  std::size_t bytes = header.item_size;
  for (const std::size_t dimension : header.shape) {
    require(dimension == 0 || bytes <= std::numeric_limits<std::size_t>::max() / dimension, "its shape",
            "of a size that fits the memory", shape_text(header.shape));
    bytes *= dimension;
  }
}

std::size_t read_little_endian(ByteSource& source, std::size_t bytes) {
  std::array<std::byte, 4> buffer{};
  source.read(std::span(buffer).first(bytes));
  std::size_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) value |= std::to_integer<std::size_t>(buffer[i]) << (8 * i);
  return value;
}

}  // namespace

std::size_t npy_count(const NpyHeader& header) {
  std::size_t count = 1;
  for (const std::size_t dimension : header.shape) count *= dimension;
  return count;
}

std::string shape_text(std::span<const std::size_t> shape) {
  std::string result = "(";
  for (std::size_t d = 0; d < shape.size(); ++d) result += (d == 0 ? "" : ", ") + std::to_string(shape[d]);
  return result + (shape.size() == 1 ? ",)" : ")");
}

NpyHeader read_npy_header(ByteSource& source) {
  std::array<char, 8> start{};
  source.read(std::as_writable_bytes(std::span(start)));
  const std::string_view magic(start.data(), kNpyMagic.size());
  require(magic == kNpyMagic, "its start", "that of a NumPy array", excerpt(magic));
  const int major = static_cast<unsigned char>(start[6]);
  const int minor = static_cast<unsigned char>(start[7]);
  require(major >= 1 && major <= 3 && minor == 0, "its NumPy format version", "1.0, 2.0 or 3.0",
          fmt::format("{}.{}", major, minor));

  const std::size_t length = read_little_endian(source, major == 1 ? 2 : 4);
  require(length <= kMaxNpyHeaderBytes, "the length of its header", fmt::format("at most {}", kMaxNpyHeaderBytes),
          length);
  std::string text(length, '\0');
  source.read(std::as_writable_bytes(std::span(text)));
  NpyHeader header = HeaderParser(text).parse();
  check_product(header);
  return header;
}

std::string format_npy_header(std::string_view type, std::span<const std::size_t> shape) {
  require(shape.size() <= kMaxNpyDimensions, "the number of dimensions", fmt::format("at most {}", kMaxNpyDimensions),
          shape.size());
  const bool one_byte = type.ends_with('1');
  std::string dict = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': {}, }}", one_byte ? '|' : '<',
                                 type, shape_text(shape));
  constexpr std::size_t kAlignment = 64;
  constexpr std::size_t kBeforeDict = 10;  // magic, version, length
  const std::size_t unpadded = kBeforeDict + dict.size() + 1;
  dict.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  dict += '\n';

  std::string result(kNpyMagic);
  result += '\x01';
  result += '\0';
  result += static_cast<char>(dict.size() & 0xff);
  result += static_cast<char>(dict.size() >> 8);
  return result + dict;
}

}  // namespace aria
