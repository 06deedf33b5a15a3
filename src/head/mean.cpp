// The outcome: one linear layer on the embedding, trained on the table's target.

#include "head/linear_head.h"

namespace pegnn {
namespace {

template <class T>
class MeanHead final : public LinearHead<T> {
 public:
  MeanHead() : LinearHead<T>(1) {}
  std::vector<OutputColumn> columns() const override { return {{.kind = OutputKind::mean}}; }
  void answer(Mat<const T> raw, Mat<T> answers) const override {
    for (std::int64_t i = 0; i < raw.rows; ++i) answers(i, 0) = raw(i, 0);
  }
};

constexpr std::string_view kLosses[] = {"mse", "mae"};

}  // namespace

extern constinit const HeadEntry mean_head{
    .info = {.name = "mean",
             .summary = "One number per point: the expected value of the target.",
             .source = "Klemmer et al. 2023, section 3.4"},
    .target = HeadTarget::outcome,
    .losses = kLosses,
    .make_float = make_head_of<MeanHead, float>,
    .make_double = make_head_of<MeanHead, double>};

}  // namespace pegnn
