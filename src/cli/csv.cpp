#include "cli/csv.h"

#include <algorithm>
#include <cmath>

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
  if (std::isnan(value)) return {};
  std::string text = format_short(value, digits);
  std::replace(text.begin(), text.end(), '.', table.decimal_mark());
  return text;
}

}  // namespace pegnn
