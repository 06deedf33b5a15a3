#include <algorithm>
#include <cstdint>

#include "linalg/cholesky.h"
#include "linalg/product.h"
#include "linalg/substitution.h"

namespace pegnn {
namespace {

// Rows of b solved at a time, and the columns that one thread solves them for.
constexpr std::int64_t kRows = kMostRows;
constexpr std::int64_t kColumns = 32;

// Up to so many columns the time is that of reading L once, and long rows are read fastest; with
// more, the rows that remain are more work to share than the next few.
constexpr std::int64_t kFew = 4;

}  // namespace

void solve_lower(const ThreadPool& pool, Mat<const double> l, Mat<double> b) {
  const std::int64_t n = l.rows;
  for (std::int64_t k = 0; k < n; k += kRows) {
    const std::int64_t rows = std::min(kRows, n - k), next = k + rows;
    const Mat<double> solved = b.block(k, rows);
    if (b.cols <= kFew) {
      product(pool, -1, l.block(k, rows).columns(0, k), Form::plain, b.block(0, k), Form::plain, 1,
              solved);
    }
    pool.for_blocks(b.cols, kColumns, [&](std::int64_t begin, std::int64_t end) {
      forward_substitution(l.block(k, rows).columns(k, rows), solved.columns(begin, end - begin));
    });
    if (b.cols > kFew) {
      product(pool, -1, l.block(next, n - next).columns(k, rows), Form::plain, solved, Form::plain,
              1, b.block(next, n - next));
    }
  }
}

void solve_lower_transposed(const ThreadPool& pool, Mat<const double> l, Mat<double> b) {
  for (std::int64_t next = l.rows; next > 0;) {
    const std::int64_t k = (next - 1) / kRows * kRows, rows = next - k;
    const Mat<double> solved = b.block(k, rows);
    pool.for_blocks(b.cols, kColumns, [&](std::int64_t begin, std::int64_t end) {
      backward_substitution(l.block(k, rows).columns(k, rows), solved.columns(begin, end - begin));
    });
    product(pool, -1, l.block(k, rows).columns(0, k), Form::transposed, solved, Form::plain, 1,
            b.block(0, k));
    next = k;
  }
}

}  // namespace pegnn
