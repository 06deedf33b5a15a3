#include "train/held_rows.h"

#include <algorithm>
#include <cmath>

#include "base/array.h"

namespace pegnn {
namespace {

// What is taken off z: times the root of the number of rows, and of blocks.
constexpr double kChosen = 16, kChosenOfBlocks = 0.5;
// Fewer groups cannot tell a gain from noise.
constexpr std::ptrdiff_t kFewestGroups = 6;

}  // namespace

HeldRows::HeldRows(const Dataset& data, bool gaps)
    : data_(data), gaps_(gaps), rows_(data.y.size()) {}

void HeldRows::add(const HeldAnswers& answers, const Scaler& scaler) {
  smoothed_ = !answers.smooth.empty();
  for (std::int64_t i = 0; i < answers.rows.size(); ++i) {
    const std::int64_t number = answers.rows[i];
    Row& row = rows_[number];
    ++row.count;
    row.predicted += static_cast<double>(answers.predicted[i]);
    row.target = scaler.target.apply(data_.y[number]);
    row.group = answers.groups.empty() ? number : answers.groups[i];
    if (!smoothed_) continue;
    const auto gap = static_cast<double>(answers.gaps[i]);
    row.share += gaps_ ? gap : 1 - gap;
    row.smooth += static_cast<double>(answers.smooth[i]);
  }
}

bool HeldRows::empty() const {
  return std::ranges::none_of(rows_, [](const Row& row) { return row.count > 0; });
}

double HeldRows::blend() const {
  if (!smoothed_) return 1;
  struct Group {
    bool held = false;
    double product = 0, square = 0;
  };
  Array<Group> groups(rows_.size());
  double product = 0, square = 0;
  for (std::int64_t i = 0; i < std::ssize(rows_); ++i) {
    const Row& row = rows_[i];
    if (row.count == 0) continue;
    const double n = row.count;
    const double weight = (data_.weight.empty() ? 1.0 : data_.weight[i]) * (row.share / n);
    const double correction = (row.predicted - row.smooth) / n;
    const double residual = row.target - row.smooth / n;
    Group& group = groups[row.group];
    group.held = true;
    group.product += weight * correction * residual;
    group.square += weight * correction * correction;
    product += weight * correction * residual;
    square += weight * correction * correction;
  }
  const auto speak = std::ranges::count_if(groups, [](const Group& g) { return g.square > 0; });
  if (speak < kFewestGroups || !(product > 0)) return 0;
  const double best = std::min(1.0, product / square);
  // By how much the squared errors of a group fall.
  const auto gain = [&](const Group& g) { return best * (2 * g.product - best * g.square); };
  std::erase_if(groups, [](const Group& group) { return !group.held; });
  const auto n = static_cast<double>(groups.size());
  double mean = 0, spread = 0;
  for (const Group& group : groups) mean += gain(group) / n;
  for (const Group& group : groups) spread += (gain(group) - mean) * (gain(group) - mean);
  const double error = std::sqrt(spread) / n;
  const double chosen = gaps_ ? kChosenOfBlocks : std::min(1.0, kChosen / std::sqrt(n));
  return error > 0 ? best * std::clamp(mean / error - chosen, 0.0, 1.0) : best;
}

void HeldRows::show(const ModelState& state, Array<std::int64_t>& rows, Array<double>& observed,
                    Array<double>& predicted) const {
  const double kept = state.label_model.blend;
  for (std::int64_t i = 0; i < std::ssize(rows_); ++i) {
    const Row& row = rows_[i];
    if (row.count == 0) continue;
    rows.push_back(i);
    const double sum = smoothed_ ? row.smooth + kept * (row.predicted - row.smooth) : row.predicted;
    predicted.push_back(target_of(state, sum / row.count));
    observed.push_back(data_.y[i]);
  }
}

}  // namespace pegnn
