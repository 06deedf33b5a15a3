#include "baseline/mean_equations.h"

#include <algorithm>
#include <cmath>

#include "base/array.h"
#include "baseline/local_gaussian.h"

namespace pegnn {
namespace {

// Scales columns `first` to p - 1 to a unit diagonal, for which `condition` is made; a column of
// which no more than `least` is left becomes 0. Returns the factors, those before `first` being 1.
Array<double> scale_columns(Mat<double> a, std::int64_t p, std::int64_t first, double least) {
  Array<double> scale(p + 1, 1.0);
  for (std::int64_t i = first; i < p; ++i) {
    scale[i] = a(i, i) > least ? 1 / std::sqrt(a(i, i)) : 0.0;
  }
  for (std::int64_t i = 0; i < p; ++i) {
    for (std::int64_t j = i; j <= p; ++j) {
      a(i, j) *= scale[i] * scale[j];
    }
  }
  return scale;
}

// Coefficients from equations that were eliminated (`condition`), the last one first.
Array<double> substitute(Mat<const double> a, std::int64_t p) {
  Array<double> mean(p);
  for (std::int64_t i = p; i-- > 0;) {
    double sum = a(i, p);
    for (std::int64_t j = i + 1; j < p; ++j) sum -= a(i, j) * mean[j];
    mean[i] = std::abs(a(i, i)) <= kRedundant ? 0.0 : sum / a(i, i);
  }
  return mean;
}

// A strength of the prior and what it leads to.
struct Shrinkage {
  double t = 0, square = 0, log_determinant = 0;
};

// Eliminates the slopes' equations with the prior at t > 0, in place.
Shrinkage eliminate_slopes(Mat<double> a, std::int64_t p, double t) {
  for (std::int64_t i = 1; i < p; ++i) a(i, i) += 1 / t;
  condition(a, p);
  Shrinkage found{t, std::max(a(p, p), 0.0), 0};
  for (std::int64_t i = 1; i < p; ++i) found.log_determinant += std::log(t * a(i, i));
  return found;
}

// The most likely strength. The equations are without the intercept, their diagonal 1.
Shrinkage most_likely(const Array<double>& equations, std::int64_t p, double rows,
                      double variance) {
  // From where nothing is left of a slope to where it is free but for the ninth digit, and where
  // columns that repeat each other still leave equations that can be solved.
  constexpr double kLeastPower = -6, kMostPower = 30;
  const double all = equations.back(), least = 1e-14 * all;
  const auto deviance = [&](const Shrinkage& s) {
    return s.log_determinant +
           (variance > 0 ? s.square / variance : rows * std::log(std::max(s.square, least)));
  };
  Shrinkage best{0, all, 0};
  double best_deviance = deviance(best), best_power = kLeastPower;
  const auto look = [&](double power) {
    Array<double> work = equations;
    const Shrinkage found = eliminate_slopes({work.data(), p + 1, p + 1}, p, std::exp2(power));
    if (!(deviance(found) < best_deviance)) return;
    best = found;
    best_deviance = deviance(found);
    best_power = power;
  };
  // A coarse grid, then steps that are halved.
  for (double power = kLeastPower; power <= kMostPower; power += 2) look(power);
  for (double step = 1; best.t > 0 && step > 0.005; step /= 2) {
    const double middle = best_power;
    look(middle - step);
    look(std::min(middle + step, kMostPower));
  }
  return best;
}

}  // namespace

MeanSolution solve_mean(Array<double> cross, std::int64_t columns) {
  const Mat<double> a(cross.data(), columns + 1, columns + 1);
  const Array<double> scale = scale_columns(a, columns, 0, 0.0);
  condition(a, columns);
  MeanSolution out{substitute(a, columns), std::max(a(columns, columns), 0.0), 0, 0};
  for (std::int64_t i = 0; i < std::ssize(out.mean); ++i) out.mean[i] *= scale[i];
  return out;
}

MeanSolution solve_shrunk_mean(Array<double> cross, std::int64_t columns, double rows,
                               double variance) {
  const Mat<double> a(cross.data(), columns + 1, columns + 1);
  const Array<double> scale = scale_columns(a, columns, 0, 0.0);
  condition(a, 1);
  // The intercept's equation is kept for the end.
  const Array<double> own(a.row(0), a.row(0) + columns + 1);
  std::fill_n(a.row(0), columns + 1, 0.0);
  const Array<double> again = scale_columns(a, columns, 1, kRedundant);
  const Shrinkage best = most_likely(cross, columns, rows, variance);
  MeanSolution out{Array<double>(columns), best.square, best.log_determinant, best.t};
  if (best.t > 0) {
    eliminate_slopes(a, columns, best.t);
    out.mean = substitute(a, columns);
  }
  out.mean[0] = own.back();
  for (std::int64_t i = 1; i < std::ssize(out.mean); ++i) {
    out.mean[i] *= again[i];
    out.mean[0] -= own[i] * out.mean[i];
  }
  for (std::int64_t i = 0; i < std::ssize(out.mean); ++i) out.mean[i] *= scale[i];
  return out;
}

}  // namespace pegnn
