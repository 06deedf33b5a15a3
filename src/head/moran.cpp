// The auxiliary task of PE-GNN: one linear layer on the same embedding, trained on the local
// Moran's I of the target on the batch's own graph ("shuffled" Moran's I, Klemmer et al. 2023,
// section 3.3).

#include "head/linear_head.h"

namespace pegnn {

extern constinit const HeadEntry moran_head{
    .info = {.name = "moran",
             .summary = "Auxiliary: the local Moran's I of the target on the batch's graph.",
             .source = "Klemmer et al. 2023, section 3.3"},
    .target = HeadTarget::local_moran,
    .make_float = make_linear_head<float>,
    .make_double = make_linear_head<double>};

}  // namespace pegnn
