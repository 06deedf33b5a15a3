#pragma once
// The rows of a table of the paper: which belong together, and which have the positional encoder.

#include <cstddef>
#include <vector>

#include "paper/reproduction.h"

namespace pegnn {

// A network with the positional encoder.
bool with_encoder(const TableRow& row);
// The cell in `column`; an empty one where the row is too short.
const TableCell& cell_of(const TableRow& row, std::size_t column);

// Rows of one kind, from one line to the next: [begin, end).
struct RowGroup {
  std::size_t begin, end;
};
bool begins_group(const PaperTable& table, std::size_t row);
std::vector<RowGroup> groups_of(const PaperTable& table);

}  // namespace pegnn
