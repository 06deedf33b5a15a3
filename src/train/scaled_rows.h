#pragma once
// Rows of a data set, scaled, as baselines read them.

#include <cstdint>

#include "base/array.h"
#include "baseline/baseline.h"
#include "table/dataset.h"
#include "table/scaled_features.h"
#include "table/scaler.h"

namespace pegnn {

struct ScaledRows {
  Array<Point> points;
  Array<double> features, target, weight;
  std::int64_t width = 0;

  ScaledRows(const Dataset& data, Span<const std::int64_t> rows, const Scaler& scaler)
      : points(gather(data.points, rows)),
        features(scaled_features<double>(data, rows, scaler)),
        weight(weights_of(data, rows)),
        width(scaler.width()) {
    target.reserve(rows.size());
    for (const std::int64_t row : rows) target.push_back(scaler.target.apply(data.y[row]));
  }
  BaselineRows view() const {
    return {points, {features.data(), std::ssize(points), width}, target, weight};
  }
};

}  // namespace pegnn
