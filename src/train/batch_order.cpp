#include "train/batch_order.h"

#include <algorithm>
#include <numeric>

namespace pegnn {

BatchOrder::BatchOrder(std::int64_t rows, std::int64_t batch, std::uint64_t seed)
    : batch_(batch == 0 ? rows : std::min(batch, rows)),
      batches_per_epoch_(std::max<std::int64_t>(1, rows / std::max<std::int64_t>(1, batch_))),
      rng_{seed, Stream::batch_order},
      order_(static_cast<std::size_t>(rows)) {
  std::iota(order_.begin(), order_.end(), 0);
}

std::span<const std::int32_t> BatchOrder::rows_of(std::int64_t step) {
  const bool all_rows = batch_ == static_cast<std::int64_t>(order_.size());
  if (all_rows) return order_;  // the order of rows in a full batch carries no meaning
  const std::int64_t epoch = step / batches_per_epoch_;
  if (epoch != epoch_) {
    // From the sorted order each time, so that an epoch's shuffle does not depend on the last
    // one's.
    std::iota(order_.begin(), order_.end(), 0);
    shuffle(order_.data(), static_cast<std::int64_t>(order_.size()), rng_,
            static_cast<std::uint64_t>(epoch));
    epoch_ = epoch;
  }
  const std::int64_t first = step % batches_per_epoch_ * batch_;
  return std::span(order_).subspan(static_cast<std::size_t>(first),
                                   static_cast<std::size_t>(batch_));
}

}  // namespace pegnn
