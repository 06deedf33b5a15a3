#pragma once
// Prediction from the nearest observations of a Gaussian process: what kriging and nngp share.

#include <cstdint>
#include <memory>
#include <string>

#include "base/array.h"
#include "baseline/baseline.h"
#include "baseline/local_gaussian.h"
#include "baseline/observations.h"
#include "baseline/whole_field.h"
#include "geo/nearest.h"

namespace pegnn {

// With residuals e = y - b.(1, x) of the observations, correlations R among the k nearest and r
// between them and the query:
//
//   mean      b.(1, x) + r' R^-1 (e - m) + m
//   variance  (sill + nugget) (1 - r' R^-1 r + (1 - 1' R^-1 r)^2 / (1' R^-1 1))
//
// where m = 1' R^-1 e / (1' R^-1 1) is the local mean, and the last term its uncertainty; without a
// local mean m and the term are 0. The variance is that of a new observation, noise included; the
// noise is one of measurement, so that at a training place the prediction is smoothed. Without
// noise it is the label there, exactly, with variance 0.
//
// With `--taper` the farther ones of the neighbours have more and more noise towards the next one
// outside (taper_noise in local_gaussian.h), so that mean and variance do not jump where the
// neighbours change; and where there are no more than k + 1 observations all of them are neighbours
// everywhere, in one system for all queries (whole_field.h).
class LocalProcess : public Baseline {
 public:
  LocalProcess(const BaselineSpec& spec, bool local_mean) : spec_(spec), local_mean_(local_mean) {}

  void store(Arrays& arrays) const override;
  void restore(const ArrayReader& arrays, const ThreadPool& pool) override;
  void predict(const BaselineRows& queries, const ThreadPool& pool, Span<double> mean,
               Span<double> deviation) const override;
  void predict_left_out(Span<const std::int64_t> rows, const ThreadPool& pool,
                        Span<double> mean) const override;
  std::string summary() const override;

 protected:
  // What is learned: a process and the coefficients of the observations' mean_columns.
  struct Field {
    SpatialModel model;
    Array<double> mean;
  };

  // Of several fields the one which tells rows left out best, by their mean squared error. The most
  // likely is not the best everywhere: on the 3D Road part matern32 is more likely than the
  // exponential, and its error a third greater.
  Field best_left_out(const Observations& observations, Span<const Field> fields,
                      const ThreadPool& pool, FitProgress& progress);

  // Takes over what was learned.
  void keep(Observations observations, const Field& field, const ThreadPool& pool);

  const BaselineSpec& spec() const { return spec_; }

 private:
  class System;
  struct LeftOut;

  void take_labels(const Observations& observations, const Field& field);
  void build(const ThreadPool& pool);
  void build_whole(const ThreadPool& pool);
  // Observations that a query asks for: its neighbours and, where they taper off, the next one.
  std::int64_t wanted() const;
  void ask_whole(const BaselineRows& queries, const ThreadPool& pool, Span<double> mean,
                 Span<double> deviation) const;
  void leave_out_of_whole(Span<const std::int64_t> rows, const ThreadPool& pool,
                          Span<double> mean) const;

  BaselineSpec spec_;
  bool local_mean_;
  SpatialModel model_;
  Array<double> mean_;  // of (1, features)
  Array<Point> points_;
  Array<Place> places_;
  Array<double> residuals_, counts_;
  NearestIndex index_;
  std::unique_ptr<const WholeField> whole_;  // null: each query has a system of its own
  // Of the rows fitted on; empty after `restore`.
  Array<std::int32_t> of_row_;
  Array<double> residual_of_row_, mean_of_row_;
};

}  // namespace pegnn
