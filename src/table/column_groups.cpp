#include "table/column_groups.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/core.h>

#include "base/text.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

// A cell with something in it; numbers have no word, so that they come first.
struct Value {
  std::string word;
  double number = 0;
  std::int64_t at = 0;  // among the rows asked for

  auto key() const { return std::tie(word, number); }
};

}  // namespace

ColumnGroups column_groups(const Table& table, const std::string& name,
                           Span<const std::int64_t> rows) {
  const Column* const column = table.find(name);
  if (column == nullptr) {
    std::vector<std::string> names;
    for (const Column& other : table.columns()) names.push_back(other.name);
    throw Error(ErrorKind::usage,
                fmt::format("{}: {}", table.source(), unknown_word("column", name, names)));
  }
  if (std::ssize(column->words) != column->text_cells) {
    throw Error(ErrorKind::usage, fmt::format("{}: the text of column '{}' was not kept when the "
                                              "table was read",
                                              table.source(), name));
  }
  Array<Value> values;
  for (std::int64_t at = 0; at < rows.size(); ++at) {
    const double number = Span(column->values)[rows[at]];
    if (!std::isnan(number)) {
      values.push_back({{}, number == 0 ? 0.0 : number, at});
      continue;
    }
    const auto& words = column->words;
    const auto word =
        std::lower_bound(words.begin(), words.end(), rows[at],
                         [](const auto& cell, std::int64_t row) { return cell.first < row; });
    if (word == words.end() || word->first != rows[at]) continue;
    values.push_back({word->second, 0.0, at});
  }
  std::sort(values.begin(), values.end(),
            [](const Value& a, const Value& b) { return a.key() < b.key(); });
  ColumnGroups groups{Array<std::int32_t>(rows.size(), -1), {}};
  for (std::int64_t i = 0; i < values.size(); ++i) {
    const Value& value = values[i];
    if (i == 0 || values[i - 1].key() != value.key()) {
      groups.names.push_back(value.word.empty() ? format_number(value.number) : value.word);
    }
    groups.group[value.at] = static_cast<std::int32_t>(groups.names.size()) - 1;
  }
  return groups;
}

}  // namespace pegnn
