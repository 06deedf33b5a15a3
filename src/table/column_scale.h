#pragma once
// Scaling of one column of numbers, fitted on some of them and undone after prediction.

#include <string>

#include "base/array.h"

namespace pegnn {

// scaled = (value - offset) / scale; scale is positive and finite.
struct ColumnScale {
  double offset = 0;
  double scale = 1;

  double apply(double value) const { return (value - offset) / scale; }
  double invert(double scaled) const { return scaled * scale + offset; }
  friend bool operator==(const ColumnScale&, const ColumnScale&) = default;
};

enum class Scaling {
  none,
  minmax,    // to [0, 1] over the values fitted on
  standard,  // to mean 0 and population deviation 1 over them
};

// Fitted on the values, all finite. A constant column gets scale 1, so that its values become 0; no
// values at all scale nothing. Error{data}, naming the column by `what`, when the range of the
// values does not fit into a double.
ColumnScale fit_column(Span<const double> values, Scaling scaling, const std::string& what);

// The error that fit_column gives for a range of values that has no room in a double.
void require_range(Span<const double> values, const std::string& what);

}  // namespace pegnn
