#include "train/weigh_models.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/matrix.h"
#include "geo/blocks.h"
#include "neighbourhood/gaps.h"
#include "stats/linear_predictor.h"
#include "stats/shares.h"

namespace pegnn {
namespace {

constexpr double kRidge = 0.01;           // of weights, towards the network alone
constexpr double kPredictorRidge = 1e-3;  // of linear predictors
constexpr double kPowers[] = {1, 2, 4, 8};
constexpr double kPowerGain = 0.002;  // of the error, that a higher power must bring
constexpr std::int64_t kCells = 32;   // of evidence
constexpr double kChance = 1;         // standard errors that a gain may have by chance

Span<const double> distances_of(const OutOfFold& held, std::int64_t i) {
  return {held.distances.data() + i * held.neighbours, held.neighbours};
}

// The median mean distance to the nearest points, of rows that do not share their place with them.
double spacing_of(const OutOfFold& held) {
  Array<double> spacings;
  for (std::int64_t i = 0; i < held.size(); ++i) {
    const double d = Remoteness::mean_distance(distances_of(held, i));
    if (!held.is_far(i) && d > 0) spacings.push_back(d);
  }
  if (spacings.empty()) return 1;
  const auto middle = spacings.begin() + spacings.size() / 2;
  std::nth_element(spacings.begin(), middle, spacings.end());
  return *middle;
}

class Weighing {
 public:
  Weighing(const Dataset& data, const OutOfFold& held, const ThreadPool& pool)
      : data_(data), held_(held), pool_(pool), models_(std::ssize(held.predicted)) {
    for (std::int64_t i = 0; i < held.size(); ++i) ++(held.is_far(i) ? far_ : near_);
  }

  Combination combination() {
    Combination c;
    c.near = c.far = network_alone();
    if (near_ < kFewestHeldOut || far_ < kFewestHeldOut) return c;
    unit_ = largest();
    if (!(unit_ > 0 && std::isfinite(unit_))) return c;
    c.remoteness = remoteness();
    weigh_rows();
    c.remoteness.power = power();
    const Array<double> shares = powered(c.remoteness.power);
    const Array<double> found = weights(shares, kAllFolds);
    c.near = Array<double>(found.begin(), found.begin() + models_);
    c.far = Array<double>(found.begin() + models_, found.end());
    const Array<double> near = as_far_as_evidence_carries(c.near, c.far, shares, false);
    c.far = as_far_as_evidence_carries(c.near, c.far, shares, true);
    c.near = near;
    return c;
  }

 private:
  static constexpr std::int32_t kAllFolds = -1;

  Array<double> network_alone() const {
    Array<double> weights(models_);
    weights[0] = 1;
    return weights;
  }

  double count(bool far) const { return static_cast<double>(far ? far_ : near_); }

  double averaged(std::int64_t i) const { return held_.is_far(i) ? 0 : held_.averaged; }
  double observed(std::int64_t i) const { return held_.observed[i] / unit_; }
  double predicted(std::int64_t model, std::int64_t i) const {
    return Span(held_.predicted)[model][i] / unit_;
  }
  double residual(std::int64_t model, std::int64_t i) const {
    return observed(i) - predicted(model, i);
  }

  // In which no number is above 1, so that sums of squares are numbers whatever the target's unit.
  double largest() const {
    double most = 0;
    for (const double v : held_.observed) most = std::max(most, std::abs(v));
    for (const Array<double>& model : held_.predicted) {
      for (const double v : model) most = std::max(most, std::abs(v));
    }
    return most;
  }

  // Logistic regression: near rows against far ones, which have the same say together.
  Remoteness remoteness() {
    constexpr std::int64_t kColumns = 3;
    Remoteness r{.spacing = spacing_of(held_)};
    Array<double> room(held_.size() * kColumns), weight(held_.size());
    const Mat<double> x(room.data(), held_.size(), kColumns);
    for (std::int64_t i = 0; i < held_.size(); ++i) {
      const Span<const double> distances = distances_of(held_, i);
      x(i, 0) = 1;
      x(i, 1) = Remoteness::log_distance(distances, r.spacing);
      x(i, 2) = gap_ratio(distances);
      weight[i] = 1 / count(held_.is_far(i));
      log_distances_.push_back(x(i, 1));
    }
    const Array<double> b = fit_linear_predictor(
        x, weight, [&](std::int64_t i, double p) { return logistic_loss(p, held_.is_far(i)); },
        kPredictorRidge, pool_);
    r.intercept = b[0];
    r.by_distance = b[1];
    r.by_gap = b[2];
    for (std::int64_t i = 0; i < held_.size(); ++i) {
      shares_.push_back(r.share(distances_of(held_, i)));
    }
    return r;
  }

  // Rows of an end in the order of the table of held rows.
  Array<std::int64_t> rows_of(bool far) const {
    Array<std::int64_t> rows;
    for (std::int64_t i = 0; i < held_.size(); ++i) {
      if (held_.is_far(i) == far) rows.push_back(i);
    }
    return rows;
  }

  // Over the scale of the network's residuals, and such that the weighed squared errors of the
  // network are 1 near and 1 far.
  void weigh_rows() {
    row_weights_.assign(held_.size(), 0.0);
    for (const bool far : {false, true}) {
      const Array<std::int64_t> rows = rows_of(far);
      const Array<double> scales = scales_of(rows);
      double error = 0;
      for (std::int64_t i = 0; i < rows.size(); ++i) {
        const std::int64_t row = rows[i];
        const double own = data_.weight.empty() ? 1.0 : data_.weight[held_.rows[row]];
        row_weights_[row] = own / scales[i];
        error += row_weights_[row] * residual(0, row) * residual(0, row);
      }
      for (const std::int64_t row : rows) row_weights_[row] /= error > 0 ? error : 1.0;
    }
  }

  // By log distance, level and its square: expected absolute residuals of the network.
  Array<double> scales_of(const Array<std::int64_t>& rows) const {
    constexpr std::int64_t kColumns = 4;
    constexpr double kMostLevel = 4;  // deviations: beyond, a level is not extrapolated from
    const auto n = static_cast<double>(rows.size());
    double mean = 0, square = 0;
    for (const std::int64_t row : rows) mean += observed(row) / n;
    for (const std::int64_t row : rows) {
      square += (observed(row) - mean) * (observed(row) - mean) / n;
    }
    const double deviation = square > 0 ? std::sqrt(square) : 1;
    Array<double> room(rows.size() * kColumns), weight(rows.size(), 1.0);
    const Mat<double> x(room.data(), rows.size(), kColumns);
    for (std::int64_t i = 0; i < rows.size(); ++i) {
      const double level = (predicted(0, rows[i]) - mean) / deviation;
      x(i, 0) = 1;
      x(i, 1) = log_distances_[rows[i]];
      x(i, 2) = std::clamp(level, -kMostLevel, kMostLevel);
      x(i, 3) = x(i, 2) * x(i, 2);
    }
    const Array<double> b = fit_linear_predictor(
        x, weight,
        [&](std::int64_t i, double p) {
          return laplace_scale_loss(p, residual(0, rows[i]) / deviation);
        },
        kPredictorRidge, pool_);
    Array<double> scales(rows.size());
    for (std::int64_t i = 0; i < rows.size(); ++i) {
      double p = 0;
      for (std::int64_t c = 0; c < kColumns; ++c) p += x(i, c) * b[c];
      scales[i] = deviation * std::exp(p);
    }
    return scales;
  }

  Array<double> powered(double power) const {
    Array<double> shares = shares_;
    for (double& w : shares) w = std::pow(w, power);
    return shares;
  }

  // Whether both ends keep rows when a fold is left out.
  bool spares_both(std::int32_t fold) const {
    bool near = false, far = false;
    for (std::int64_t i = 0; i < held_.size(); ++i) {
      if (held_.folds[i] == fold) continue;
      (held_.is_far(i) ? far : near) = true;
    }
    return near && far;
  }

  // Near weights, then far ones, from the rows of all folds but one.
  Array<double> weights(const Array<double>& shares, std::int32_t without) const {
    const std::int64_t n = 2 * models_;
    Array<double> room(n * n), c(n), row(n);
    const Mat<double> q(room.data(), n, n);
    // Weights sum up to 1 in each group, so that y - sum a p = sum a (y - p).
    for (std::int64_t i = 0; i < held_.size(); ++i) {
      if (held_.folds[i] == without) continue;
      for (std::int64_t m = 0; m < models_; ++m) {
        row[m] = (1 - shares[i]) * residual(m, i);
        row[models_ + m] = shares[i] * residual(m, i);
      }
      for (std::int64_t a = 0; a < n; ++a) {
        for (std::int64_t b = 0; b < n; ++b) {
          const bool network = a % models_ == 0 && b % models_ == 0;
          q(a, b) += row_weights_[i] / 2 * row[a] * row[b] * (network ? 1 - averaged(i) : 1.0);
        }
      }
    }
    for (std::int64_t a = 0; a < n; ++a) q(a, a) += kRidge;
    c[0] = c[models_] = kRidge;
    Array<double> found = best_shares(q, c, models_, pool_);
    if (found.empty()) {  // the system is not of finite numbers
      found.assign(n, 0.0);
      found[0] = found[models_] = 1;
    }
    return found;
  }

  double error(Span<const double> near, Span<const double> far, double share,
               std::int64_t i) const {
    double left = 0;
    for (std::int64_t m = 0; m < models_; ++m) {
      left += ((1 - share) * near[m] + share * far[m]) * residual(m, i);
    }
    const double own = ((1 - share) * near[0] + share * far[0]) * residual(0, i);
    return row_weights_[i] * (left * left - averaged(i) * own * own);
  }

  // Each fold is judged by weights that were found without it.
  double power() const {
    double best = 1, lowest = std::numeric_limits<double>::infinity();
    for (const double power : kPowers) {
      const Array<double> shares = powered(power);
      double sum = 0;
      for (std::int32_t fold = 0; fold < std::ssize(held_.far); ++fold) {
        const Array<double> found = weights(shares, spares_both(fold) ? fold : kAllFolds);
        const Span<const double> all(found);
        for (std::int64_t i = 0; i < held_.size(); ++i) {
          if (held_.folds[i] != fold) continue;
          sum += error(all.first(models_), all.last(models_), shares[i], i);
        }
      }
      // The network's own errors sum up to 2.
      if (!(sum < lowest - (power > 1 ? 2 * kPowerGain : 0.0))) continue;
      lowest = sum;
      best = power;
    }
    return best;
  }

  // The weights of an end, brought back towards the network.
  Array<double> as_far_as_evidence_carries(const Array<double>& near, const Array<double>& far,
                                           const Array<double>& shares, bool end) const {
    const Array<std::int64_t> rows = rows_of(end);
    Array<Point> points;
    for (const std::int64_t row : rows) points.push_back(data_.points[held_.rows[row]]);
    const Array<std::int32_t> cell = equal_blocks(points, ground_of(data_.space), kCells);
    const std::int64_t cells = *std::ranges::max_element(cell) + 1;
    Array<double> gains(cells);
    for (std::int64_t i = 0; i < rows.size(); ++i) {
      const double own = residual(0, rows[i]);
      gains[cell[i]] += row_weights_[rows[i]] * (1 - averaged(rows[i])) * own * own -
                        error(near, far, shares[rows[i]], rows[i]);
    }
    const auto n = static_cast<double>(cells);
    double mean = 0, square = 0;
    for (const double g : gains) mean += g / n;
    for (const double g : gains) square += (g - mean) * (g - mean);
    const double standard_error = n > 1 ? std::sqrt(square / (n * (n - 1))) : 0;
    const double kept =
        standard_error > 0 ? std::clamp(mean / standard_error - kChance, 0.0, 1.0) : 0.0;
    Array<double> weights = end ? far : near;
    for (double& w : weights) w *= kept;
    weights[0] += 1 - kept;
    return weights;
  }

  const Dataset& data_;
  const OutOfFold& held_;
  const ThreadPool& pool_;
  std::int64_t models_, near_ = 0, far_ = 0;
  double unit_ = 1;
  Array<double> log_distances_, shares_;  // of the rows held out
  Array<double> row_weights_;
};

}  // namespace

Combination weigh_models(const Dataset& data, const OutOfFold& held, const ThreadPool& pool) {
  return Weighing(data, held, pool).combination();
}

Array<double> weighed_answers(const OutOfFold& held, const Combination& c) {
  Array<double> answers(held.size());
  for (std::int64_t i = 0; i < held.size(); ++i) {
    const double w = c.remoteness.share(distances_of(held, i));
    for (std::int64_t m = 0; m < std::ssize(held.predicted); ++m) {
      answers[i] += ((1 - w) * c.near[m] + w * c.far[m]) * Span(held.predicted)[m][i];
    }
  }
  return answers;
}

}  // namespace pegnn
