#include "predict/outside_count.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/core.h>

#include "base/text.h"

namespace pegnn {
namespace {

// Judging a row takes 0.2 us by its place, 1 us by eight features, 5 to 90 us by twenty independent
// ones; predicting one, from 0.5 us on. Of a million rows some 37,000 are judged, and 6,000.
constexpr std::int64_t kEach = 8192, kEachOfMany = 1024;
// Of rows held out at random from 19 real tables 2 to 26 % are outside, of those held out in a
// block that has a fifth of the rows 58 to 99 %.
constexpr double kMostShare = 1.0 / 3;

std::string how_many(const Outside& found) {
  const char* verb = "lie";
  std::string number = fmt::format("about {} %", format_short(100 * found.share, 2));
  if (found.judged == found.rows) {
    const auto count = static_cast<double>(found.rows) * found.share;
    number = format_count(std::llround(count));
    if (number == "1") verb = "lies";
  }
  return fmt::format("{} of {} {} {} outside the area of applicability", number,
                     format_count(found.rows), found.rows == 1 ? "row" : "rows", verb);
}

// "up to 402 km from the nearest training point, where up to 1.2 km is usual"
std::string how_far(const Outside& found, const ModelState& model) {
  const std::string farthest = length_text(found.farthest, model);
  if (found.reach == 0) return fmt::format("up to {} from where all training points are", farthest);
  return fmt::format("up to {} from the nearest training point, where up to {} is usual", farthest,
                     length_text(found.reach, model));
}

constexpr const char* kUnlike = "features unlike those of the training rows";

}  // namespace

OutsideCount::OutsideCount(const Applicability& area)
    : area_(area), each_(area.many_features() ? kEachOfMany : kEach) {}

void OutsideCount::take(const Judgement& row, std::int64_t weight) {
  ++judged_;
  weight_ += weight;
  if (row.distant) distant_ += weight;
  if (row.unlike) unlike_ += weight;
  far_ = far_ || row.far;
  farthest_ = std::max(farthest_, row.distance);
}

void OutsideCount::add(Span<const Judgement> rows) {
  rows_ += rows.size();
  for (const Judgement& row : rows) take(row, 1);
}

void OutsideCount::add(const Queries& rows, const ThreadPool& pool) {
  // Row i stands for `step` rows, and the next of them is i + step.
  const auto step_at = [&](std::int64_t i) {
    std::int64_t step = 1;
    for (std::int64_t end = each_; i >= end; end *= 2) step *= 2;
    return step;
  };
  const std::int64_t first = rows_, end = rows_ + rows.rows();
  const std::int64_t width = rows.features.cols;
  Array<Point> points;
  Array<double> features;
  Array<std::int64_t> weights;
  const std::int64_t step = step_at(first);
  for (std::int64_t i = (first + step - 1) / step * step; i < end; i += weights.back()) {
    points.push_back(rows.points[i - first]);
    const double* row = rows.features.row(i - first);
    features.insert(features.end(), row, row + width);
    weights.push_back(step_at(i));
  }
  Array<Judgement> found(points.size());
  area_.judge(points, {features.data(), std::ssize(points), width}, pool, found);
  for (std::int64_t i = 0; i < found.size(); ++i) take(found[i], weights[i]);
  rows_ = end;
}

Outside OutsideCount::found() const {
  Outside found;
  found.rows = rows_;
  found.judged = judged_;
  found.farthest = farthest_;
  found.reach = area_.reach();
  if (weight_ == 0) return found;
  found.share = static_cast<double>(distant_ + unlike_) / static_cast<double>(weight_);
  found.worth_warning = far_ || found.share > kMostShare;
  if (distant_ + unlike_ == 0) return found;
  found.sentence = how_many(found);
  if (distant_ > 0) found.sentence += ": " + how_far(found, area_.model());
  if (unlike_ > 0) found.sentence += distant_ > 0 ? ", or with " : ": with ";
  if (unlike_ > 0) found.sentence += kUnlike;
  return found;
}

}  // namespace pegnn
