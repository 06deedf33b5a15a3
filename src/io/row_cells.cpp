#include "io/row_cells.h"

#include <algorithm>

#include "base/text.h"

namespace pegnn {

void split_row(std::string_view row, char delimiter, std::vector<std::string>& cells) {
  std::size_t count = 0, at = 0;
  const auto next = [&]() -> std::string& {
    if (count == cells.size()) cells.emplace_back();
    return cells[count++];
  };
  const auto skip_spaces = [&] {
    while (at < row.size() && row[at] != delimiter && (row[at] == ' ' || row[at] == '\t')) ++at;
  };
  for (;;) {
    std::string& cell = next();
    skip_spaces();
    if (at < row.size() && row[at] == '"') {
      std::string text;
      for (++at; at < row.size(); ++at) {
        if (row[at] == '"' && (++at >= row.size() || row[at] != '"')) break;
        text += row[at];
      }
      cell = trim(text);
      skip_spaces();
    } else {
      const std::size_t end = std::min(row.find(delimiter, at), row.size());
      cell = trim(row.substr(at, end - at));
      at = end;
    }
    if (at >= row.size()) break;
    ++at;  // the delimiter
  }
  cells.resize(count);
}

}  // namespace pegnn
