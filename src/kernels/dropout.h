#pragma once
// The random bits of dropout: one address scheme shared by all backends.

#include <cmath>
#include <cstdint>

#include "base/philox.h"
#include "kernels/kernels.h"

namespace pegnn {

// One Philox block serves eight neighbouring columns with 16 bits each.
inline constexpr std::int64_t kColumnsPerDraw = 8;

inline std::uint32_t dropout_threshold(double rate) {
  return static_cast<std::uint32_t>(std::lround(rate * 65536.0));
}

// The counter of the draw for row i, columns [8 group, 8 group + 8). Layers are told apart in the
// high half of the second word; 65,536 groups are 524,288 columns, far above the widest layer.
inline PhiloxBlock dropout_counter(const Dropout& d, std::int64_t row, std::int64_t group) {
  return {static_cast<std::uint32_t>(row), (d.layer << 16) | static_cast<std::uint32_t>(group),
          static_cast<std::uint32_t>(d.step), static_cast<std::uint32_t>(Stream::dropout)};
}

inline bool dropout_keeps(const Dropout& d, std::int64_t row, std::int64_t column) {
  const PhiloxBlock w =
      philox(dropout_counter(d, row, column / kColumnsPerDraw), static_cast<std::uint32_t>(d.seed),
             static_cast<std::uint32_t>(d.seed >> 32));
  const auto lane = static_cast<std::size_t>(column % kColumnsPerDraw);
  const std::uint32_t bits = (w[lane / 2] >> (16 * (lane % 2))) & 0xFFFFU;
  return bits >= dropout_threshold(d.rate);
}

}  // namespace pegnn
