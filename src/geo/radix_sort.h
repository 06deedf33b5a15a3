#pragma once
// Sorting by digits, for keys that are whole numbers.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/array.h"

namespace pegnn {

// Sorts `items` by `key_of(item)`, an unsigned number of at most `bits` bits; equal keys keep their
// order. From the lowest digit up, each by counting: O(items) for every 8 bits, without a branch
// that depends on the data. `scratch` is resized and kept by the caller for the next time.
template <class T, class Key>
void radix_sort(Array<T>& items, Array<T>& scratch, int bits, Key key_of) {
  constexpr int kDigitBits = 8;
  constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
  scratch.resize(items.size());
  for (int shift = 0; shift < bits; shift += kDigitBits) {
    const auto digit = [&](const T& item) {
      return static_cast<std::size_t>(key_of(item) >> shift) % kDigits;
    };
    std::array<std::size_t, kDigits> begins{};
    for (const T& item : items) ++begins[digit(item)];
    std::size_t sum = 0;
    for (std::size_t& begin : begins) begin = std::exchange(sum, sum + begin);
    for (const T& item : items) scratch[begins[digit(item)]++] = item;
    std::swap(items, scratch);
  }
}

}  // namespace pegnn
