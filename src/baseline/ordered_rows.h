#pragma once
// Training rows in an order of their own, so that what is learned from them does not depend on the
// order of the table, not even by rounding.

#include <cstdint>

#include "base/array.h"
#include "baseline/baseline.h"

namespace pegnn {

// Numbers of the rows, sorted by place, target, features and weight; rows equal in all may swap.
Array<std::int32_t> row_order(const BaselineRows& rows);

// The rows themselves, in that order.
struct OrderedRows {
  explicit OrderedRows(const BaselineRows& rows);

  BaselineRows view() const {
    return {points, {features.data(), std::ssize(points), columns}, target, weight};
  }

  Array<std::int32_t> order;  // number in the table of each
  Array<Point> points;
  Array<double> features, target, weight;
  std::int64_t columns = 0;
};

}  // namespace pegnn
