#include "baseline/ordered_rows.h"

#include <algorithm>
#include <numeric>

namespace pegnn {

std::vector<std::int32_t> row_order(const BaselineRows& rows) {
  std::vector<std::int32_t> order(rows.points.size());
  std::iota(order.begin(), order.end(), 0);
  const std::int64_t columns = rows.features.cols;
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    const Point p = rows.points[i], q = rows.points[j];
    if (p.x != q.x) return p.x < q.x;
    if (p.y != q.y) return p.y < q.y;
    if (rows.target[i] != rows.target[j]) return rows.target[i] < rows.target[j];
    const double *const f = rows.features.row(a), *const g = rows.features.row(b);
    const auto [in_a, in_b] = std::mismatch(f, f + columns, g);
    if (in_a != f + columns) return *in_a < *in_b;
    return !rows.weight.empty() && rows.weight[i] < rows.weight[j];
  });
  return order;
}

OrderedRows::OrderedRows(const BaselineRows& rows)
    : order(row_order(rows)), columns(rows.features.cols) {
  for (const std::int32_t row : order) {
    points.push_back(rows.points[static_cast<std::size_t>(row)]);
    target.push_back(rows.target[static_cast<std::size_t>(row)]);
    if (!rows.weight.empty()) weight.push_back(rows.weight[static_cast<std::size_t>(row)]);
    features.insert(features.end(), rows.features.row(row), rows.features.row(row) + columns);
  }
}

}  // namespace pegnn
