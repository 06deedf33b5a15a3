#include "pegnn/table.h"
#include "base/array.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/assert.h"
#include "pegnn/error.h"

namespace pegnn {

const Column* Table::find(std::string_view name) const {
  for (const Column& column : columns_) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

void Table::add(Column column) {
  const auto rows = std::ssize(column.values);
  if (column.name.empty()) {
    throw Error(ErrorKind::usage, fmt::format("{}: a column needs a name", source_));
  }
  if (find(column.name) != nullptr) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: there is already a column '{}'", source_, column.name));
  }
  if (!columns_.empty() && rows != rows_) {
    throw Error(ErrorKind::usage, fmt::format("{}: column '{}' has {} rows where the table has {}",
                                              source_, column.name, rows, rows_));
  }
  rows_ = rows;
  columns_.push_back(std::move(column));
}

void Table::add(std::string name, std::vector<double> values) {
  Column column;
  column.name = std::move(name);
  column.values = std::move(values);
  add(std::move(column));
}

std::int64_t Table::line_of(std::int64_t row) const {
  if (lines_.empty() || row < 0 || row >= rows_) return 0;
  const auto last = std::ssize(lines_) - 1;
  if (row <= last) return Span(lines_)[row];
  return lines_.back() + (row - last);
}

void Table::replace(std::string_view name, std::vector<double> values) {
  const auto found = std::find_if(columns_.begin(), columns_.end(),
                                  [&](const Column& column) { return column.name == name; });
  PEGNN_ASSERT(found != columns_.end() && values.size() == found->values.size(),
               "a column of the table gets as many values as it has");
  found->values = std::move(values);
}

std::string Table::where(std::int64_t row) const {
  const std::int64_t line = line_of(row);
  if (line == 0) return fmt::format("data row {}", row);
  return fmt::format("{} {}", has_geometry() ? "feature" : "line", line);
}

std::string_view Table::row_text(std::int64_t row) const {
  if (row < 0 || row + 1 >= std::ssize(row_begin_)) return {};
  const std::size_t begin = as_size(Span(row_begin_)[row]);
  const std::size_t end = as_size(Span(row_begin_)[row + 1]);
  std::string_view text = std::string_view(bytes_).substr(begin, end - begin);
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

void Table::set_text(std::string bytes, std::vector<std::int64_t> begin, std::string header,
                     char delimiter) {
  PEGNN_ASSERT(begin.empty() || begin.back() == std::ssize(bytes),
               "the last row ends where the bytes do");
  bytes_ = std::move(bytes);
  row_begin_ = std::move(begin);
  header_text_ = std::move(header);
  delimiter_ = delimiter;
}

}  // namespace pegnn
