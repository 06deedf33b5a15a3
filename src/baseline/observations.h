#pragma once
// Training rows as kriging and nngp see them: in an order of their own, coincident ones merged.

#include <cstdint>

#include "base/array.h"
#include "baseline/baseline.h"
#include "baseline/mean_equations.h"
#include "baseline/places.h"

namespace pegnn {

// Sorted by coordinates, so that nothing learned from them depends on the order of the table.
//
// Without features the rows of one place are merged (places.h): their mean stands for them with
// noise nugget / count, and their scatter tells of the nugget. With features they stay apart, for
// their means differ.
struct Observations {
  Space space = Space::plane;
  Array<Point> points;
  Array<Place> places;
  Array<double> labels;   // mean of the rows there, less `offset`
  Array<double> counts;   // rows there
  Array<double> scatter;  // sum of squares of the rows there around their mean
  Array<double> columns;  // size x mean_columns, of the linear mean: 1, centred features
  std::int64_t mean_columns = 1;
  Slopes slopes = Slopes::free;  // of the features
  double offset = 0;             // mean label of all rows
  Array<double> centres;         // mean of each feature, as long as there are features
  Array<std::int32_t> of_row;    // the observation of each row of the table
  Array<double> label_of_row;    // less `offset`

  std::int64_t size() const { return std::ssize(points); }
  // All labels equal, but for rounding; or so small that their squares vanish.
  bool constant() const;
  // Population variance of the rows' labels.
  double label_variance() const;
  // Coefficients of (1, features as they come, not centred) for labels as they come, from those of
  // the mean columns; 0 for features that have no column.
  Array<double> plain_mean(Span<const double> mean, std::int64_t features) const;
};

Observations make_observations(const BaselineRows& rows, Space space, bool with_features);

// Lengths that bound what a range can be.
struct Spacing {
  double near = 1;    // a tenth of the observations have their neighbour within it
  double middle = 1;  // half of them have
  double extent = 1;  // diagonal of the box around all
};

Spacing measure_spacing(const Observations& observations, std::uint64_t seed,
                        const ThreadPool& pool);

// `count` of the numbers 0 ... n - 1 (all when there are fewer), in ascending order, drawn at
// random; `draw` tells draws of one seed apart.
Array<std::int32_t> draw_sample(std::int64_t n, std::int64_t count, std::uint64_t seed,
                                std::uint64_t draw);

}  // namespace pegnn
