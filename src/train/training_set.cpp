#include "train/training_set.h"

#include "base/array.h"

namespace pegnn {

TrainingSet make_training_set(const Dataset& data, Span<const std::int64_t> rows,
                              const Scaler& scaler) {
  TrainingSet set;
  set.feature_count = scaler.width();
  set.features = scaled_features<float>(data, rows, scaler);
  set.points = gather(data.points, rows);
  set.target.reserve(rows.size());
  set.labels.reserve(rows.size());
  for (const std::int64_t row : rows) {
    set.target.push_back(scaler.target.apply(data.y[row]));
    set.labels.push_back(static_cast<float>(set.target.back()));
  }
  const Array<double> weights = weights_of(data, rows);
  set.weight.assign(weights.begin(), weights.end());
  return set;
}

KeptBasis keep_basis(const Encoder<float>& encoder, const Backend<float>& backend,
                     std::int64_t max_bytes, const TrainingSet& set) {
  KeptBasis basis{.width = encoder.basis_width(), .values = {}};
  const std::int64_t size = set.rows() * basis.width;
  if (size == 0 || size * static_cast<std::int64_t>(sizeof(float)) > max_bytes) return basis;
  backend.grow(basis.values, size);
  static_assert(sizeof(Point) == 2 * sizeof(double), "points are pairs of coordinates");
  encoder.basis(backend.kernels, backend.pool, {&set.points.data()->x, set.rows(), 2},
                {basis.values.data(), set.rows(), basis.width});
  return basis;
}

}  // namespace pegnn
