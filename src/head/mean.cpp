// The outcome: one linear layer on the embedding, trained on the table's target.

#include "head/linear_head.h"

namespace pegnn {

extern constinit const HeadEntry mean_head{
    .info = {.name = "mean",
             .summary = "One number per point: the expected value of the target.",
             .source = "Klemmer et al. 2023, section 3.4"},
    .target = HeadTarget::outcome,
    .make_float = make_linear_head<float>,
    .make_double = make_linear_head<double>};

}  // namespace pegnn
