#include "baseline/minimise.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <new>

#include <nlopt.h>

#include "base/array.h"

namespace pegnn {
namespace {

struct Call {
  const Objective& objective;
  nlopt_opt optimiser;
  Minimum best;
  std::exception_ptr thrown;
};

// Called from C: nothing may be thrown through it.
double evaluate(unsigned n, const double* x, double* gradient, void* data) {
  Call& call = *static_cast<Call*>(data);
  constexpr double kUnusable = 1e300;
  const Span<double> g(gradient, gradient != nullptr ? n : 0);
  std::fill(g.begin(), g.end(), 0.0);
  // A line search goes on for a few calls after it was told to stop.
  if (call.thrown) return kUnusable;
  try {
    ++call.best.evaluations;
    const double value = call.objective({x, n}, g);
    const bool usable = std::isfinite(value) &&
                        std::all_of(g.begin(), g.end(), [](double v) { return std::isfinite(v); });
    if (!usable) {
      std::fill(g.begin(), g.end(), 0.0);
      return kUnusable;
    }
    if (value < call.best.value) {
      call.best.value = value;
      call.best.x.assign(x, x + n);
    }
    return value;
  } catch (...) {
    call.thrown = std::current_exception();
    nlopt_force_stop(call.optimiser);
    return kUnusable;
  }
}

using Optimiser = std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)>;

// The library ends early where it gets no memory, with what it has: another result than else.
void expect_memory(nlopt_result result) {
  if (result == NLOPT_OUT_OF_MEMORY) throw std::bad_alloc();
}

Minimum run(nlopt_algorithm algorithm, const Objective& objective, Array<double> start,
            const Bounds& bounds, Span<const double> step, double tolerance,
            std::int64_t evaluations) {
  const Optimiser optimiser(nlopt_create(algorithm, static_cast<unsigned>(start.size())),
                            nlopt_destroy);
  if (optimiser == nullptr) throw std::bad_alloc();  // it makes every algorithm that it names
  for (std::int64_t i = 0; i < std::ssize(start); ++i) {
    start[i] = std::clamp(start[i], bounds.lo[i], bounds.hi[i]);
  }
  Call call{objective,
            optimiser.get(),
            {.x = start, .value = std::numeric_limits<double>::infinity()},
            {}};
  nlopt_set_min_objective(optimiser.get(), evaluate, &call);
  expect_memory(nlopt_set_lower_bounds(optimiser.get(), bounds.lo.data()));
  expect_memory(nlopt_set_upper_bounds(optimiser.get(), bounds.hi.data()));
  nlopt_set_ftol_rel(optimiser.get(), tolerance);
  nlopt_set_xtol_rel(optimiser.get(), 1e-10);
  nlopt_set_maxeval(optimiser.get(),
                    static_cast<int>(std::min<std::int64_t>(evaluations, 1'000'000)));
  if (!step.empty()) expect_memory(nlopt_set_initial_step(optimiser.get(), step.data()));
  double value = 0;
  // A failed line search is no failure here: the best point met is what counts.
  const nlopt_result result = nlopt_optimize(optimiser.get(), start.data(), &value);
  expect_memory(result);
  if (call.thrown) std::rethrow_exception(call.thrown);
  return call.best;
}

}  // namespace

Minimum minimise(const Objective& objective, Array<double> start, const Bounds& bounds,
                 double tolerance, std::int64_t evaluations) {
  return run(NLOPT_LD_LBFGS, objective, std::move(start), bounds, {}, tolerance, evaluations);
}

Minimum minimise_simplex(const Objective& objective, Array<double> start, const Bounds& bounds,
                         Span<const double> step, double tolerance, std::int64_t evaluations) {
  return run(NLOPT_LN_NELDERMEAD, objective, std::move(start), bounds, step, tolerance,
             evaluations);
}

}  // namespace pegnn
