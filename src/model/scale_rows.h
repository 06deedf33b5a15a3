#pragma once
// Features of rows that a model is asked for, scaled as in training.

#include <cstdint>

#include "base/array.h"
#include "base/matrix.h"
#include "base/thread_pool.h"
#include "table/scaler.h"

namespace pegnn {

// They stand in `scaled`.
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
