#pragma once
// Extrapolation: the far members of the ensemble, which answer where the training points are far.

#include <cstdint>

#include "base/array.h"
#include "pegnn/options.h"

namespace pegnn {

// How many a model with these options has; 0 where gaps between the training points are
// not told (NeighbourhoodEntry::tells_gaps).
std::int64_t far_members(const Options& options);

// The options of their network. It has no encoder, which could only remember the places of training
// points, and in most steps it is trained on neighbours from afar.
Options far_options(Options options);

// Parameters of one network or of several members, one after the other, whose mean is taken; and
// those of far members, if there are any.
struct MemberWeights {
  Span<const float> near;
  Span<const float> far = {};
};

}  // namespace pegnn
