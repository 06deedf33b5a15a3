#include "linalg/packed.h"

#include <algorithm>

namespace pegnn::packed {

void pack_left(const ThreadPool& pool, Mat<const double> x, Form form, double* out) {
  const bool plain = form == Form::plain;
  const std::int64_t depth = plain ? x.cols : x.rows;
  pool.for_blocks(plain ? x.rows : x.cols, kTileRows, [&](std::int64_t begin, std::int64_t end) {
    const Mat<const double> lines =
        plain ? x.block(begin, end - begin) : x.columns(begin, end - begin);
    pack_left(lines, form, out + begin * depth);
  });
}

void pack_right(const ThreadPool& pool, Mat<const double> x, Form form, double* out) {
  const bool plain = form == Form::plain;
  const std::int64_t depth = plain ? x.rows : x.cols;
  pool.for_blocks(plain ? x.cols : x.rows, kTileColumns, [&](std::int64_t begin, std::int64_t end) {
    const Mat<const double> lines =
        plain ? x.columns(begin, end - begin) : x.block(begin, end - begin);
    pack_right(lines, form, out + begin * depth);
  });
}

void multiply(const ThreadPool& pool, double alpha, const double* left, const double* right,
              std::int64_t depth, double beta, Mat<double> c, std::int64_t diagonal) {
  const std::int64_t down = (c.rows + kTileRows - 1) / kTileRows;
  const std::int64_t across = (c.cols + kTileColumns - 1) / kTileColumns;
  // Down the columns of tiles: the larger share, that of the right factor, stays in the cache.
  pool.for_each(down * across, [&](std::int64_t tile) {
    const std::int64_t i = tile % down * kTileRows, j = tile / down * kTileColumns;
    const Mat<double> part =
        c.block(i, std::min(kTileRows, c.rows - i)).columns(j, std::min(kTileColumns, c.cols - j));
    if (j >= i + part.rows + diagonal) return;
    multiply(alpha, left + i * depth, right + j * depth, depth, beta, part, i + diagonal - j);
  });
}

}  // namespace pegnn::packed
