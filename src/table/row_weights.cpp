#include "table/row_weights.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/core.h>

#include "base/array.h"
#include "base/text.h"
#include "pegnn/error.h"

namespace pegnn {

void check_weights(const Table& table, const Column& weight) {
  const Span values(weight.values);
  for (std::int64_t i = 0; i < values.size(); ++i) {
    const double w = values[i];
    if (w == 0 || std::isnan(w) || (w >= kLeastWeight && w <= kMostWeight)) continue;
    const char* const fault = w < 0              ? "is negative"
                              : std::isinf(w)    ? "is infinite"
                              : w < kLeastWeight ? "is too small"
                                                 : "is too large";
    throw Error(ErrorKind::data,
                fmt::format("{}, {}, column '{}': the weight {} {}; weights (<option:weight>) are "
                            "positive numbers, and 0 leaves a row out",
                            table.source(), table.where(i), weight.name, format_number(w), fault));
  }
}

void bring_to_mean_one(Array<double>& weights) {
  const auto differs = [&](double w) { return w != weights.front(); };
  if (std::none_of(weights.begin(), weights.end(), differs)) {
    weights.clear();
    return;
  }
  const double mean =
      std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
  for (double& w : weights) w /= mean;
}

}  // namespace pegnn
