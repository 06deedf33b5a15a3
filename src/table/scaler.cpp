#include "table/scaler.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/assert.h"
#include "base/text.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

// `value(i)` is the column's value at the i-th of `count` > 0 rows.
template <class Value>
ColumnScale fit_column(std::size_t count, Scaling scaling, const std::string& what, Value value) {
  double low = value(0), high = value(0);
  for (std::size_t i = 1; i < count; ++i) {
    low = std::min(low, value(i));
    high = std::max(high, value(i));
  }
  // Asked before any mean is taken: that of equal values may differ from them in the last bit, and
  // the deviation would then be rounding noise.
  if (low == high) return {low, 1};
  const double range = high - low;
  if (!std::isfinite(range)) {
    throw Error(ErrorKind::data, fmt::format("{}: values from {} to {} span too much to be scaled",
                                             what, format_number(low), format_number(high)));
  }
  if (scaling == Scaling::minmax) return {low, range};
  // In units of the range, so that neither the sums overflow nor the squares underflow.
  const auto n = static_cast<double>(count);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += (value(i) - low) / range;
  const double mean = sum / n;
  double squares = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double deviation = (value(i) - low) / range - mean;
    squares += deviation * deviation;
  }
  const double deviation = std::sqrt(squares / n) * range;
  return {low + mean * range, deviation > 0 ? deviation : range};  // 0: a subnormal range
}

}  // namespace

Scaler fit_scaler(const Dataset& data, std::span<const std::int64_t> rows, Scaling scaling) {
  Scaler scaler;
  scaler.features.resize(data.feature_names.size());
  if (scaling == Scaling::none || rows.empty()) return scaler;
  for (const std::int64_t row : rows) {
    PEGNN_ASSERT(row >= 0 && row < data.rows(), "a scaler is fitted on rows of its data set");
  }
  const std::size_t width = scaler.features.size();
  for (std::size_t f = 0; f < width; ++f) {
    scaler.features[f] = fit_column(
        rows.size(), scaling, fmt::format("column '{}'", data.feature_names[f]),
        [&](std::size_t i) { return data.x[static_cast<std::size_t>(rows[i]) * width + f]; });
  }
  if (!data.y.empty()) {
    scaler.target = fit_column(rows.size(), scaling, "target", [&](std::size_t i) {
      return data.y[static_cast<std::size_t>(rows[i])];
    });
  }
  return scaler;
}

}  // namespace pegnn
