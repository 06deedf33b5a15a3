#include "baseline/ordered_rows.h"

#include <algorithm>
#include <numeric>

#include "base/array.h"

namespace pegnn {

Array<std::int32_t> row_order(const BaselineRows& rows) {
  Array<std::int32_t> order(rows.points.size());
  std::iota(order.begin(), order.end(), 0);
  const std::int64_t columns = rows.features.cols;
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    const Point p = rows.points[a], q = rows.points[b];
    if (p.x != q.x) return p.x < q.x;
    if (p.y != q.y) return p.y < q.y;
    if (rows.target[a] != rows.target[b]) return rows.target[a] < rows.target[b];
    const double *const f = rows.features.row(a), *const g = rows.features.row(b);
    const auto [in_a, in_b] = std::mismatch(f, f + columns, g);
    if (in_a != f + columns) return *in_a < *in_b;
    return !rows.weight.empty() && rows.weight[a] < rows.weight[b];
  });
  return order;
}

OrderedRows::OrderedRows(const BaselineRows& rows)
    : order(row_order(rows)), columns(rows.features.cols) {
  points = gather(rows.points, order);
  target = gather(rows.target, order);
  if (!rows.weight.empty()) weight = gather(rows.weight, order);
  for (const std::int32_t row : order) {
    features.insert(features.end(), rows.features.row(row), rows.features.row(row) + columns);
  }
}

}  // namespace pegnn
