#include "baseline/covariance_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/array.h"
#include "baseline/minimise.h"

namespace pegnn {
namespace {

// Shares of noise from 1e-7 to 1 - 1e-4, as log odds: less noise is none, and a field of less than
// that has no influence.
constexpr double kLeastOdds = -16.1, kMostOdds = 9.2;

double share_of(double odds) { return 1 / (1 + std::exp(-odds)); }

// The parameters left to find, as a vector for the optimiser and back.
class Search {
 public:
  Search(Covariance kernel, const GivenCovariance& given, const RangeBounds& bounds)
      : kernel_(kernel),
        given_(given),
        range_free_(!(given.range > 0)),
        share_free_(!(given.nugget >= 0 && given.sill > 0) && given.nugget != 0) {
    if (range_free_) add(std::log(bounds.lo), std::log(bounds.hi), 1.0);
    if (share_free_) add(kLeastOdds, kMostOdds, 1.5);
  }

  // Range and share at x; sill and nugget sum to 1.
  SpatialModel shape(Span<const double> x) const {
    const double share = share_free_ ? share_of(x.back()) : given_share();
    return {kernel_, range_free_ ? std::exp(x[0]) : given_.range, 1 - share, share};
  }
  // sill + nugget where one of them is given, else 0.
  double variance(double share) const {
    if (given_.sill > 0) return given_.sill / (1 - share);
    return given_.nugget > 0 ? given_.nugget / share : 0.0;
  }
  Array<double> start(double range, double odds) const {
    Array<double> x;
    if (range_free_) x.push_back(std::log(range));
    if (share_free_) x.push_back(odds);
    return x;
  }

  Array<double> start(const SpatialModel& model) const {
    const double share = std::clamp(model.share(), share_of(kLeastOdds), share_of(kMostOdds));
    return start(model.range, std::log(share / (1 - share)));
  }

  bool range_free() const { return range_free_; }
  bool share_free() const { return share_free_; }
  const Bounds& bounds() const { return bounds_; }
  const Array<double>& steps() const { return steps_; }

 private:
  void add(double lo, double hi, double step) {
    bounds_.lo.push_back(lo);
    bounds_.hi.push_back(hi);
    steps_.push_back(step);
  }
  double given_share() const {
    return given_.nugget > 0 ? given_.nugget / (given_.nugget + given_.sill) : 0.0;
  }

  Covariance kernel_;
  GivenCovariance given_;
  bool range_free_, share_free_;
  Bounds bounds_;
  Array<double> steps_;
};

// The best of a coarse grid, so that the simplex starts in the right valley.
Array<double> best_start(const Search& search, const Spacing& spacing, const Objective& objective) {
  Array<double> ranges = {0.0}, odds = {0.0};
  if (search.range_free()) {
    // From the spacing to the extent in equal steps of the logarithm.
    const double ratio = std::max(spacing.extent / spacing.middle, 1.0);
    ranges.clear();
    for (const double power : {0.15, 0.4, 0.65, 0.9}) {
      ranges.push_back(spacing.middle * std::pow(ratio, power));
    }
  }
  if (search.share_free()) odds = {-3.0, 0.0};
  Array<double> best;
  double least = std::numeric_limits<double>::infinity();
  for (const double range : ranges) {
    for (const double o : odds) {
      const Array<double> x = search.start(range, o);
      const double value = objective(x, {});
      if (best.empty() || value < least) {
        best = x;
        least = value;
      }
    }
  }
  return best;
}

}  // namespace

GivenCovariance given_covariance(const Options& options, const ColumnScale& target) {
  const double square = target.scale * target.scale;
  return {options.range, options.sill / square,
          options.nugget < 0 ? -1.0 : options.nugget / square};
}

RangeBounds range_bounds(const Spacing& spacing) {
  return {0.2 * spacing.near, 3 * spacing.extent};
}

SpatialModel constant_field(Covariance kernel, const GivenCovariance& given,
                            const Spacing& spacing) {
  return {kernel, given.range > 0 ? given.range : spacing.extent, given.sill,
          std::max(given.nugget, 0.0)};
}

LikelihoodFit fit_by_likelihood(const Observations& observations, const VecchiaTerms& terms,
                                Covariance kernel, const GivenCovariance& given,
                                const Spacing& spacing, const ThreadPool& pool,
                                FitProgress& progress, const LikelihoodClimb& climb) {
  const Search search(kernel, given, range_bounds(spacing));
  const auto evaluate = [&](Span<const double> x) {
    const SpatialModel shape = search.shape(x);
    return vecchia_fit(observations, terms, shape, search.variance(shape.share()), pool, progress);
  };
  constexpr std::int64_t kMostEvaluations = 150;
  constexpr std::int64_t kStarts = 8;
  // Per row and as if the labels had variance 1, so that one tolerance fits all tables.
  double rows = 0;
  for (const std::int32_t child : terms.children) {
    rows += observations.counts[child];
  }
  const double shift = 0.5 * std::log(observations.label_variance());
  const Objective objective = [&](Span<const double> x, Span<double>) {
    const double value = -shift - evaluate(x).log_likelihood / rows;
    progress.step(value);
    return value;
  };
  Array<double> x;
  if (!search.steps().empty()) {
    progress.expect(progress.steps_taken() + kMostEvaluations + kStarts);
    const Array<double> start = climb.start != nullptr ? search.start(*climb.start)
                                                       : best_start(search, spacing, objective);
    x = minimise_simplex(objective, start, search.bounds(), search.steps(), climb.tolerance,
                         kMostEvaluations)
            .x;
  }
  SpatialModel model = search.shape(x);
  const VecchiaFit found = evaluate(x);
  const double share = model.share();
  model.sill = given.sill > 0 ? given.sill : found.variance * (1 - share);
  model.nugget = given.nugget >= 0 ? given.nugget : found.variance * share;
  return {model, found.mean, found.log_likelihood};
}

LikelihoodFit fit_noise(const Observations& observations, const VecchiaTerms& terms,
                        Covariance kernel, const Spacing& spacing, const ThreadPool& pool,
                        FitProgress& progress) {
  SpatialModel model{kernel, spacing.extent, 0, 1};
  const VecchiaFit found = vecchia_fit(observations, terms, model, 0, pool, progress);
  model.nugget = found.variance;
  return {model, found.mean, found.log_likelihood};
}

}  // namespace pegnn
