#include "baseline/local_gaussian.h"

namespace pegnn {

// Right-looking, so that the inner loop runs along rows and can be vectorised as it is written.
void condition(Mat<double> a, std::int64_t given) {
  for (std::int64_t j = 0; j < given; ++j) {
    const double* source = a.row(j);
    const double pivot = source[j];
    if (std::abs(pivot) <= kRedundant) continue;
    for (std::int64_t p = j + 1; p < a.rows; ++p) {
      const double factor = source[p] / pivot;
      double* row = a.row(p);
      for (std::int64_t i = p; i < a.cols; ++i) row[i] -= factor * source[i];
    }
  }
}

}  // namespace pegnn
