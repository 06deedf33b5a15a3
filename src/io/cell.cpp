#include "io/cell.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>

#include "base/text.h"

namespace pegnn {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_missing(std::string_view text) {
  constexpr std::string_view kWords[] = {"", "NA", "N/A", "NaN", "nan", "null", "NULL"};
  return std::find(std::begin(kWords), std::end(kWords), text) != std::end(kWords);
}

// std::from_chars says only "out of range"; whether a decimal is too large or too small follows
// from the power of ten of its first digit that counts.
double out_of_range(std::string_view text) {
  std::int64_t power = 0;
  bool seen_point = false, seen_digit = false;
  std::size_t i = 0;
  for (; i < text.size() && (is_digit(text[i]) || text[i] == '.'); ++i) {
    if (text[i] == '.') {
      seen_point = true;
      continue;
    }
    seen_digit = seen_digit || text[i] != '0';
    if (seen_point && !seen_digit) --power;
    if (!seen_point && seen_digit) ++power;
  }
  bool negative_exponent = false;
  std::int64_t exponent = 0;
  for (; i < text.size(); ++i) {
    if (text[i] == '-') negative_exponent = true;
    constexpr std::int64_t kPlenty = std::int64_t{1} << 56;  // no file has that many digits
    if (is_digit(text[i]) && exponent < kPlenty) exponent = exponent * 10 + (text[i] - '0');
  }
  return power + (negative_exponent ? -exponent : exponent) > 0 ? kInfinity : 0.0;
}

// The number in `text`, an unsigned decimal with a point. False when there is none.
bool read_decimal(std::string_view text, double& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) return false;
  if (error == std::errc::result_out_of_range) value = out_of_range(text);
  return true;
}

}  // namespace

Cell classify_cell(std::string_view text, bool comma) {
  if (is_missing(text)) return {CellKind::missing, 0, '\0'};
  const Cell as_text{CellKind::text, 0, '\0'};
  const double sign = text.front() == '-' ? -1 : 1;
  if (text.front() == '-' || text.front() == '+') text.remove_prefix(1);
  if (text.empty()) return as_text;
  Cell cell{CellKind::number, 0, '\0'};
  // from_chars would take nan(...) and a second sign too: words are ours, it gets the digits.
  if (is_digit(text.front()) || text.front() == '.' || (comma && text.front() == ',')) {
    const std::size_t at = text.find_first_of(comma ? ".," : ".");
    if (at != std::string_view::npos) cell.mark = text[at];
    std::string with_point;
    if (cell.mark == ',') {
      with_point = text;
      with_point[at] = '.';
      text = with_point;
    }
    if (!read_decimal(text, cell.value)) return as_text;
  } else {
    const std::string word = text.size() <= 8 ? lower(text) : std::string();
    if (word != "inf" && word != "infinity") return as_text;
    cell.value = kInfinity;
  }
  cell.value *= sign;
  return cell;
}

}  // namespace pegnn
