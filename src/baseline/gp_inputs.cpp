#include "baseline/gp_inputs.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "base/array.h"
#include "base/text.h"
#include "baseline/places.h"
#include "geo/length.h"

namespace pegnn {
namespace {

// Rows as they are: the coordinates of the place, then the features.
void raw_row(const BaselineRows& rows, Space space, std::int64_t row, double* out) {
  const Place p = place_of(space, rows.points[row]);
  *out++ = p.x;
  *out++ = p.y;
  if (space == Space::sphere) *out++ = p.z;
  std::copy_n(rows.features.row(row), rows.features.cols, out);
}

}  // namespace

GpInputs::GpInputs(const BaselineSpec& spec) : space_(spec.space), metres_per_unit_(spec.metres()) {
  const bool each_place = spec.options.ard == "all", each_feature = spec.options.ard != "none";
  place_scales_ = each_place ? place_columns() : 1;
  feature_scales_ = each_feature ? spec.features : std::min<std::int64_t>(spec.features, 1);
  for (std::int64_t c = 0; c < place_columns(); ++c) scale_of_.push_back(each_place ? c : 0);
  for (std::int64_t f = 0; f < spec.features; ++f) {
    scale_of_.push_back(place_scales_ + (each_feature ? f : 0));
  }
  centre_.assign(scale_of_.size(), 0.0);
  factor_.assign(scale_of_.size(), 1.0);
}

Array<double> GpInputs::per_column(Span<const double> length_scales) const {
  Array<double> values;
  values.reserve(scale_of_.size());
  for (const std::int64_t s : scale_of_) values.push_back(length_scales[s]);
  return values;
}

Array<double> GpInputs::per_scale(Span<const double> columns) const {
  Array<double> values(length_scales());
  for (std::int64_t c = 0; c < std::ssize(scale_of_); ++c) {
    values[scale_of_[c]] = columns[c];
  }
  return values;
}

void GpInputs::fit(const BaselineRows& rows) {
  const std::int64_t d = scale_of_.size();
  const std::int64_t places = place_columns();
  const auto n = static_cast<double>(rows.rows());
  Array<double> row(d), square(d, 0.0), largest(d, 0.0);
  std::fill(centre_.begin(), centre_.end(), 0.0);
  for (std::int64_t i = 0; i < rows.rows(); ++i) {
    raw_row(rows, space_, i, row.data());
    for (std::int64_t c = 0; c < d; ++c) {
      centre_[c] += (row[c] - centre_[c]) / static_cast<double>(i + 1);
      largest[c] = std::max(largest[c], std::abs(row[c]));
    }
  }
  for (std::int64_t i = 0; i < rows.rows(); ++i) {
    raw_row(rows, space_, i, row.data());
    for (std::int64_t c = 0; c < d; ++c) square[c] += (row[c] - centre_[c]) * (row[c] - centre_[c]);
  }
  // The coordinates of the place share one spread, so that distances keep their shape.
  for (std::int64_t c = 1; c < places; ++c) {
    square[0] += square[c];
    largest[0] = std::max(largest[0], largest[c]);
  }
  for (std::int64_t c = 0; c < d; ++c) {
    const std::int64_t from = c < places ? 0 : c;
    const double spread = std::sqrt(square[from] / n);
    // Less than this is the rounding of the mean of equal values.
    const bool varies = spread > 1e-12 * largest[from];
    factor_[c] = varies ? 1 / spread : 0.0;
  }
}

void GpInputs::fill_row(const BaselineRows& rows, std::int64_t row, double* out) const {
  raw_row(rows, space_, row, out);
  for (std::int64_t c = 0; c < std::ssize(scale_of_); ++c)
    out[c] = (out[c] - centre_[c]) * factor_[c];
}

void GpInputs::fill(const BaselineRows& rows, const ThreadPool& pool, Mat<double> out) const {
  constexpr std::int64_t kBlock = 1024;
  pool.for_blocks(rows.rows(), kBlock, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) fill_row(rows, i, out.row(i));
  });
}

void GpInputs::store(Arrays& arrays) const {
  arrays.add("input_centre", 1, columns(), centre_);
  arrays.add("input_factor", 1, columns(), factor_);
}

void GpInputs::restore(const ArrayReader& arrays) {
  centre_ = arrays.matrix("input_centre", 1, columns()).values;
  factor_ = arrays.matrix("input_factor", 1, columns()).values;
  for (const double f : factor_) {
    if (f < 0) arrays.refuse("input_factor", "holds a negative number");
  }
}

std::string GpInputs::tell_places(Span<const double> length_scales) const {
  std::vector<std::string> words;
  for (std::int64_t s = 0; s < place_scales_; ++s) {
    words.push_back(length_text(length_scales[s] / factor_[0], metres_per_unit_));
  }
  return fmt::format("length scale{} {}", place_scales_ > 1 ? "s" : "", join(words, ", "));
}

std::string GpInputs::tell_features(Span<const double> length_scales) const {
  constexpr std::int64_t kMost = 8;  // a summary is one line
  std::vector<std::string> words;
  for (std::int64_t f = 0; f < std::min(feature_scales_, kMost); ++f) {
    words.push_back(format_short(length_scales[place_scales_ + f], 3));
  }
  if (feature_scales_ > kMost) words.push_back("...");
  return fmt::format("features {} deviations", join(words, ", "));
}

std::string GpInputs::tell(Span<const double> length_scales) const {
  std::string text = factor_[0] > 0 ? tell_places(length_scales) : "all rows at one place";
  if (feature_scales_ > 0) text += ", " + tell_features(length_scales);
  return text;
}

}  // namespace pegnn
