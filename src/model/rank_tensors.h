#pragma once
// The knots of rank-normalised features as tensors of a model file.
//
//   scaler.rank_counts  I64, [1, features]  knots of each feature, at least one
//   scaler.rank_knots   F64, [knots, 2]     value and score, those of a feature together

#include <cstddef>
#include <vector>

#include "base/array.h"
#include "model/safetensors.h"
#include "table/rank_scale.h"

namespace pegnn {

void add_ranks(Span<const RankScale> ranks, TensorFile& file);

// Error{model} when there are not as many as features, or knots that no fit leaves: too many or
// none, not finite, not ascending.
Array<RankScale> read_ranks(const TensorFile& file, std::int64_t features);

}  // namespace pegnn
