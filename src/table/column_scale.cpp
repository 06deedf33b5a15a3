#include "table/column_scale.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/array.h"
#include "base/text.h"
#include "pegnn/error.h"

namespace pegnn {

void require_range(Span<const double> values, const std::string& what) {
  if (values.empty()) return;
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  if (std::isfinite(*high - *low)) return;
  throw Error(ErrorKind::data, fmt::format("{}: values from {} to {} span too much to be scaled",
                                           what, format_number(*low), format_number(*high)));
}

ColumnScale fit_column(Span<const double> values, Scaling scaling, const std::string& what) {
  if (scaling == Scaling::none || values.empty()) return {};
  require_range(values, what);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double low = *least, range = *most - *least;
  // Asked before any mean is taken: that of equal values may differ from them in the last bit, and
  // the deviation would then be rounding noise.
  if (range == 0) return {low, 1};
  if (scaling == Scaling::minmax) return {low, range};
  // In units of the range, so that neither the sums overflow nor the squares underflow.
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += (value - low) / range;
  const double mean = sum / n;
  double squares = 0;
  for (const double value : values) {
    const double deviation = (value - low) / range - mean;
    squares += deviation * deviation;
  }
  const double deviation = std::sqrt(squares / n) * range;
  return {low + mean * range, deviation > 0 ? deviation : range};  // 0: a subnormal range
}

}  // namespace pegnn
