// The auxiliary task of PE-GNN: one linear layer on the same embedding, trained on the local
// Moran's I of the target on the batch's own graph ("shuffled" Moran's I, Klemmer et al. 2023,
// section 3.3).

#include "head/linear_head.h"

namespace pegnn {
namespace {

template <class T>
class MoranHead final : public LinearHead<T> {
 public:
  MoranHead() : LinearHead<T>(1) {}
  std::vector<OutputColumn> columns() const override { return {}; }
  void answer(Mat<const T>, Mat<T>) const override {}
};

constexpr std::string_view kLosses[] = {"mse"};

}  // namespace

extern constinit const HeadEntry moran_head{
    .info = {.name = "moran",
             .summary = "Auxiliary: the local Moran's I of the target on the batch's graph.",
             .source = "Klemmer et al. 2023, section 3.3"},
    .target = HeadTarget::local_moran,
    .losses = kLosses,
    .make_float = make_head_of<MoranHead, float>,
    .make_double = make_head_of<MoranHead, double>};

}  // namespace pegnn
