#include "neighbourhood/training_points.h"

#include <algorithm>

namespace pegnn {

void gather_features(const TrainingPoints& training, Span<const std::int32_t> rows,
                     Array<float>& out) {
  const std::int64_t width = training.features.cols;
  out.resize(rows.size() * width);
  for (std::int64_t i = 0; i < std::ssize(rows) && width > 0; ++i) {
    std::copy_n(training.features.row(rows[i]), width, out.data() + i * width);
  }
}

}  // namespace pegnn
