#include "train/batch_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/array.h"

namespace pegnn {
namespace {

// From 64 random bits a number below n; the bias of n / 2^64 is far below anything measurable.
std::int64_t scale_to(std::uint64_t n, std::uint64_t bits) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::int64_t>((static_cast<Wide>(bits) * n) >> 64);
}

}  // namespace

BatchOrder::BatchOrder(std::int64_t rows, std::int64_t batch, std::uint64_t seed)
    : batch_(batch == 0 ? rows : std::min(batch, rows)),
      batches_per_epoch_(std::max<std::int64_t>(1, rows / std::max<std::int64_t>(1, batch_))),
      rng_{seed, Stream::batch_order},
      order_(rows) {
  std::iota(order_.begin(), order_.end(), 0);
}

Span<const std::int32_t> BatchOrder::rows_of(std::int64_t step) {
  const bool all_rows = batch_ == std::ssize(order_);
  if (all_rows) return order_;  // the order of rows in a full batch carries no meaning
  const std::int64_t epoch = step / batches_per_epoch_;
  const std::int64_t first = step % batches_per_epoch_ * batch_;
  if (epoch != epoch_ || first + batch_ < drawn_) {
    // From the sorted order each time, so that an epoch's draws do not depend on the last one's.
    std::iota(order_.begin(), order_.end(), 0);
    epoch_ = epoch;
    drawn_ = 0;
  }
  draw(first + batch_);
  return Span(order_).subspan(first, batch_);
}

// Fisher and Yates's shuffle from the front, as far as it is needed. A block of random words serves
// two draws.
void BatchOrder::draw(std::int64_t end) {
  const auto rows = std::ssize(order_);
  PhiloxBlock words{};
  for (bool fresh = true; drawn_ < end; ++drawn_, fresh = false) {
    const std::size_t half = drawn_ % 2 == 0 ? 0 : 2;
    if (fresh || half == 0) {
      words =
          rng_.words(static_cast<std::uint64_t>(epoch_), static_cast<std::uint64_t>(drawn_ / 2));
    }
    const std::uint64_t bits = (std::uint64_t{words[half + 1]} << 32) | words[half];
    const auto other = drawn_ + scale_to(static_cast<std::uint64_t>(rows - drawn_), bits);
    std::swap(order_[drawn_], order_[other]);
  }
}

}  // namespace pegnn
