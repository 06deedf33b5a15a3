#pragma once
// What a Gaussian process sees of a row, and which length scale each column of it uses.

#include <cstdint>
#include <string>

#include "base/array.h"
#include "base/matrix.h"
#include "base/thread_pool.h"
#include "baseline/baseline.h"

namespace pegnn {

// The columns are the place (three coordinates of the chord on the sphere, else two), then the
// features. All are centred on the rows given to `fit` and divided by their spread there, so that
// they are of order 1 however the table is scaled: the place by the root mean square distance from
// its centre, a feature by its deviation. A column that does not vary says nothing and becomes 0,
// also for rows where it differs.
//
// Length scales are numbered: those of the place first, then those of the features.
//   ard none      one for the place, one for all features
//   ard features  one for the place, one for each feature
//   ard all       one for each column
class GpInputs {
 public:
  GpInputs() = default;
  explicit GpInputs(const BaselineSpec& spec);  // space, number of features and --ard

  std::int64_t columns() const { return std::ssize(scale_of_); }
  std::int64_t place_columns() const { return space_ == Space::sphere ? 3 : 2; }
  std::int64_t length_scales() const { return place_scales_ + feature_scales_; }
  // The number of the length scale that a column uses.
  std::int64_t scale_of(std::int64_t column) const { return scale_of_[column]; }
  // One value per length scale becomes one per column.
  Array<double> per_column(Span<const double> length_scales) const;
  // And back.
  Array<double> per_scale(Span<const double> columns) const;

  void fit(const BaselineRows& rows);
  // One row per row of `rows`.   out: rows x columns()
  void fill(const BaselineRows& rows, const ThreadPool& pool, Mat<double> out) const;

  // As arrays "input_centre" and "input_factor".
  void store(Arrays& arrays) const;
  void restore(const ArrayReader& arrays);

  // "length scale 83.1 km, features 1.2, 0.31 deviations".
  std::string tell(Span<const double> length_scales) const;

 private:
  std::string tell_places(Span<const double> length_scales) const;
  std::string tell_features(Span<const double> length_scales) const;
  void fill_row(const BaselineRows& rows, std::int64_t row, double* out) const;

  Space space_ = Space::plane;
  double metres_per_unit_ = 0;
  std::int64_t place_scales_ = 0, feature_scales_ = 0;
  Array<std::int64_t> scale_of_;
  Array<double> centre_, factor_;  // of each column: (value - centre) * factor
};

}  // namespace pegnn
