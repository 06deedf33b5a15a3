#pragma once
// Scaling of features and target, fitted on chosen rows and undone after prediction.

#include <cstdint>
#include <span>
#include <vector>

#include "table/dataset.h"

namespace pegnn {

// scaled = (value - offset) / scale; scale is positive and finite.
struct ColumnScale {
  double offset = 0;
  double scale = 1;

  double apply(double value) const { return (value - offset) / scale; }
  double invert(double scaled) const { return scaled * scale + offset; }
  friend bool operator==(const ColumnScale&, const ColumnScale&) = default;
};

struct Scaler {
  std::vector<ColumnScale> features;
  ColumnScale target;  // does nothing when the data has no target
};

enum class Scaling {
  none,
  minmax,    // to [0, 1] over the rows fitted on
  standard,  // to mean 0 and population deviation 1 over them
};

// Fits on `rows` of `data`, each in [0, data.rows()). A column that is constant over them gets
// scale 1, so that its values become 0; no rows at all scale nothing. Error{data} when a column's
// range does not fit into a double.
Scaler fit_scaler(const Dataset& data, std::span<const std::int64_t> rows, Scaling scaling);

}  // namespace pegnn
