#pragma once
// Matrices copied into the order in which the product kernel reads them, and the kernel itself, on
// the calling thread. The instruction set is chosen at run time (Highway).
//
// The rows of a left factor and the columns of a right one are lines; a few lines, as many as the
// registers hold, form a sliver, in which the numbers of one inner index stand side by side. The
// last sliver is filled up with zeros.

#include <cstdint>
#include <limits>

#include "base/matrix.h"
#include "linalg/product.h"

namespace pegnn::packed {

// Longest inner dimension of a packed factor: longer products are cut. A sliver of 8 lines then
// takes 16 KB, half of a first-level cache; those of 24 lines stream from the second level.
inline constexpr std::int64_t kDepth = 256;

// Tiles of c: whole slivers with every instruction set. What a tile needs of both factors, 0.6 MB,
// fits a second-level cache of 1 MB.
inline constexpr std::int64_t kTileRows = 96;
inline constexpr std::int64_t kTileColumns = 192;

// `lines` rounded up to whole tiles: so many lines times the depth are room enough for either side.
inline constexpr std::int64_t padded(std::int64_t lines) {
  return (lines + kTileColumns - 1) / kTileColumns * kTileColumns;
}

// Packs all rows of op(x) as a left factor, or all columns of op(x) as a right one; `out` has room
// for whole slivers. Line i begins at out + i * depth where i is a multiple of the tile size.
void pack_left(Mat<const double> x, Form form, double* out) noexcept;
void pack_right(Mat<const double> x, Form form, double* out) noexcept;

// Passed as `diagonal` where all of c is wanted.
inline constexpr std::int64_t kEverything = std::numeric_limits<std::int64_t>::max() / 2;

// c <- beta c + alpha left right, where `left` and `right` point to the lines of c's first row and
// column. Of c only the elements (i, j) with j <= i + diagonal are read or written. With beta 0
// the old c is not read.
void multiply(double alpha, const double* left, const double* right, std::int64_t depth,
              double beta, Mat<double> c, std::int64_t diagonal) noexcept;

}  // namespace pegnn::packed
