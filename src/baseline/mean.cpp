// The mean of the training rows everywhere: what a model must beat to be worth anything.
//
//   y(c) = (1/n) sum_i y_i

#include <cmath>
#include <numeric>
#include <vector>

#include <fmt/core.h>

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
    const auto n = static_cast<double>(target_.size());
    mean_ = std::accumulate(target_.begin(), target_.end(), 0.0) / n;
    double square = 0;
    for (const double y : target_) square += (y - mean_) * (y - mean_);
    // Of an observation around a mean that is itself uncertain.
    deviation_ = std::sqrt(square / (n - 1) * (1 + 1 / n));
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

  void predict(const BaselineRows&, const ThreadPool&, std::span<double> mean,
               std::span<double> deviation) override {
    std::fill(mean.begin(), mean.end(), mean_);
    std::fill(deviation.begin(), deviation.end(), deviation_);
  }

  void predict_left_out(std::span<const std::int64_t> rows, const ThreadPool&,
                        std::span<double> mean) override {
    const auto n = static_cast<double>(target_.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      mean[i] = (n * mean_ - target_[static_cast<std::size_t>(rows[i])]) / (n - 1);
    }
  }

  std::string summary() const override {
    return fmt::format("mean {}", format_short(spec_.target.invert(mean_)));
  }

 private:
  BaselineSpec spec_;
  std::vector<double> target_;
  double mean_ = 0, deviation_ = 0;
};

}  // namespace

extern constinit const BaselineEntry mean_baseline{
    .info = {.name = "mean",
             .summary = "The mean of the training rows, everywhere.",
             .source = "the least any model must beat"},
    .uses_features = false,
    .gives_deviation = true,
    .leaves_out = true,
    .resolve = [](Options&, std::int64_t) {},
    .make = [](const BaselineSpec& spec) -> std::unique_ptr<Baseline> {
      return std::make_unique<Mean>(spec);
    }};

}  // namespace pegnn
