// Small parsers beside plain ones: UTF-8, numbers in cells and words, text on its way into a page.

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "fuzz.h"
#include "io/cell.h"

namespace pegnn::fuzz {
namespace {

// The table of well-formed byte sequences (Unicode 15, table 3-7), row by row.
std::size_t well_formed_length(std::string_view text) {
  const auto at = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned>(static_cast<unsigned char>(text[i])) : 0U;
  };
  const auto in = [&](std::size_t i, unsigned lo, unsigned hi) {
    return at(i) >= lo && at(i) <= hi;
  };
  const auto tail = [&](std::size_t i) { return in(i, 0x80, 0xBF); };
  if (in(0, 0x00, 0x7F)) return 1;
  if (in(0, 0xC2, 0xDF) && tail(1)) return 2;
  if (in(0, 0xE0, 0xE0) && in(1, 0xA0, 0xBF) && tail(2)) return 3;
  if (in(0, 0xE1, 0xEC) && tail(1) && tail(2)) return 3;
  if (in(0, 0xED, 0xED) && in(1, 0x80, 0x9F) && tail(2)) return 3;
  if (in(0, 0xEE, 0xEF) && tail(1) && tail(2)) return 3;
  if (in(0, 0xF0, 0xF0) && in(1, 0x90, 0xBF) && tail(2) && tail(3)) return 4;
  if (in(0, 0xF1, 0xF3) && tail(1) && tail(2) && tail(3)) return 4;
  if (in(0, 0xF4, 0xF4) && in(1, 0x80, 0x8F) && tail(2) && tail(3)) return 4;
  return 0;
}

void check_utf8(std::string_view text, std::size_t characters) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = well_formed_length(text.substr(at));
    if (length == 0) break;
    at += length;
  }
  const std::optional<std::size_t> found = find_invalid_utf8(text);
  must(found.value_or(text.size()) == at, "text stops being UTF-8 where the standard says");
  if (found) return;
  const std::string shown = excerpt(text, characters);
  must(!find_invalid_utf8(shown), "an excerpt of UTF-8 is UTF-8");
  std::size_t count = 0;
  for (std::size_t i = 0; i < shown.size();
       i += well_formed_length(std::string_view(shown).substr(i))) {
    must(static_cast<unsigned char>(shown[i]) >= 0x20 && shown[i] != 0x7F,
         "an excerpt has no control characters");
    ++count;
  }
  must(count <= characters + 3, "an excerpt is as short as was asked for");
}

// strtod, kept to what a cell may be: no hexadecimal numbers, no words, nothing around it.
bool plain_number(const std::string& text, double& value) {
  for (const char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0 &&
        std::string_view("+-.eE").find(c) == std::string_view::npos) {
      return false;
    }
  }
  if (text.empty()) return false;
  char* end = nullptr;
  value = std::strtod(text.c_str(), &end);
  return end == text.c_str() + text.size();
}

void check_cell(const std::string& text) {
  double value = 0;
  const bool number = plain_number(text, value);
  const Cell cell = classify_cell(text, false);
  const bool letters = text.find_first_of("iInN") != std::string::npos;  // inf, NaN, NA, null
  must(number == (cell.kind == CellKind::number) || letters, "a cell is a number where C says so",
       text);
  if (number && cell.kind == CellKind::number) {
    must(same_bits(cell.value, value), "a number has the value that C reads", text);
  }
  double quick = 0;
  const char* const stop = scan_decimal(text.c_str(), '.', quick);
  if (stop == text.c_str() + text.size() && !text.empty()) {
    must(number && same_bits(quick, value), "read quickly a number is the same", text);
  }
  std::string comma = text;
  for (char& c : comma) c = c == '.' ? ',' : c;
  if (text.find(',') != std::string::npos) return;
  const Cell other = classify_cell(comma, true);
  must(other.kind == cell.kind && same_bits(other.value, cell.value),
       "with a decimal comma it is the same number", comma);
}

void check_words(const std::string& text, double number) {
  must(std::isnan(number) || std::isinf(number) ||
           same_bits(parse_number(format_number(number)).value_or(0.5), number),
       "a number that was written is read as it was");
  if (const auto integer = parse_integer(text)) {
    must(parse_integer(std::to_string(*integer)) == integer, "so is a whole one");
  }
  double value = 0;
  if (const auto parsed = parse_number(text); parsed && plain_number(text, value)) {
    must(same_bits(*parsed, value), "a word has the value that C reads", text);
  }
  const std::vector<std::string> words = split_words(text);
  must(split_words(join(words, ",")) == words, "words that were joined are split again");
  const std::string page = escape_html(text);
  must(page.find_first_of("<>\"'") == std::string::npos, "what goes into a page is no mark-up");
  nearest_word(text, words);
  trim(text);
  format_short(number);
  format_seconds(number);
}

void check(Bytes bytes) {
  const std::size_t characters = bytes.ConsumeIntegral<std::uint8_t>() % 48U;
  const double number = std::bit_cast<double>(bytes.ConsumeIntegral<std::uint64_t>());
  const std::string text = bytes.ConsumeRemainingBytesAsString();
  check_utf8(text, characters);
  if (text.find('\0') == std::string::npos) {
    check_cell(text);
    check_words(text, number);
  }
}

}  // namespace
}  // namespace pegnn::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  pegnn::fuzz::check({data, size});
  return 0;
}
