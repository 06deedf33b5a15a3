#include "paper/report/paper_rows.h"

namespace pegnn {

bool with_encoder(const TableRow& row) {
  return row.model.starts_with("pe-") || row.name.starts_with("PE-");
}

const TableCell& cell_of(const TableRow& row, std::size_t column) {
  static const TableCell kEmpty;
  return column < row.cells.size() ? row.cells[column] : kEmpty;
}

bool begins_group(const PaperTable& table, std::size_t row) {
  return row == 0 || table.rows[row].line_above ||
         table.rows[row].in_paper != table.rows[row - 1].in_paper;
}

std::vector<RowGroup> groups_of(const PaperTable& table) {
  std::vector<RowGroup> groups;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    if (begins_group(table, r)) groups.push_back({r, r});
    groups.back().end = r + 1;
  }
  return groups;
}

}  // namespace pegnn
