// A normal distribution: its mean and the logarithm of its deviation, both linear in the embedding.
//
//   out_i = W h_i + b;   mean = out_i0,  deviation = exp(out_i1)

#include <algorithm>
#include <cmath>

#include "head/linear_head.h"

namespace pegnn {
namespace {

// In scaled units no deviation worth the name lies outside exp(-12) to exp(12).
constexpr double kMostLog = 12;

template <class T>
class GaussianHead final : public LinearHead<T> {
 public:
  GaussianHead() : LinearHead<T>(2) {}
  std::vector<OutputColumn> columns() const override {
    return {{.kind = OutputKind::mean}, {.kind = OutputKind::deviation}};
  }
  void answer(Mat<const T> raw, Mat<T> answers) const override {
    for (std::int64_t i = 0; i < raw.rows; ++i) {
      answers(i, 0) = raw(i, 0);
      answers(i, 1) = std::exp(std::clamp(raw(i, 1), T(-kMostLog), T(kMostLog)));
    }
  }
};

constexpr std::string_view kLosses[] = {"gaussian"};

}  // namespace

extern constinit const HeadEntry gaussian_head{
    .info = {.name = "gaussian",
             .summary = "A normal distribution per point: expected value and standard deviation.",
             .source = "Nix and Weigend 1994; members as a mixture, Lakshminarayanan et al. 2017"},
    .target = HeadTarget::outcome,
    .losses = kLosses,
    .make_float = make_head_of<GaussianHead, float>,
    .make_double = make_head_of<GaussianHead, double>};

}  // namespace pegnn
