#pragma once
// Scaling of features and target, fitted on chosen rows and undone after prediction.

#include <cstdint>
#include <limits>
#include <vector>

#include "base/array.h"
#include "table/column_scale.h"
#include "table/dataset.h"
#include "table/rank_scale.h"
#include "table/target_scaler.h"

namespace pegnn {

struct Scaler {
  Array<ColumnScale> features;
  Array<RankScale> ranks;                                  // one for each feature, or none
  double limit = std::numeric_limits<double>::infinity();  // of a scaled feature, either way
  TargetScaler target;  // does nothing when the data has no target

  // Columns of a scaled row: the features and, where there are any, their ranks.
  std::int64_t width() const { return features.size() + ranks.size(); }

  // From one value per feature to `width` columns: all scaled features, then all ranks.
  void apply_row(const double* values, float* out) const;
  void apply_row(const double* values, double* out) const;
};

// What a scaler is to do.
struct ScalerPlan {
  // Not explicit: a scaling is the plan of that and nothing more.
  ScalerPlan(Scaling how) : scaling(how) {}

  Scaling scaling;
  bool ranks = false;  // beside every feature its normal score, see rank_scale.h
  TargetTransform transform = TargetTransform::none;
};

// With ranks, scaled features go no farther than this: a value in the tail must not drive a network
// off, and its rank still says that it is there. Features that are not scaled are left alone.
inline constexpr double kScaledLimit = 8;

// Fits on `rows` of `data`, each in [0, data.rows()). A column that is constant over them gets
// scale 1, so that its values become 0; no rows at all scale nothing. Error{data} when a column's
// range does not fit into a double.
Scaler fit_scaler(const Dataset& data, Span<const std::int64_t> rows, const ScalerPlan& plan);

}  // namespace pegnn
