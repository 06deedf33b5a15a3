#pragma once
// The random bits of dropout: one address scheme shared by all backends.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/philox.h"
#include "kernels/kernels.h"

namespace pegnn {

// One Philox block serves 16 neighbouring columns with a byte each. Masks need no more than the
// seven rounds that pass the tests of randomness.
inline constexpr std::int64_t kColumnsPerDraw = 16;
inline constexpr int kDropoutRounds = 7;

// Rates are rounded to multiples of 1/256, but a rate above 0 drops something and one below 1 keeps
// something. Bytes below the threshold are dropped.
inline std::uint32_t dropout_threshold(double rate) {
  if (!(rate > 0)) return 0;
  return static_cast<std::uint32_t>(std::clamp(std::lround(rate * 256.0), 1L, 255L));
}
// The share of elements that are kept; the rest is divided by it.
inline double dropout_share(double rate) {
  return (256.0 - static_cast<double>(dropout_threshold(rate))) / 256.0;
}

// The counter of the draw for row i, columns [16 group, 16 group + 16). Layers are told apart in
// the high half of the second word; 65,536 groups are a million columns, far above the widest
// layer.
inline PhiloxBlock dropout_counter(const Dropout& d, std::int64_t row, std::int64_t group) {
  return {static_cast<std::uint32_t>(row), (d.layer << 16) | static_cast<std::uint32_t>(group),
          static_cast<std::uint32_t>(d.step), static_cast<std::uint32_t>(Stream::dropout)};
}

inline bool dropout_keeps(const Dropout& d, std::int64_t row, std::int64_t column) {
  const PhiloxBlock w = philox<kDropoutRounds>(dropout_counter(d, row, column / kColumnsPerDraw),
                                               static_cast<std::uint32_t>(d.seed),
                                               static_cast<std::uint32_t>(d.seed >> 32));
  const auto lane = static_cast<std::size_t>(column % kColumnsPerDraw);
  const std::uint32_t bits = (w[lane / 4] >> (8 * (lane % 4))) & 0xFFU;
  return bits >= dropout_threshold(d.rate);
}

}  // namespace pegnn
