#include "graph/input_columns.h"

#include <algorithm>

#include "base/assert.h"

namespace pegnn {

std::int64_t column_number(Span<const std::string_view> columns, std::string_view name) {
  const auto found = std::ranges::find(columns, name);
  PEGNN_ASSERT(found != columns.end(), "columns are asked for by names that are listed");
  return found - columns.begin();
}

}  // namespace pegnn
