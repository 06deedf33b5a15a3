// Kriging convolutional network (Appleby, Liu, Liu, AAAI 2020): graph convolution without bias over
// a local graph per point, in which the nearest training points carry their labels.
//
// Local graph of point i: i and its k nearest training points, every pair linked with weight
// exp(-d^2 / (2 l^2)), l the median distance of a training point to its k nearest ones. A node's
// input is [features, encoder, label, indicator]: the label is 0 and the indicator 1 for i itself.
// What leaves the last layer at i is its embedding.

#include "backbone/gcn_layer.h"

namespace pegnn {
namespace {

template <class T>
class Kcn final : public GcnLayer<T, false> {};

}  // namespace

extern constinit const BackboneEntry kcn_backbone{
    .info = {.name = "kcn",
             .summary = "Kriging convolutional network: a local graph per point, whose nearest "
                        "training points carry their labels.",
             .source = "Appleby, Liu and Liu, AAAI 2020"},
    .neighbourhood = "local",
    .reads = {.node = kLabelColumns},
    .make_float = make_stack_float<Kcn>,
    .make_double = make_stack_double<Kcn>};

}  // namespace pegnn
