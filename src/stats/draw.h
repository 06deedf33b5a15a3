#pragma once
// Cheap unbiased draws for permutation tests: shuffles and subsets from counter-based words.

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/array.h"
#include "base/philox.h"

namespace pegnn {

// The 32-bit words of one numbered stream, in order; every word of a Philox block is used. Two
// streams of one Rng with different numbers are independent.
class WordStream {
 public:
  WordStream(const Rng& rng, std::uint32_t number) : rng_(rng), number_(number) {}

  std::uint32_t next() {
    if (used_ == block_.size()) {
      block_ = rng_.words(blocks_++, number_);
      used_ = 0;
    }
    return block_[used_++];
  }

  // Uniform in {0, ..., n - 1}, n > 0, without bias: the product's low half tells the rare words
  // that would favour some results, and those are drawn again (Lemire, "Fast random integer
  // generation in an interval", 2019).
  std::uint32_t below(std::uint32_t n) {
    std::uint64_t product = std::uint64_t{next()} * n;
    if (static_cast<std::uint32_t>(product) < n) {
      const std::uint32_t least = (0U - n) % n;
      while (static_cast<std::uint32_t>(product) < least) product = std::uint64_t{next()} * n;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

 private:
  Rng rng_;
  std::uint32_t number_;
  std::uint64_t blocks_ = 0;
  std::size_t used_ = 4;
  PhiloxBlock block_{};
};

// Fisher and Yates: every order is equally likely.
inline void shuffle_values(Span<double> values, WordStream& words) {
  for (std::int64_t i = values.size(); i > 1; --i)
    std::swap(values[i - 1], values[words.below(static_cast<std::uint32_t>(i))]);
}

// Draws subsets without replacement. Keeps its memory between draws; one per thread.
class SubsetSampler {
 public:
  // `count` different numbers below `n`, every subset equally likely, the order not; count <= n.
  // Valid until the next draw. O(count) for any count, by Floyd's method: the s-th candidate is
  // drawn from one number more than the last; if it is taken, the new number itself is free.
  Span<const std::uint32_t> draw(std::uint32_t n, std::uint32_t count, WordStream& words) {
    drawn_.resize(count);
    if (count > kScan) return draw_many(n, count, words);
    for (std::uint32_t s = 0; s < count; ++s) {
      const std::uint32_t newest = n - count + s;
      const std::uint32_t candidate = words.below(newest + 1);
      const auto end = drawn_.begin() + s;
      drawn_[s] = std::find(drawn_.begin(), end, candidate) == end ? candidate : newest;
    }
    return drawn_;
  }

 private:
  // Up to here looking through what was drawn is quicker than marking it in a table of n entries.
  static constexpr std::uint32_t kScan = 32;

  Span<const std::uint32_t> draw_many(std::uint32_t n, std::uint32_t count, WordStream& words) {
    if (mark_.size() < n || ++round_ == 0) {
      mark_.assign(std::max<std::int64_t>(mark_.size(), n), 0);
      round_ = 1;
    }
    for (std::uint32_t s = 0; s < count; ++s) {
      const std::uint32_t newest = n - count + s;
      const std::uint32_t candidate = words.below(newest + 1);
      drawn_[s] = mark_[candidate] == round_ ? newest : candidate;
      mark_[drawn_[s]] = round_;
    }
    return drawn_;
  }

  Array<std::uint32_t> drawn_;
  Array<std::uint32_t> mark_;  // the round in which a number was last drawn
  std::uint32_t round_ = 0;
};

}  // namespace pegnn
