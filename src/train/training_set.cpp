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

void keep_basis(const Encoder<float>& encoder, const Backend<float>& backend,
                std::int64_t max_bytes, TrainingSet& set) {
  set.basis_width = encoder.basis_width();
  const std::int64_t size = set.rows() * set.basis_width;
  if (size == 0 || size * static_cast<std::int64_t>(sizeof(float)) > max_bytes) return;
  backend.grow(set.basis, size);
  static_assert(sizeof(Point) == 2 * sizeof(double), "points are pairs of coordinates");
  encoder.basis(backend.kernels, backend.pool, {&set.points.data()->x, set.rows(), 2},
                {set.basis.data(), set.rows(), set.basis_width});
}

}  // namespace pegnn
