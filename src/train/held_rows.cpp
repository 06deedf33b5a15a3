#include "train/held_rows.h"

#include <algorithm>
#include <cmath>

namespace pegnn {

HeldRows::HeldRows(const Dataset& data)
    : data_(data),
      sums_(data.y.size(), 0.0),
      correction_sums_(data.y.size(), 0.0),
      counts_(data.y.size(), 0) {}

void HeldRows::add(std::span<const std::int64_t> rows, const FinishedRun& run,
                   const Scaler& scaler) {
  held_ += static_cast<std::int64_t>(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = static_cast<std::size_t>(rows[i]);
    sums_[row] += static_cast<double>(run.predicted[i]);
    ++counts_[row];
    if (run.smooth.empty()) continue;
    const double smooth = static_cast<double>(run.smooth[i]);
    corrections_.push_back(static_cast<double>(run.predicted[i]) - smooth);
    correction_sums_[row] += corrections_.back();
    lacks_.push_back(scaler.target.apply(data_.y[row]) - smooth);
  }
}

double HeldRows::blend() const {
  if (corrections_.empty()) return 1;
  double product = 0, square = 0;
  for (std::size_t i = 0; i < lacks_.size(); ++i) {
    product += corrections_[i] * lacks_[i];
    square += corrections_[i] * corrections_[i];
  }
  if (!(square > 0) || !(product > 0)) return 0;
  const double best = std::min(1.0, product / square);
  const auto n = static_cast<double>(lacks_.size());
  double mean = 0, spread = 0;
  const auto gain = [&](std::size_t i) {
    const double left = lacks_[i] - best * corrections_[i];
    return lacks_[i] * lacks_[i] - left * left;
  };
  for (std::size_t i = 0; i < lacks_.size(); ++i) mean += gain(i) / n;
  for (std::size_t i = 0; i < lacks_.size(); ++i) spread += (gain(i) - mean) * (gain(i) - mean);
  const double error = std::sqrt(spread) / n;
  return error > 0 ? best * std::clamp(mean / error, 0.0, 1.0) : best;
}

void HeldRows::show(Fit& fit) const {
  fit.shown = ShownRows::validation;
  const double left_out = 1 - fit.state.label_model.blend;
  for (std::size_t row = 0; row < counts_.size(); ++row) {
    if (counts_[row] == 0) continue;
    fit.shown_rows.push_back(static_cast<std::int64_t>(row));
    const double sum = sums_[row] - left_out * correction_sums_[row];
    fit.predicted.push_back(target_of(fit.state, sum / counts_[row]));
    fit.observed.push_back(data_.y[row]);
  }
}

}  // namespace pegnn
