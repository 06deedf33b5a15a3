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

#include "base/array.h"
#include "baseline/linear_field.h"
#include "baseline/local_process.h"
#include "baseline/vecchia.h"

namespace pegnn {
namespace {

class Nngp final : public LocalProcess {
 public:
  explicit Nngp(const BaselineSpec& spec) : LocalProcess(spec, false) {}

  void fit(const BaselineRows& rows, const BaselineRows&, const ThreadPool& pool,
           FitProgress& progress) override {
    progress.check();
    Observations observations = make_linear_observations(rows, spec(), Slopes::free);
    Array<Field> fields;
    for (const LikelihoodFit& fit : fit_linear_fields(observations, spec(), pool, progress).fits) {
      fields.push_back({fit.model, fit.mean});
    }
    Field field = best_left_out(observations, fields, pool, progress);
    if (!observations.constant()) {
      const VecchiaTerms all =
          vecchia_terms(observations, spec().options.k, observations.size(),
                        static_cast<std::uint64_t>(spec().options.seed), pool, progress);
      field.mean =
          vecchia_fit(observations, all, field.model, field.model.variance(), pool, progress).mean;
    }
    keep(std::move(observations), field, pool);
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
    .format = 3,  // before, the kernel was always named
    .resolve =
        [](Options& options, std::int64_t rows) {
          // Of 32 that taper off as much is heard as of 20 that do not.
          resolve_k(options, options.taper ? 32 : 20, rows);
        },
    .make = [](const BaselineSpec& spec) -> std::unique_ptr<Baseline> {
      return std::make_unique<Nngp>(spec);
    }};

}  // namespace pegnn
