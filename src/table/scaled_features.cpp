#include "table/scaled_features.h"

namespace pegnn {

template <class T>
Array<T> scaled_features(const Dataset& data, Span<const std::int64_t> rows, const Scaler& scaler) {
  const std::int64_t width = scaler.width();
  Array<T> scaled(rows.size() * width);
  for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
    scaler.apply_row(data.x.data() + rows[i] * data.features(), scaled.data() + i * width);
  }
  return scaled;
}
template Array<float> scaled_features(const Dataset&, Span<const std::int64_t>, const Scaler&);
template Array<double> scaled_features(const Dataset&, Span<const std::int64_t>, const Scaler&);

}  // namespace pegnn
