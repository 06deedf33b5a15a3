#include "table/scaler.h"

#include <algorithm>

#include <fmt/core.h>

#include "base/array.h"
#include "base/assert.h"

namespace pegnn {
namespace {

template <class T>
void scale_row(const Scaler& scaler, const double* values, T* out) {
  const std::int64_t features = scaler.features.size();
  for (std::int64_t f = 0; f < features; ++f) {
    const double scaled = scaler.features[f].apply(values[f]);
    out[f] = static_cast<T>(std::clamp(scaled, -scaler.limit, scaler.limit));
  }
  for (std::int64_t f = 0; f < std::ssize(scaler.ranks); ++f) {
    out[features + f] = static_cast<T>(scaler.ranks[f].apply(values[f]));
  }
}

}  // namespace

void Scaler::apply_row(const double* values, float* out) const { scale_row(*this, values, out); }
void Scaler::apply_row(const double* values, double* out) const { scale_row(*this, values, out); }

Scaler fit_scaler(const Dataset& data, Span<const std::int64_t> rows, const ScalerPlan& plan) {
  for (const std::int64_t row : rows) {
    PEGNN_ASSERT(row >= 0 && row < data.rows(), "a scaler is fitted on rows of its data set");
  }
  Scaler scaler;
  const std::int64_t width = data.features();
  if (plan.ranks && plan.scaling != Scaling::none) scaler.limit = kScaledLimit;
  Array<double> column(rows.size());
  for (std::int64_t f = 0; f < width; ++f) {
    for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
      column[i] = data.x[rows[i] * width + f];
    }
    const std::string what = fmt::format("column '{}'", Span(data.feature_names)[f]);
    scaler.features.push_back(fit_column(column, plan.scaling, what));
    if (!plan.ranks) continue;
    require_range(column, what);
    scaler.ranks.push_back(fit_ranks(column));
  }
  if (!data.y.empty()) {
    for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
      column[i] = data.y[rows[i]];
    }
    scaler.target = fit_target(column, plan.scaling, plan.transform);
  }
  return scaler;
}

}  // namespace pegnn
