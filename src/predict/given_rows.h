#pragma once
// Rows that a model is asked for, handed over as arrays.

#include <cstdint>

#include "base/array.h"
#include "base/matrix.h"
#include "model/state.h"

namespace pegnn {

// The features as a matrix, rows x those of the model; Error{usage} unless there are as many.
Mat<const double> feature_rows(const ModelState& state, Span<const double> features,
                               std::int64_t rows);

}  // namespace pegnn
