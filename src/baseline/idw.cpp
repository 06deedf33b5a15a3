// Inverse distance weighting over the k nearest training points.
//
//   y(c) = sum_j w_j d_j^-p y_j / sum_j w_j d_j^-p,   w_j the weight of a row, 1 where there are
//   none

#include <cmath>

#include "baseline/neighbour_mean.h"

namespace pegnn {
namespace {

class Idw final : public NeighbourMean {
 public:
  explicit Idw(const BaselineSpec& spec)
      : NeighbourMean(spec, false, spec.options.taper), power_(spec.options.idw_power) {}

 protected:
  double weight(double ratio) const override { return std::pow(ratio, -power_); }

 private:
  double power_;
};

}  // namespace

extern constinit const BaselineEntry idw_baseline{
    .info = {.name = "idw",
             .summary = "Inverse distance weighting over the nearest training points.",
             .source = "Shepard, ACM National Conference 1968"},
    .uses_features = false,
    .leaves_out = true,
    .weighs_rows = true,
    .resolve = [](Options& options, std::int64_t rows) { resolve_k(options, 10, rows); },
    .make = [](const BaselineSpec& spec) -> std::unique_ptr<Baseline> {
      return std::make_unique<Idw>(spec);
    }};

}  // namespace pegnn
