// Local ordinary kriging: the best linear unbiased predictor from the nearest observations, for a
// field whose mean is constant nearby but unknown.
//
//   y(c) = sum_j l_j y_j,   sum_j l_j = 1,   R l = r + mu 1
//
// with R the covariances among the k nearest and r those with the new place. Matheron, Economic
// Geology 58, 1963; Cressie, Statistics for Spatial Data, 1993, section 3.2.

#include "baseline/covariance_fit.h"
#include "baseline/local_process.h"
#include "baseline/variogram.h"
#include "baseline/vecchia.h"

namespace pegnn {
namespace {

class Kriging final : public LocalProcess {
 public:
  explicit Kriging(const BaselineSpec& spec) : LocalProcess(spec, true) {}

  void fit(const BaselineRows& rows, const BaselineRows&, const ThreadPool& pool,
           FitProgress& progress) override {
    progress.check();
    Observations observations = make_observations(rows, spec().space, false);
    const SpatialModel model = find_model(observations, pool, progress);
    const double centre = 0;  // the mean is found anew at every place
    keep(std::move(observations), model, {&centre, 1}, pool);
  }

 private:
  SpatialModel find_model(const Observations& observations, const ThreadPool& pool,
                          FitProgress& progress) const {
    const Options& options = spec().options;
    const Covariance kernel = covariance_of(options.kernel, Covariance::exponential);
    const GivenCovariance given = given_covariance(options, spec().target.linear);
    if (given.complete()) return {kernel, given.range, given.sill, given.nugget};
    const auto seed = static_cast<std::uint64_t>(options.seed);
    const Spacing spacing = measure_spacing(observations, seed, pool);
    if (observations.constant()) return constant_field(kernel, given, spacing);
    if (options.fit == "variogram") {
      return fit_by_variogram(empirical_variogram(observations, spacing, seed, pool, progress),
                              kernel, given, spacing, observations.label_variance(), progress);
    }
    // Three parameters are well determined by a few thousand terms of a score of parents.
    constexpr std::int64_t kParents = 20, kTerms = 5000;
    const VecchiaTerms terms = vecchia_terms(observations, kParents, kTerms, seed, pool, progress);
    return fit_by_likelihood(observations, terms, kernel, given, spacing, pool, progress).model;
  }
};

}  // namespace

extern constinit const BaselineEntry kriging_baseline{
    .info = {.name = "kriging",
             .summary =
                 "Local ordinary kriging from the nearest training points, with its deviation.",
             .source = "Matheron, Economic Geology 58, 1963; Cressie 1993"},
    .uses_features = false,
    .gives_deviation = true,
    .leaves_out = true,
    .resolve =
        [](Options& options, std::int64_t rows) {
          const bool whole = options.taper && rows <= kMostNeighbours;
          resolve_k(options, whole ? rows : 30, rows);
          if (options.kernel == "auto") options.kernel = "exponential";
        },
    .make = [](const BaselineSpec& spec) -> std::unique_ptr<Baseline> {
      return std::make_unique<Kriging>(spec);
    }};

}  // namespace pegnn
