#pragma once
// Features as models read them: scaled rows of a data set.

#include "base/array.h"
#include "table/dataset.h"
#include "table/scaler.h"

namespace pegnn {

// Scaled features of rows of `data`, rows x scaler.width(); T is float or double.
template <class T>
Array<T> scaled_features(const Dataset& data, Span<const std::int64_t> rows, const Scaler& scaler);

}  // namespace pegnn
