#include "flow/csv.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/text.h"

namespace pegnn {

std::string csv_name(const Table& table, std::string_view name) {
  const std::string special = std::string("\"\r\n") + table.delimiter();
  const bool plain = name.find_first_of(special) == std::string_view::npos && name == trim(name);
  if (plain) return std::string(name);
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

std::string csv_number(const Table& table, double value, int digits) {
  std::string text;
  append_csv_number(table, value, digits, text);
  return text;
}

void append_csv_number(const Table& table, double value, int digits, std::string& text) {
  if (std::isnan(value)) return;
  const auto begin = static_cast<std::ptrdiff_t>(text.size());
  text += fmt::format("{:.{}g}", value, digits);
  if (table.decimal_mark() != '.') {
    std::replace(text.begin() + begin, text.end(), '.', table.decimal_mark());
  }
}

}  // namespace pegnn
