#include "predict/given_rows.h"

#include <fmt/core.h>

#include "base/array.h"
#include "pegnn/error.h"

namespace pegnn {

Mat<const double> feature_rows(const ModelState& state, Span<const double> features,
                               std::int64_t rows) {
  const std::int64_t width = std::ssize(state.roles.features);
  if (features.size() != rows * width) {
    throw Error(ErrorKind::usage, fmt::format("{} feature values for {} points of a model with {}",
                                              features.size(), rows, width));
  }
  return {features.data(), rows, width};
}

}  // namespace pegnn
