// Graph convolution; the layer is in gcn_layer.h.

#include "backbone/gcn_layer.h"

namespace pegnn {
namespace {

template <class T>
class Gcn final : public GcnLayer<T, true> {};

}  // namespace

extern constinit const BackboneEntry gcn_backbone{
    .info = {.name = "gcn",
             .summary = "Graph convolution with symmetric normalisation and self loops.",
             .source = "Kipf and Welling, ICLR 2017"},
    .make_float = make_stack_float<Gcn>,
    .make_double = make_stack_double<Gcn>};

}  // namespace pegnn
