#include "stats/linear_predictor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "linalg/cholesky.h"

namespace pegnn {
namespace {

constexpr int kMostSteps = 100;
constexpr double kEnough = 1e-12;       // of the loss, relative: a step that gains less is the last
constexpr double kMostPredictor = 600;  // e^600 is a number still

double predictor_of(const double* row, Span<const double> b) {
  return std::inner_product(b.begin(), b.end(), row, 0.0);
}

// The objective at b and, where asked for, its gradient and the lower triangle of its Hessian.
class Objective {
 public:
  Objective(Mat<const double> x, Span<const double> weight, const LossOfRow& loss, double ridge)
      : x_(x), weight_(weight), loss_(loss), ridge_(ridge) {
    total_ = std::accumulate(weight.begin(), weight.end(), 0.0);
  }

  double value(Span<const double> b) const {
    double sum = 0;
    for (std::int64_t i = 0; i < x_.rows; ++i) {
      sum += weight_[i] * loss_(i, predictor_of(x_.row(i), b)).value;
    }
    return sum / total_ + penalty(b);
  }

  void slopes(Span<const double> b, Span<double> gradient, Mat<double> hessian) const {
    std::fill(gradient.begin(), gradient.end(), 0.0);
    for (std::int64_t c = 0; c < x_.cols; ++c) std::fill_n(hessian.row(c), x_.cols, 0.0);
    for (std::int64_t i = 0; i < x_.rows; ++i) {
      const double* row = x_.row(i);
      const RowLoss at = loss_(i, predictor_of(row, b));
      const double w = weight_[i] / total_;
      for (std::int64_t c = 0; c < x_.cols; ++c) {
        gradient[c] += w * at.slope * row[c];
        for (std::int64_t d = 0; d <= c; ++d) hessian(c, d) += w * at.curvature * row[c] * row[d];
      }
    }
    // What has no curvature far out must not stop the step.
    hessian(0, 0) += std::numeric_limits<double>::epsilon();
    for (std::int64_t c = 1; c < x_.cols; ++c) {
      gradient[c] += ridge_ * b[c];
      hessian(c, c) += ridge_;
    }
  }

 private:
  double penalty(Span<const double> b) const {
    double square = 0;
    for (std::int64_t c = 1; c < b.size(); ++c) square += b[c] * b[c];
    return ridge_ / 2 * square;
  }

  Mat<const double> x_;
  Span<const double> weight_;
  const LossOfRow& loss_;
  double ridge_, total_ = 0;
};

}  // namespace

Array<double> fit_linear_predictor(Mat<const double> x, Span<const double> weight,
                                   const LossOfRow& loss, double ridge, const ThreadPool& pool) {
  const Objective objective(x, weight, loss, ridge);
  Array<double> b(x.cols), step(x.cols), next(x.cols), room(x.cols * x.cols);
  const Mat<double> hessian(room.data(), x.cols, x.cols);
  double now = objective.value(b);
  for (int taken = 0; taken < kMostSteps; ++taken) {
    objective.slopes(b, step, hessian);
    const Mat<double> column(step.data(), x.cols, 1);
    if (!cholesky(pool, hessian)) break;
    solve_lower(pool, hessian, column);
    solve_lower_transposed(pool, hessian, column);
    // A whole step where it lowers the loss, else half of it, and so on.
    double share = 1, reached = now;
    for (; share > kEnough; share /= 2) {
      for (std::int64_t c = 0; c < x.cols; ++c) next[c] = b[c] - share * step[c];
      reached = objective.value(next);
      if (reached < now) break;
    }
    if (!(reached < now)) break;
    const double gain = now - reached;
    b = next;
    now = reached;
    if (gain <= kEnough * (1 + std::abs(now))) break;
  }
  return b;
}

RowLoss logistic_loss(double predictor, bool of_the_kind) {
  const double p = std::clamp(predictor, -kMostPredictor, kMostPredictor);
  const double share = 1 / (1 + std::exp(-p));
  // log(1 + e^-|p|) keeps its digits at either end.
  const double log_of_sum = std::log1p(std::exp(-std::abs(p))) + std::max(p, 0.0);
  return {.value = log_of_sum - (of_the_kind ? p : 0.0),
          .slope = share - (of_the_kind ? 1.0 : 0.0),
          .curvature = share * (1 - share)};
}

RowLoss laplace_scale_loss(double predictor, double residual) {
  const double p = std::clamp(predictor, -kMostPredictor, kMostPredictor);
  const double over = std::abs(residual) * std::exp(-p);
  return {.value = p + over, .slope = 1 - over, .curvature = over};
}

}  // namespace pegnn
