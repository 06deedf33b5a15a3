#pragma once
// Which rows make up the batch of a step.

#include <cstdint>
#include <span>
#include <vector>

#include "base/philox.h"

namespace pegnn {

// Rows are shuffled anew for every epoch and cut into batches of equal size; the rest of an epoch
// is left out, as another shuffle brings it back. The batch of a step depends on (seed, step)
// alone.
class BatchOrder {
 public:
  // `batch` is clipped to `rows`; 0 means all rows.
  BatchOrder(std::int64_t rows, std::int64_t batch, std::uint64_t seed);

  std::int64_t batch() const { return batch_; }

  // Rows of step 0, 1, ...; valid until the next call. Cheapest when steps come in order.
  std::span<const std::int32_t> rows_of(std::int64_t step);

 private:
  std::int64_t batch_, batches_per_epoch_;
  std::int64_t epoch_ = -1;  // the one `order_` holds
  Rng rng_;
  std::vector<std::int32_t> order_;
};

}  // namespace pegnn
