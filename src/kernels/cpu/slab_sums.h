#pragma once
// Sums over rows and work memory, a piece for each slab of a schedule.

#include <cstdint>

#include "base/schedule.h"
#include "kernels/cpu/simd.h"

namespace pegnn::cpu {

// Sums over rows: each slab of the schedule has `size` numbers of its own, which are added to `out`
// at the end in the order of the slabs.
class SlabSums {
 public:
  SlabSums(Schedule& schedule, std::int64_t rows, std::int64_t size)
      : slab_rows_(schedule.slab_rows(rows)),
        slabs_(schedule.slabs(rows)),
        size_(size),
        data_(schedule.hold<float>(slabs_ * size)) {}

  // Whether the block that begins at this row is the first of its slab: its sums are to be set.
  bool first(std::int64_t row) const { return row % slab_rows_ == 0; }
  float* of(std::int64_t row) const { return data_ + row / slab_rows_ * size_; }

  template <class F>
  void for_each(F&& f) const {
    for (std::int64_t s = 0; s < slabs_; ++s) f(data_ + s * size_);
  }

  // Adds numbers [from, from + count) of all slabs to `out`.
  void add_to(Schedule& schedule, std::int64_t from, std::int64_t count, float* out) const {
    schedule.at_the_end(count, [=, *this](std::int64_t begin, std::int64_t end) noexcept {
      for_each([&](const float* slab) { add(end - begin, slab + from + begin, out + begin); });
    });
  }

 private:
  std::int64_t slab_rows_, slabs_, size_;
  float* data_;
};

}  // namespace pegnn::cpu
