// Nearest-neighbour Gaussian process in response form: a linear mean and a Gaussian process, each
// observation conditioned on a few neighbours, linear in the number of rows.
//
//   y = b.(1, x) + w(c) + e,   w ~ GP(0, sill rho(d / range)),   e ~ N(0, nugget)
//   p(y) = prod_i p(y_i | y_neighbours(i))
//
// Datta, Banerjee, Finley and Gelfand, J. Am. Statist. Assoc. 111, 2016; Finley et al., J. Comput.
// Graph. Statist. 28, 2019 (response form). Maximum likelihood in place of sampling: range, sill
// and nugget from a sample of the factors, then the mean in closed form from all of them. A new row
// is conditioned on its nearest training rows; the coefficients b are taken as known.

#include <vector>

#include "baseline/covariance_fit.h"
#include "baseline/local_process.h"
#include "baseline/vecchia.h"

namespace pegnn {
namespace {

// Factors that decide on range and share of noise.
constexpr std::int64_t kTerms = 10000;

class Nngp final : public LocalProcess {
 public:
  explicit Nngp(const BaselineSpec& spec) : LocalProcess(spec, false) {}

  void fit(const BaselineRows& rows, const BaselineRows&, const ThreadPool& pool,
           FitProgress& progress) override {
    progress.check();
    // With fewer rows a linear mean would explain the labels by itself.
    const bool with_features = spec().features > 0 && rows.rows() >= 3 * (spec().features + 1);
    Observations observations = make_observations(rows, spec().space, with_features);
    const auto seed = static_cast<std::uint64_t>(spec().options.seed);
    const Spacing spacing = measure_spacing(observations, seed, pool);
    const Covariance kernel = covariance_of(spec().options.kernel, Covariance::exponential);
    const GivenCovariance given = given_covariance(spec().options, spec().target);
    SpatialModel model = constant_field(kernel, given, spacing);
    std::vector<double> mean(static_cast<std::size_t>(observations.mean_columns), 0.0);
    if (!observations.constant()) {
      const auto terms = [&](std::int64_t most) {
        return vecchia_terms(observations, spec().options.k, most, seed, pool, progress);
      };
      if (!given.complete()) {
        model =
            fit_by_likelihood(observations, terms(kTerms), kernel, given, spacing, pool, progress);
      }
      const VecchiaFit all = vecchia_fit(observations, terms(observations.size()), model,
                                         model.variance(), pool, progress);
      mean = all.mean;
    }
    keep(std::move(observations), model, mean, pool);
  }
};

}  // namespace

extern constinit const BaselineEntry nngp_baseline{
    .info = {.name = "nngp",
             .summary =
                 "Linear mean and nearest-neighbour Gaussian process, for any number of rows.",
             .source = "Datta, Banerjee, Finley and Gelfand, JASA 111, 2016; Finley et al. 2019"},
    .gives_deviation = true,
    .leaves_out = true,
    .resolve =
        [](Options& options, std::int64_t rows) {
          resolve_k(options, 20, rows);
          if (options.kernel == "auto") options.kernel = "exponential";
        },
    .make = [](const BaselineSpec& spec) -> std::unique_ptr<Baseline> {
      return std::make_unique<Nngp>(spec);
    }};

}  // namespace pegnn
