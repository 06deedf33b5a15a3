#include "linalg/product.h"

#include <algorithm>
#include <cstdint>

#include "base/aligned_buffer.h"
#include "linalg/packed.h"
#include "linalg/vectors.h"

namespace pegnn {
namespace {

// Rows and columns of c per pass: what is packed for a pass, twice 4.5 MB, stays in a third-level
// cache.
constexpr std::int64_t kPass = 2304;
static_assert(kPass % packed::kTileRows == 0 && kPass % packed::kTileColumns == 0);

// Up to so many columns (or rows) of c, packing the other factor would take longer than reading it
// once for each of them.
constexpr std::int64_t kThin = 4;

Form flipped(Form form) { return form == Form::plain ? Form::transposed : Form::plain; }

// Kept for the thread's next call: fresh memory costs more than a small product.
double* room(AlignedBuffer<double>& buffer, std::int64_t size) {
  if (buffer.size() < size) buffer.resize(size);
  return buffer.data();
}

// The rows x columns of op(x) from (i, j) on, as they stand in memory.
Mat<const double> part(Mat<const double> x, Form form, std::int64_t i, std::int64_t rows,
                       std::int64_t j, std::int64_t columns) {
  return form == Form::plain ? x.block(i, rows).columns(j, columns)
                             : x.block(j, columns).columns(i, rows);
}

// A result with few columns, whose neighbours stand `step` apart in either direction.
struct Thin {
  double* data;
  std::int64_t rows, columns, row_step, column_step;

  void put(double alpha, double sum, double beta, std::int64_t i, std::int64_t j) const {
    double& at = data[i * row_step + j * column_step];
    at = alpha * sum + (beta == 0 ? 0.0 : beta * at);
  }
};

// c <- beta c + alpha op(a) x^T.   x: c.columns x inner
void thin_product(const ThreadPool& pool, double alpha, Mat<const double> a, Form form_a,
                  Mat<const double> x, double beta, Thin c) {
  constexpr std::int64_t kRows = 32, kColumns = 512;  // of a, per thread and turn
  if (form_a == Form::plain) {
    return pool.for_blocks(c.rows, kRows, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        for (std::int64_t j = 0; j < c.columns; ++j) {
          c.put(alpha, dot(x.cols, a.row(i), x.row(j)), beta, i, j);
        }
      }
    });
  }
  pool.for_blocks(c.rows, kColumns, [&](std::int64_t begin, std::int64_t end) {
    double sums[kThin][kColumns] = {};
    for (std::int64_t p = 0; p < x.cols; p += 4) {  // rows of a, while they are in the cache
      const std::int64_t rows = std::min<std::int64_t>(4, x.cols - p);
      for (std::int64_t j = 0; j < c.columns; ++j) {
        add_weighted_rows(a.block(p, rows).columns(begin, end - begin), x.row(j) + p, sums[j]);
      }
    }
    for (std::int64_t i = begin; i < end; ++i) {
      for (std::int64_t j = 0; j < c.columns; ++j) c.put(alpha, sums[j][i - begin], beta, i, j);
    }
  });
}

// Rows of op(x)^T, each in one piece.
Mat<const double> copied_columns(Mat<const double> x, Form form, std::int64_t columns,
                                 std::int64_t inner, AlignedBuffer<double>& buffer) {
  const Mat<double> copy(room(buffer, columns * inner), columns, inner);
  for (std::int64_t j = 0; j < columns; ++j) {
    for (std::int64_t p = 0; p < inner; ++p) copy(j, p) = form == Form::plain ? x(p, j) : x(j, p);
  }
  return copy;
}

void scale(double beta, Mat<double> c) {
  for (std::int64_t i = 0; i < c.rows; ++i) {
    for (std::int64_t j = 0; j < c.cols; ++j) c(i, j) = beta == 0 ? 0.0 : beta * c(i, j);
  }
}

void packed_product(const ThreadPool& pool, double alpha, Mat<const double> a, Form form_a,
                    Mat<const double> b, Form form_b, std::int64_t inner, double beta,
                    Mat<double> c) {
  using packed::kDepth, packed::padded;
  thread_local AlignedBuffer<double> left_buffer, right_buffer;
  const std::int64_t most = std::min(inner, kDepth);
  double* left = room(left_buffer, padded(std::min(c.rows, kPass)) * most);
  double* right = room(right_buffer, padded(std::min(c.cols, kPass)) * most);
  for (std::int64_t j = 0; j < c.cols; j += kPass) {
    const std::int64_t cols = std::min(kPass, c.cols - j);
    for (std::int64_t p = 0; p < inner; p += kDepth) {
      const std::int64_t depth = std::min(kDepth, inner - p);
      packed::pack_right(pool, part(b, form_b, p, depth, j, cols), form_b, right);
      for (std::int64_t i = 0; i < c.rows; i += kPass) {
        const std::int64_t rows = std::min(kPass, c.rows - i);
        packed::pack_left(pool, part(a, form_a, i, rows, p, depth), form_a, left);
        packed::multiply(pool, alpha, left, right, depth, p == 0 ? beta : 1.0,
                         c.block(i, rows).columns(j, cols), packed::kEverything);
      }
    }
  }
}

}  // namespace

void product(const ThreadPool& pool, double alpha, Mat<const double> a, Form form_a,
             Mat<const double> b, Form form_b, double beta, Mat<double> c) {
  const std::int64_t inner = form_a == Form::plain ? a.cols : a.rows;
  if (c.rows == 0 || c.cols == 0) return;
  if (inner == 0) return scale(beta, c);
  thread_local AlignedBuffer<double> copies;
  if (c.cols <= kThin) {
    thin_product(pool, alpha, a, form_a, copied_columns(b, form_b, c.cols, inner, copies), beta,
                 {c.data, c.rows, c.cols, c.stride, 1});
  } else if (c.rows <= kThin) {  // c^T = op(b)^T op(a)^T
    thin_product(pool, alpha, b, flipped(form_b),
                 copied_columns(a, flipped(form_a), c.rows, inner, copies), beta,
                 {c.data, c.cols, c.rows, 1, c.stride});
  } else {
    packed_product(pool, alpha, a, form_a, b, form_b, inner, beta, c);
  }
}

}  // namespace pegnn
