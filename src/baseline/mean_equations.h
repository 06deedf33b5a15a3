#pragma once
// The coefficients of a linear mean from their normal equations: by generalised least squares, or
// with the slopes drawn towards 0 as far as the rows do not speak for them.

#include <cstdint>

#include "base/array.h"

namespace pegnn {

// How the slopes of a linear mean are found; its intercept is always free.
enum class Slopes { free, shrunk };

struct MeanSolution {
  Array<double> mean;          // a coefficient for each column
  double square = 0;           // what remains of the label's sum of squares
  double log_determinant = 0;  // what integrating slopes out adds to that of the covariance
  double prior = 0;            // t, see below; 0: slopes are 0, or free
};

// `cross`: (columns + 1) x (columns + 1), of which only the upper triangle is read; products of the
// columns, the first of them the intercept's, and of the label, after the last, with each other in
// units of the variance: X' V^-1 X, X' V^-1 y, y' V^-1 y. A column that those before it determine
// gets 0.
MeanSolution solve_mean(Array<double> cross, std::int64_t columns);

// The same with a Gaussian prior on the slopes,
//   b_j ~ N(0, t s2 / g_j),   g_j: what X' V^-1 X leaves of column j beside the intercept
// (the intercept of the prior is that of columns less their means); s2 the variance and t the most
// likely number from 0 on when b is integrated out: as s2 / g_j is the variance of the least
// squares slope of column j alone, t / (1 + t) of that slope is kept. Ridge regression (Hoerl and
// Kennard, Technometrics 12, 1970) with its strength by the evidence (MacKay, Neural Computation 4,
// 1992). Among many rows t is large and slopes are as good as free.
//
// `rows` are those behind the sums; `variance` 0: the most likely one at each t. The coefficients
// are the posterior means; with `square` and `log_determinant` the likelihood is that of y without
// b. There must be more rows than columns, else any label would have no noise.
MeanSolution solve_shrunk_mean(Array<double> cross, std::int64_t columns, double rows,
                               double variance);

}  // namespace pegnn
