#include "table/target_scaler.h"

#include <algorithm>

#include "base/array.h"

namespace pegnn {
namespace {

// Between two values on a line; `sorted` is not empty.
double quantile(const Array<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::int64_t>(place);
  const std::int64_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

TargetScaler fit_target(Span<const double> values, Scaling scaling, TargetTransform transform) {
  const char* const what = "target";
  if (transform == TargetTransform::none || values.empty()) {
    return {.linear = fit_column(values, scaling, what)};
  }
  require_range(values, what);
  Array<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  TargetScaler scaler{.linear = {}, .transform = transform, .centre = quantile(sorted, 0.5)};
  const double half = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 2;
  // More than half of the values may be the same but for rounding: as a unit that would be noise,
  // or so small that the others have no room in it.
  constexpr double kNothing = 1e-9;
  const double range = sorted.back() - sorted.front();
  scaler.spread =
      half > kNothing * range ? half : fit_column(sorted, Scaling::standard, what).scale;
  const double reach = range / scaler.spread;
  const double low = (sorted.front() - scaler.centre) / scaler.spread;
  const double high = (sorted.back() - scaler.centre) / scaler.spread;
  scaler.least = std::asinh(low - reach);
  scaler.most = std::asinh(high + reach);
  for (double& value : sorted) value = scaler.apply(value);
  scaler.linear = fit_column(sorted, scaling, what);
  return scaler;
}

}  // namespace pegnn
