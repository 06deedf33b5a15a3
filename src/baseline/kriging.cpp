// Local ordinary kriging: the best linear unbiased predictor from the nearest observations, for a
// field whose mean is constant nearby but unknown.
//
//   y(c) = sum_j l_j y_j,   sum_j l_j = 1,   R l = r + mu 1
//
// with R the covariances among the k nearest and r those with the new place. Matheron, Economic
// Geology 58, 1963; Cressie, Statistics for Spatial Data, 1993, section 3.2.

#include "base/array.h"
#include "baseline/covariance_fit.h"
#include "baseline/linear_field.h"
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
    Array<Field> fields;
    for (const SpatialModel& model : find_models(observations, pool, progress)) {
      fields.push_back({model, {0.0}});  // the mean is found anew at every place
    }
    const Field best = best_left_out(observations, fields, pool, progress);
    keep(std::move(observations), best, pool);
  }

 private:
  // One for each kernel there is to choose from.
  Array<SpatialModel> find_models(const Observations& observations, const ThreadPool& pool,
                                  FitProgress& progress) const {
    const Options& options = spec().options;
    const Array<Covariance> kernels = kernels_of(options.kernel);
    const GivenCovariance given = given_covariance(options, spec().target.linear);
    if (given.complete()) return {{kernels[0], given.range, given.sill, given.nugget}};
    const auto seed = static_cast<std::uint64_t>(options.seed);
    const Spacing spacing = measure_spacing(observations, seed, pool);
    if (observations.constant()) return {constant_field(kernels[0], given, spacing)};
    Array<SpatialModel> models;
    if (options.fit == "variogram") {
      const Array<VariogramBin> bins =
          empirical_variogram(observations, spacing, seed, pool, progress);
      for (const Covariance kernel : kernels) {
        models.push_back(fit_by_variogram(bins, kernel, given, spacing,
                                          observations.label_variance(), progress));
      }
      return models;
    }
    // Three parameters are well determined by a few thousand terms of a score of parents.
    constexpr std::int64_t kParents = 20, kTerms = 5000;
    const VecchiaTerms terms = vecchia_terms(observations, kParents, kTerms, seed, pool, progress);
    for (const Covariance kernel : kernels) {
      models.push_back(
          fit_by_likelihood(observations, terms, kernel, given, spacing, pool, progress).model);
    }
    return models;
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
    .format = 3,  // before, the kernel was always named
    .resolve =
        [](Options& options, std::int64_t rows) {
          const bool whole = options.taper && rows <= kMostNeighbours;
          // Of 48 that taper off as much is heard as of 30 that do not.
          resolve_k(options, whole ? rows : options.taper ? 48 : 30, rows);
        },
    .make = [](const BaselineSpec& spec) -> std::unique_ptr<Baseline> {
      return std::make_unique<Kriging>(spec);
    }};

}  // namespace pegnn
