#pragma once
// Rows grouped by what stands in a column.

#include <cstdint>
#include <string>
#include <vector>

#include "base/array.h"
#include "pegnn/table.h"

namespace pegnn {

struct ColumnGroups {
  Array<std::int32_t> group;       // of each row asked for; -1 where the cell is empty
  std::vector<std::string> names;  // the value of each group: numbers ascending, then words
};

// One group for each different value, of numbers or of words, in the given rows of the table.
// Error{usage} for a column that is not there, and for words that were not kept (Column::words).
ColumnGroups column_groups(const Table& table, const std::string& column,
                           Span<const std::int64_t> rows);

}  // namespace pegnn
