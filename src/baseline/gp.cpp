// The exact Gaussian process over place and features.
//
//   y = m + f(x) + e,   f ~ GP(0, s2 rho(u)),   e ~ N(0, noise)
//
// Length scales, variance and noise maximise the marginal likelihood of at most --gp-rows rows
// (baseline/gp_learning.h), one evaluation of which costs n^3 multiplications; the mean m has a
// closed form. Predictions come from all rows: one Cholesky factor of the full matrix, 8 n^2 bytes
// and n^3 / 3 multiplications. Formulas and source: baseline/exact_gp.h.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>

#include <fmt/core.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/text.h"
#include "baseline/baseline.h"
#include "baseline/exact_gp.h"
#include "baseline/gp_inputs.h"
#include "baseline/gp_learning.h"
#include "baseline/ordered_rows.h"
#include "baseline/target_scale.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

// Of the covariance matrix; in all there is little more.
double matrix_bytes(std::int64_t rows) {
  return 8.0 * static_cast<double>(rows) * static_cast<double>(rows);
}

class Gp final : public Baseline {
 public:
  explicit Gp(const BaselineSpec& spec) : spec_(spec), inputs_(spec) {}

  void fit(const BaselineRows& rows, const BaselineRows&, const ThreadPool& pool,
           FitProgress& progress) override {
    require_memory(matrix_bytes(rows.rows()),
                   fmt::format("<option:model> gp on {} rows", format_count(rows.rows())),
                   "take <option:model> nngp or <option:model> svgp, or fewer rows");
    OrderedRows ordered(rows);
    order_ = ordered.order;
    labels_ = ordered.target;
    inputs_.fit(ordered.view());
    Array<double> values(rows.rows() * inputs_.columns());
    const Mat<double> x(values.data(), rows.rows(), inputs_.columns());
    inputs_.fill(ordered.view(), pool, x);
    const TargetScale scale(labels_);
    if (scale.deviation == 0) {
      GpParameters nothing{.covariance = covariance(),
                           .length_scales = Array<double>(inputs_.columns(), 1.0),
                           .variance = 0,
                           .noise = 0,
                           .mean = scale.centre};
      process_.restore(std::move(nothing), x, Array<double>(labels_.size(), 0.0));
      return;
    }
    process_.condition(pool, learned(ordered, x, scale, pool, progress), true, x, labels_,
                       [&] { progress.check(); });
    progress.check();
  }

  void store(Arrays& arrays) const override {
    const GpParameters& p = process_.parameters();
    const Mat<const double> x = process_.inputs();
    inputs_.store(arrays);
    arrays.add("inputs", x.rows, x.cols, {x.data, x.data + x.rows * x.cols});
    arrays.add("alpha", x.rows, 1, process_.alpha());
    arrays.add("length_scales", 1, x.cols, p.length_scales);
    arrays.add("variance", 1, 1, {p.variance});
    arrays.add("noise", 1, 1, {p.noise});
    arrays.add("mean", 1, 1, {p.mean});
  }
  void restore(const ArrayReader& arrays, const ThreadPool&) override {
    inputs_.restore(arrays);
    const NamedArray& x = arrays.matrix("inputs", -1, inputs_.columns());
    if (x.rows == 0) arrays.refuse("inputs", "is empty");
    GpParameters p{.covariance = covariance(),
                   .length_scales = arrays.matrix("length_scales", 1, x.cols).values,
                   .variance = arrays.number("variance"),
                   .noise = arrays.number("noise"),
                   .mean = arrays.number("mean")};
    for (const double l : p.length_scales) {
      if (l <= 0) arrays.refuse("length_scales", "holds a number that is not positive");
    }
    if (p.variance < 0) arrays.refuse("variance", "is negative");
    if (p.noise < 0) arrays.refuse("noise", "is negative");
    process_.restore(std::move(p), {x.values.data(), x.rows, x.cols},
                     arrays.matrix("alpha", x.rows, 1).values);
  }

  void predict(const BaselineRows& queries, const ThreadPool& pool, Span<double> mean,
               Span<double> deviation) const override {
    Array<double> values(queries.rows() * inputs_.columns());
    const Mat<double> x(values.data(), queries.rows(), inputs_.columns());
    inputs_.fill(queries, pool, x);
    if (constant()) {
      std::fill(deviation.begin(), deviation.end(), 0.0);
      deviation = {};
    }
    if (!deviation.empty() && !process_.has_factor()) {
      require_memory(matrix_bytes(process_.rows()), "the standard deviation of a gp",
                     "<option:no-deviation> leaves it out");
    }
    process_.predict(pool, x, mean, deviation);
    for (double& d : deviation) d = std::sqrt(d + process_.parameters().noise);
  }

  void predict_left_out(Span<const std::int64_t> rows, const ThreadPool& pool,
                        Span<double> mean) const override {
    // Where the table's rows stand in our order, and those asked for by that place.
    Array<std::int64_t> place(order_.size()), sorted;
    for (std::int64_t i = 0; i < std::ssize(order_); ++i) {
      place[order_[i]] = i;
    }
    Array<std::int64_t> asked(rows.size());
    std::iota(asked.begin(), asked.end(), std::int64_t{0});
    const auto place_of_asked = [&](std::int64_t i) { return place[rows[i]]; };
    std::sort(asked.begin(), asked.end(), [&](std::int64_t a, std::int64_t b) {
      return place_of_asked(a) < place_of_asked(b);
    });
    for (const std::int64_t i : asked) sorted.push_back(place_of_asked(i));
    Array<double> residuals(rows.size(), 0.0);
    if (!constant()) process_.left_out_residuals(pool, sorted, residuals);
    for (std::int64_t i = 0; i < std::ssize(asked); ++i) {
      mean[asked[i]] = labels_[sorted[i]] - residuals[i];
    }
  }

  std::string summary() const override {
    const GpParameters& p = process_.parameters();
    if (constant()) return fmt::format("constant {}", format_short(spec_.target.invert(p.mean)));
    const double unit = spec_.target.linear.scale * spec_.target.linear.scale;
    return fmt::format("{}, {}, variance {}, noise {}{}", name_of(p.covariance),
                       inputs_.tell(inputs_.per_scale(p.length_scales)),
                       format_short(p.variance * unit, 3), format_short(p.noise * unit, 3),
                       spec_.target.told_of());
  }

 private:
  Covariance covariance() const {
    return covariance_of(spec_.options.kernel, Covariance::matern32);
  }
  // All targets were equal: nothing varies, nothing is uncertain.
  bool constant() const { return process_.parameters().variance == 0; }

  GpParameters learned(const OrderedRows& ordered, Mat<const double> x, const TargetScale& scale,
                       const ThreadPool& pool, FitProgress& progress) const {
    Array<double> y;
    for (const double v : labels_) y.push_back((v - scale.centre) / scale.deviation);
    const Array<std::int64_t> rows = learning_rows(
        ordered.points, spec_.space, std::min(spec_.options.gp_rows, ordered.view().rows()),
        static_cast<std::uint64_t>(spec_.options.seed), pool);
    GpParameters p =
        learn_parameters(inputs_, covariance(), x, y, rows, spec_.options.gp_steps, pool, progress);
    p.variance *= scale.deviation * scale.deviation;
    p.noise *= scale.deviation * scale.deviation;
    return p;
  }

  BaselineSpec spec_;
  GpInputs inputs_;
  ExactGp process_;
  // Of the rows it was fitted on, in the order of `process_`: not stored.
  Array<std::int32_t> order_;
  Array<double> labels_;
};

constexpr std::int64_t kSteps = 100;

}  // namespace

extern constinit const BaselineEntry gp_baseline{
    .info = {.name = "gp",
             .summary = "Exact Gaussian process over place and features; memory grows with rows "
                        "squared.",
             .source = "Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006"},
    .gives_deviation = true,
    .leaves_out = true,
    .resolve =
        [](Options& options, std::int64_t) {
          if (options.kernel == "auto") options.kernel = name_of(Covariance::matern32);
          if (options.gp_steps == 0) options.gp_steps = kSteps;
        },
    .make = [](const BaselineSpec& spec) -> std::unique_ptr<Baseline> {
      return std::make_unique<Gp>(spec);
    }};

}  // namespace pegnn
