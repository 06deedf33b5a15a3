// The mean of the k nearest training points' labels.
//
//   y(c) = sum_j w_j y_j / sum_j w_j,   w_j = 1 (uniform) or 1/d_j (distance)
//
// times the weights of the rows, where they have such.

#include "baseline/neighbour_mean.h"

namespace pegnn {
namespace {

class Knn final : public NeighbourMean {
 public:
  explicit Knn(const BaselineSpec& spec)
      : NeighbourMean(spec, spec.options.knn_weights == "uniform", false) {}

 protected:
  double weight(double ratio) const override { return 1.0 / ratio; }
};

}  // namespace

extern constinit const BaselineEntry knn_baseline{
    .info = {.name = "knn",
             .summary = "Mean of the nearest training points' labels, uniform or by distance.",
             .source = "Cover and Hart, IEEE Trans. Inf. Theory 13, 1967"},
    .uses_features = false,
    .leaves_out = true,
    .weighs_rows = true,
    .resolve = [](Options& options, std::int64_t rows) { resolve_k(options, 5, rows); },
    .make = [](const BaselineSpec& spec) -> std::unique_ptr<Baseline> {
      return std::make_unique<Knn>(spec);
    }};

}  // namespace pegnn
