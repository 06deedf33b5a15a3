// Model::activations: what the members of a network compute on the way to a prediction.

#include "base/array.h"
#include "compute/context.h"
#include "model/fitted.h"
#include "model/state.h"
#include "pegnn/model.h"
#include "predict/given_rows.h"
#include "table/given_points.h"

namespace pegnn {

Activations Model::activations(std::span<const Point> points, std::span<const double> features,
                               const RunSettings& run) const {
  const ModelState& s = *state_;
  const Array<Point> places = checked_points(points, s.roles.geographic);
  const Mat<const double> unscaled = feature_rows(s, features, places.size());
  check_finite(features, "feature value");
  const Context context(run);
  return fitted(context.pool).activations({places, unscaled}, context);
}

}  // namespace pegnn
