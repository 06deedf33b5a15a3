#include "linalg/cholesky.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/aligned_buffer.h"
#include "linalg/packed.h"
#include "linalg/tile.h"

namespace pegnn {

// Panel by panel: the diagonal tile is factored, the rows below it are solved against it, and their
// square is taken from what remains. A panel is as wide as the product kernel is deep.
bool cholesky(const ThreadPool& pool, Mat<double> a, const std::function<void()>& between) {
  using namespace packed;
  const std::int64_t n = a.rows;
  const std::int64_t room = n > kDepth ? padded(n - kDepth) * kDepth : 0;
  AlignedBuffer<double> left(room), right(room);
  for (std::int64_t k = 0; k < n; k += kDepth) {
    if (between) between();
    const std::int64_t width = std::min(kDepth, n - k), next = k + width;
    const Mat<double> diagonal = a.block(k, width).columns(k, width);
    if (!factor_tile(diagonal)) return false;
    const Mat<double> below = a.block(next, n - next).columns(k, width);
    pool.for_blocks(below.rows, kTileColumns, [&](std::int64_t begin, std::int64_t end) {
      const Mat<double> rows = below.block(begin, end - begin);
      solve_from_right(diagonal, Form::transposed, rows);
      packed::pack_left(rows, Form::plain, left.data() + begin * width);
      packed::pack_right(rows, Form::transposed, right.data() + begin * width);
    });
    packed::multiply(pool, -1, left.data(), right.data(), width, 1,
                     a.block(next, n - next).columns(next, n - next), 0);
  }
  return true;
}

double log_determinant(Mat<const double> l) {
  double sum = 0;
  for (std::int64_t i = 0; i < l.rows; ++i) sum += std::log(l(i, i));
  return 2 * sum;
}

}  // namespace pegnn
