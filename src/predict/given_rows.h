#pragma once
// Rows that a model is asked for, handed over as arrays.

#include <cstdint>

#include "base/array.h"
#include "base/matrix.h"
#include "base/thread_pool.h"
#include "model/inference.h"
#include "model/state.h"

namespace pegnn {

// The features as a matrix, rows x those of the model; Error{usage} unless there are as many.
Mat<const double> feature_rows(const ModelState& state, Span<const double> features,
                               std::int64_t rows);

// Rows that a network is asked for at a time: between two such chunks it can be stopped. All, where
// they are linked to each other.
std::int64_t rows_at_a_time(const Inference& network, std::int64_t rows);

// Scaled as in training; they stand in `scaled`.
template <class T>
Mat<const T> scale_rows(const Scaler& scaler, Mat<const double> features, const ThreadPool& pool,
                        Array<T>& scaled) {
  constexpr std::int64_t kRowsPerBlock = 1024;  // that a thread scales at a time
  const std::int64_t width = scaler.width();
  scaled.resize(features.rows * width);
  if (width == 0) return {scaled.data(), features.rows, 0};
  pool.for_blocks(features.rows, kRowsPerBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      scaler.apply_row(features.row(i), scaled.data() + i * width);
    }
  });
  return {scaled.data(), features.rows, width};
}

}  // namespace pegnn
