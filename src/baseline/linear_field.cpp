#include "baseline/linear_field.h"

#include "base/array.h"
#include "baseline/vecchia.h"

namespace pegnn {

Array<Covariance> kernels_of(const std::string& kernel) {
  if (kernel != "auto") return {covariance_of(kernel, Covariance::exponential)};
  return {Covariance::exponential, Covariance::matern32, Covariance::matern52};
}

Observations make_linear_observations(const BaselineRows& rows, const BaselineSpec& spec,
                                      Slopes slopes) {
  // With fewer rows a linear mean would explain the labels by itself.
  const std::int64_t coefficients = spec.features + 1;
  const std::int64_t fewest = slopes == Slopes::free ? 3 * coefficients : coefficients + 1;
  Observations out =
      make_observations(rows, spec.space, spec.features > 0 && rows.rows() >= fewest);
  out.slopes = slopes;
  return out;
}

LinearFields fit_linear_fields(const Observations& observations, const BaselineSpec& spec,
                               const ThreadPool& pool, FitProgress& progress,
                               const FieldEffort& effort) {
  const auto seed = static_cast<std::uint64_t>(spec.options.seed);
  const Spacing spacing = measure_spacing(observations, seed, pool);
  const GivenCovariance given = given_covariance(spec.options, spec.target.linear);
  Array<Covariance> kernels = kernels_of(spec.options.kernel);
  if (given.complete()) kernels.resize(1);  // nothing is fitted
  LinearFields out;
  if (observations.constant()) {
    out.fits.push_back(
        {constant_field(kernels[0], given, spacing), Array<double>(observations.mean_columns), 0});
    return out;
  }
  const VecchiaTerms terms =
      vecchia_terms(observations, spec.options.k, effort.terms, seed, pool, progress);
  for (const Covariance kernel : kernels) {
    const LikelihoodClimb climb{effort.tolerance,
                                out.fits.empty() ? nullptr : &out.fits.front().model};
    out.fits.push_back(
        fit_by_likelihood(observations, terms, kernel, given, spacing, pool, progress, climb));
  }
  if (given.nothing()) {
    out.noise = fit_noise(observations, terms, kernels[0], spacing, pool, progress);
  }
  return out;
}

}  // namespace pegnn
