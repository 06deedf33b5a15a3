#pragma once
// Small symmetric systems in double, kSide of them solved side by side on the calling thread. The
// instruction set is chosen at run time (Highway).
//
// Number s of every group of kSide numbers belongs to system s, and nothing passes between systems:
// what comes out for one does not depend, not by a bit, on the others nor on its place among them.
// Several threads may call at once, each on its own memory, which is aligned to 64 bytes.

#include <cstdint>

namespace pegnn {

// As many as the widest registers hold; narrower ones take several turns.
inline constexpr std::int64_t kSide = 8;

// The lower triangle of n x n matrices, row after row: element (i, j) of system s, j <= i, stands
// at [triangle_at(i, j) + s].
inline constexpr std::int64_t triangle_at(std::int64_t i, std::int64_t j) {
  return (i * (i + 1) / 2 + j) * kSide;
}

// Elimination without square roots, A = L D L^T. Of `a` the triangle is replaced by L below the
// diagonal and 1/D on it; each of `rows` right-hand sides b (n groups each, one after the other) by
// L^-1 b. A variable whose pivot is at most `least` in size is passed over: what comes before
// determines it, its 1/D is 0 and it adds nothing to products and solutions.
void eliminate(std::int64_t n, double least, double* a, std::int64_t rows, double* b) noexcept;

// x^T A^-1 y for two sides that went through `eliminate`, into one group.
void inverse_product(std::int64_t n, const double* a, const double* x, const double* y,
                     double* out) noexcept;

// L^-1 b becomes A^-1 b.
void back_substitute(std::int64_t n, const double* a, double* b) noexcept;

}  // namespace pegnn
