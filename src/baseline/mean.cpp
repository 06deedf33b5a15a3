// The mean of the training rows everywhere: what a model must beat to be worth anything.
//
//   y(c) = sum_i w_i y_i / sum_i w_i,   w_i the weight of a row, 1 where there are none

#include <cmath>

#include <fmt/core.h>

#include "base/array.h"
#include "base/text.h"
#include "baseline/baseline.h"

namespace pegnn {
namespace {

class Mean final : public Baseline {
 public:
  explicit Mean(const BaselineSpec& spec) : spec_(spec) {}

  void fit(const BaselineRows& rows, const BaselineRows&, const ThreadPool&,
           FitProgress&) override {
    target_.assign(rows.target.begin(), rows.target.end());
    weight_.assign(rows.weight.begin(), rows.weight.end());
    const auto n = static_cast<double>(target_.size());
    double sum = 0, total = 0;
    for (std::int64_t i = 0; i < std::ssize(target_); ++i) {
      sum += weight(i) * target_[i];
      total += weight(i);
    }
    mean_ = sum / total;
    total_ = total;
    double square = 0, freedom = 0, squares = 0;
    for (std::int64_t i = 0; i < std::ssize(target_); ++i) {
      const double w = weight(i);
      square += w * ((target_[i] - mean_) * (target_[i] - mean_));
      freedom += w * (1 - w / total);
      squares += w / total * (w / total);
    }
    // Of an observation around a mean that is itself uncertain. Rows that weigh tell less of both:
    // n - 1 becomes sum w - sum w^2 / sum w, and 1 / n becomes sum w^2 / (sum w)^2.
    if (weight_.empty()) {
      freedom = n - 1;
      squares = 1 / n;
    }
    deviation_ = std::sqrt(square / freedom * (1 + squares));
  }

  void store(Arrays& arrays) const override {
    arrays.add("mean", 1, 1, {mean_});
    arrays.add("deviation", 1, 1, {deviation_});
  }
  void restore(const ArrayReader& arrays, const ThreadPool&) override {
    mean_ = arrays.number("mean");
    deviation_ = arrays.number("deviation");
    if (deviation_ < 0) arrays.refuse("deviation", "is negative");
  }

  void predict(const BaselineRows&, const ThreadPool&, Span<double> mean,
               Span<double> deviation) const override {
    std::fill(mean.begin(), mean.end(), mean_);
    std::fill(deviation.begin(), deviation.end(), deviation_);
  }

  void predict_left_out(Span<const std::int64_t> rows, const ThreadPool&,
                        Span<double> mean) const override {
    for (std::int64_t i = 0; i < std::ssize(rows); ++i) {
      const std::int64_t row = rows[i];
      const double rest = total_ - weight(row);
      // Beside a row that outweighs all digits of a double the others cannot be told.
      mean[i] = rest > 0 ? (total_ * mean_ - weight(row) * target_[row]) / rest : mean_;
    }
  }

  std::string summary() const override {
    return fmt::format("mean {}", format_short(spec_.target.invert(mean_)));
  }

 private:
  double weight(std::int64_t row) const { return weight_.empty() ? 1.0 : weight_[row]; }

  BaselineSpec spec_;
  Array<double> target_, weight_;
  double mean_ = 0, deviation_ = 0, total_ = 0;  // the last of the weights
};

}  // namespace

extern constinit const BaselineEntry mean_baseline{
    .info = {.name = "mean",
             .summary = "The mean of the training rows, everywhere.",
             .source = "the least any model must beat"},
    .uses_features = false,
    .gives_deviation = true,
    .leaves_out = true,
    .weighs_rows = true,
    .resolve = [](Options&, std::int64_t) {},
    .make = [](const BaselineSpec& spec) -> std::unique_ptr<Baseline> {
      return std::make_unique<Mean>(spec);
    }};

}  // namespace pegnn
