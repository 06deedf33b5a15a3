#pragma once
// Which rows make up the batch of a step.

#include <cstdint>

#include "base/array.h"
#include "base/philox.h"

namespace pegnn {

// Rows are drawn anew for every epoch, each at most once, in batches of equal size; the rest of an
// epoch is left out, as another one brings it back. The batch of a step depends on (seed, step)
// alone.
class BatchOrder {
 public:
  // `batch` is clipped to `rows`; 0 means all rows.
  BatchOrder(std::int64_t rows, std::int64_t batch, std::uint64_t seed);

  std::int64_t batch() const { return batch_; }

  // Rows of step 0, 1, ..., in no particular order; valid until the next call. When steps come in
  // order a call costs as much as its rows, but for the first of an epoch, which renumbers all
  // rows.
  Span<const std::int32_t> rows_of(std::int64_t step);

 private:
  void draw(std::int64_t end);

  std::int64_t batch_, batches_per_epoch_;
  std::int64_t epoch_ = -1;  // the one `order_` holds
  std::int64_t drawn_ = 0;   // rows of it that have been drawn
  Rng rng_;
  Array<std::int32_t> order_;
};

}  // namespace pegnn
