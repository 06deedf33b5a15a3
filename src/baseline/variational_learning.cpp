#include "baseline/variational_learning.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "base/array.h"
#include "base/philox.h"
#include "baseline/inducing.h"

namespace pegnn {
namespace {

// Everything but q and the inducing points, by logarithms as in VariationalGp.
struct Hyperparameters {
  Array<double> log_length_scales;
  double log_variance = 0, log_noise = std::log(0.1), mean = 0;
};

// Rows of one step after the other: shuffled anew when they run out, the rest of a round left out.
class Batches {
 public:
  Batches(Mat<const double> x, Span<const double> y, std::int64_t batch, std::uint64_t seed)
      : x_(x),
        y_(y),
        batch_(batch == 0 ? x.rows : std::min(batch, x.rows)),
        rng_{seed, Stream::batch_order},
        order_(y.size()),
        at_(x.rows),
        inputs_(batch_ * x.cols),
        labels_(batch_) {}

  bool all() const { return batch_ == x_.rows; }
  Mat<const double> inputs() const { return {inputs_.data(), batch_, x_.cols}; }
  Span<const double> labels() const { return labels_; }

  void next() {
    if (at_ + batch_ > x_.rows) {
      std::iota(order_.begin(), order_.end(), 0);
      if (!all()) shuffle(order_.data(), x_.rows, rng_, round_++);
      at_ = 0;
    }
    for (std::int64_t b = 0; b < batch_; ++b) {
      const std::int64_t row = order_[at_ + b];
      std::copy_n(x_.row(row), x_.cols, inputs_.data() + b * x_.cols);
      labels_[b] = y_[row];
    }
    at_ += batch_;
  }

 private:
  Mat<const double> x_;
  Span<const double> y_;
  std::int64_t batch_;
  Rng rng_;
  Array<std::int64_t> order_;
  std::int64_t at_;
  std::uint64_t round_ = 0;
  Array<double> inputs_, labels_;
};

// Adam (Kingma and Ba, ICLR 2015), climbing.
class Climber {
 public:
  explicit Climber(std::int64_t size) : first_(size), second_(size) {}

  void step(double rate, Span<const double> gradient, Span<double> parameters) {
    constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-12;
    ++steps_;
    const double unbias1 = 1 - std::pow(kBeta1, steps_), unbias2 = 1 - std::pow(kBeta2, steps_);
    for (std::int64_t i = 0; i < std::ssize(gradient); ++i) {
      first_[i] += (1 - kBeta1) * (gradient[i] - first_[i]);
      second_[i] += (1 - kBeta2) * (gradient[i] * gradient[i] - second_[i]);
      parameters[i] += rate * (first_[i] / unbias1) / (std::sqrt(second_[i] / unbias2) + kEpsilon);
    }
  }

 private:
  Array<double> first_, second_;
  double steps_ = 0;
};

// Keeps a target that the inputs explain exactly from pulling the noise to 0.
constexpr double kLeastNoise = 1e-6;

// Within what suits inputs and a target of order 1.
void keep_in_bounds(VariationalGp& gp) {
  for (double& l : gp.log_length_scales()) l = std::clamp(l, std::log(1e-4), std::log(1e4));
  gp.log_variance() = std::clamp(gp.log_variance(), std::log(1e-6), std::log(1e4));
  gp.log_noise() = std::clamp(gp.log_noise(), std::log(kLeastNoise), std::log(1e2));
}

class Learner {
 public:
  Learner(const GpInputs& inputs, const VariationalSettings& settings, Mat<const double> x,
          Span<const double> y, const ThreadPool& pool)
      : inputs_(inputs), settings_(settings), x_(x), y_(y), pool_(pool) {}

  // The features' length scales are about the distance between two rows when all of them matter.
  Hyperparameters start(double place) const {
    const std::int64_t features = inputs_.columns() - inputs_.place_columns();
    Hyperparameters h;
    h.log_length_scales.assign(inputs_.length_scales(),
                               0.5 * std::log(1.0 + static_cast<double>(features)));
    for (std::int64_t c = 0; c < inputs_.place_columns(); ++c) {
      h.log_length_scales[inputs_.scale_of(c)] = std::log(place);
    }
    return h;
  }

  VariationalGp make(const Hyperparameters& h, std::int64_t inducing) const {
    Array<double> lengths = inputs_.per_column(h.log_length_scales);
    for (double& l : lengths) l = std::exp(l);
    const Array<std::int64_t> rows =
        draw_inducing(pool_, settings_.covariance, x_, lengths, inducing, settings_.seed);
    Array<std::int64_t> scale_of;
    for (std::int64_t c = 0; c < inputs_.columns(); ++c) scale_of.push_back(inputs_.scale_of(c));
    VariationalGp gp(settings_.covariance, std::move(scale_of), inputs_.length_scales(),
                     std::ssize(rows));
    for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
      std::copy_n(x_.row(rows[i]), x_.cols, gp.locations().row(i));
    }
    std::copy(h.log_length_scales.begin(), h.log_length_scales.end(),
              gp.log_length_scales().begin());
    gp.log_variance() = h.log_variance;
    gp.log_noise() = h.log_noise;
    gp.mean() = h.mean;
    return gp;
  }

  // Steps of `rate`, which falls to a tenth of it over the second half; `told` hears of minus the
  // bound per row. Ends with the best q for all rows.
  template <class Report>
  void climb(VariationalGp& gp, std::int64_t steps, double rate, Report report) const {
    // Parameters move, and q had better follow them at once; but from fewer rows than this for each
    // inducing point it would take noise for signal, and must remember earlier batches. Measured on
    // California Housing and an elevation model: steps of 1 end with lower errors than of 0.3.
    constexpr double kRowsPerPoint = 4;
    Batches batches(x_, y_, settings_.batch, settings_.seed);
    Climber climber(gp.parameters().size());
    Array<double> gradient(gp.parameters().size());
    const auto n = static_cast<double>(x_.rows);
    const double follow = std::min(1.0, static_cast<double>(batches.labels().size()) /
                                            (kRowsPerPoint * static_cast<double>(gp.inducing())));
    for (std::int64_t step = 0; step < steps; ++step) {
      batches.next();
      gp.attend(pool_, batches.inputs(), batches.labels(), x_.rows);
      gp.follow(pool_, batches.all() ? 1.0 : std::max(follow, 1 / static_cast<double>(step + 1)));
      gp.gradient(pool_, gradient);
      for (double& g : gradient) g /= n;
      const double loss = -gp.bound() / n;
      const double done = static_cast<double>(step) / static_cast<double>(steps);
      climber.step(rate * std::min(1.0, 1 - 1.8 * (done - 0.5)), gradient, gp.parameters());
      keep_in_bounds(gp);
      report(loss);
    }
    gp.settle(pool_, x_, y_);
    gp.balance(pool_, kLeastNoise);
  }

 private:
  const GpInputs& inputs_;
  const VariationalSettings& settings_;
  Mat<const double> x_;
  Span<const double> y_;
  const ThreadPool& pool_;
};

}  // namespace

VariationalGp learn_variational(const GpInputs& inputs, const VariationalSettings& settings,
                                Mat<const double> x, Span<const double> y, const ThreadPool& pool,
                                FitProgress& progress) {
  // Measured on Election, Air temperature and California Housing: one start for all of them costs
  // one of them dearly, and a hundred inducing points tell the starts apart.
  constexpr std::int64_t kFew = 100, kFirstSteps = 150;
  constexpr double kFirstRate = 0.05, kRate = 0.03;
  const Learner learner(inputs, settings, x, y, pool);
  progress.expect(settings.steps);
  Hyperparameters best;
  double highest = -std::numeric_limits<double>::infinity();
  for (const double place : {0.3, 1.0, 3.0}) {
    VariationalGp gp = learner.make(learner.start(place), std::min(kFew, settings.inducing));
    learner.climb(gp, std::min(kFirstSteps, settings.steps), kFirstRate,
                  [&](double) { progress.check(); });
    if (!(gp.bound() > highest)) continue;
    highest = gp.bound();
    const Span<double> logs = gp.log_length_scales();
    best = {{logs.begin(), logs.end()}, gp.log_variance(), gp.log_noise(), gp.mean()};
  }
  VariationalGp gp = learner.make(best, settings.inducing);
  learner.climb(gp, settings.steps, kRate, [&](double loss) { progress.step(loss); });
  return gp;
}

}  // namespace pegnn
