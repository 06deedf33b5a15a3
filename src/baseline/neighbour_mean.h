#pragma once
// Weighted means of the nearest training points' labels: what knn and idw share.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/array.h"
#include "baseline/baseline.h"
#include "geo/nearest.h"
#include "geo/taper.h"

namespace pegnn {

// `weight` turns the ratio of a distance to the nearest one, at least 1, into a positive weight: a
// ratio cannot overflow. A query on top of training points takes the mean of those at that very
// place, the limit of any weight that grows without bound; with `bounded` all weights are 1. Where
// rows have weights of their own, these multiply, at one and the same place too. With `tapered` the
// farther neighbours count less towards the next point outside (geo/taper.h).
class NeighbourMean : public Baseline {
 public:
  NeighbourMean(const BaselineSpec& spec, bool bounded, bool tapered)
      : spec_(spec), bounded_(bounded), tapered_(tapered) {}

  void fit(const BaselineRows& rows, const BaselineRows&, const ThreadPool& pool,
           FitProgress&) override {
    points_.assign(rows.points.begin(), rows.points.end());
    labels_.assign(rows.target.begin(), rows.target.end());
    row_weights_.assign(rows.weight.begin(), rows.weight.end());
    index_.build(points_, spec_.space, pool);
  }

  void store(Arrays& arrays) const override {
    arrays.add_points("points", points_);
    const auto rows = std::ssize(labels_);
    if (row_weights_.empty()) {
      arrays.add("labels", rows, 1, labels_);
      return;
    }
    // Beside the labels: a reader that knows of no weights refuses the second column.
    Array<double> both;
    for (std::int64_t i = 0; i < std::ssize(labels_); ++i) {
      both.insert(both.end(), {labels_[i], row_weights_[i]});
    }
    arrays.add("labels", rows, 2, std::move(both));
  }
  void restore(const ArrayReader& arrays, const ThreadPool& pool) override {
    points_ = arrays.points("points", spec_.space);
    if (points_.empty()) arrays.refuse("points", "is empty");
    const NamedArray& labels = arrays.matrix("labels", std::ssize(points_), -1);
    if (labels.cols != 1 && labels.cols != 2)
      arrays.refuse("labels", "has neither 1 nor 2 columns");
    labels_.clear();
    row_weights_.clear();
    for (std::int64_t i = 0; i < std::ssize(labels.values); ++i) {
      const bool label = labels.cols == 1 || i % 2 == 0;
      (label ? labels_ : row_weights_).push_back(labels.values[i]);
      if (!label && !(labels.values[i] > 0)) arrays.refuse("labels", "holds a weight of 0 or less");
    }
    index_.build(points_, spec_.space, pool);
  }

  void predict(const BaselineRows& queries, const ThreadPool& pool, Span<double> mean,
               Span<double>) const override {
    Neighbours found;
    index_.search(queries.points, wanted(), false, pool, found);
    average(found, queries.rows(), {}, pool, mean);
  }

  // One row more is asked for, and the row itself struck out.
  void predict_left_out(Span<const std::int64_t> rows, const ThreadPool& pool,
                        Span<double> mean) const override {
    Neighbours found;
    index_.search(gather(points_, rows), wanted() + 1, false, pool, found);
    average(found, std::ssize(rows), rows, pool, mean);
  }

 protected:
  virtual double weight(double ratio) const = 0;

 private:
  // Rows that a query asks for: its neighbours and, where they taper off, the next one outside.
  std::int64_t wanted() const { return spec_.options.k + (tapered_ ? 1 : 0); }

  // Of those found, the query's own row and what is beyond `k` are left out.
  void average(const Neighbours& found, std::int64_t queries, Span<const std::int64_t> own,
               const ThreadPool& pool, Span<double> mean) const {
    constexpr std::int64_t kBlock = 512;
    pool.for_blocks(queries, kBlock, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t q = begin; q < end; ++q) {
        const std::int64_t first = q * found.k;
        std::int64_t self = found.k;  // where among those found
        for (std::int64_t j = 0; j < found.k && !own.empty(); ++j) {
          if (found.rows[first + j] == own[q]) self = j;
        }
        const std::int64_t others = self < found.k ? found.k - 1 : found.k;
        mean[q] = average_of(others, [&](std::int64_t j) {
          const std::int64_t e = first + (j < self ? j : j + 1);
          return Neighbour{found.rows[e], found.distances[e]};
        });
      }
    });
  }

  struct Neighbour {
    std::int64_t row;
    double distance;
  };
  // Of the first `k` of so many others; one(j) is number j, nearest first.
  template <class One>
  double average_of(std::int64_t others, One&& one) const {
    const std::int64_t k = std::min(spec_.options.k, others);
    Taper taper;  // all count in full, unless there is one outside
    taper.inner = std::numeric_limits<double>::infinity();
    if (tapered_ && others > k)
      taper = Taper::of(k, [&](std::int64_t j) { return one(j).distance; });
    const double nearest = k > 0 ? one(0).distance : 0;
    double sum = 0, total = 0;
    bool on_top = false;  // training points stand at this very place
    for (std::int64_t j = 0; j < k; ++j) {
      const auto [row, d] = one(j);
      if (on_top && d > 0) break;  // neighbours come nearest first
      on_top = d == 0 && !bounded_;
      double w = on_top || bounded_ ? 1.0 : weight(d / nearest) * taper(d);
      if (!row_weights_.empty()) w *= row_weights_[row];
      sum += w * labels_[row];
      total += w;
    }
    return sum / total;
  }

  BaselineSpec spec_;
  bool bounded_, tapered_;
  Array<Point> points_;
  Array<double> labels_, row_weights_;
  NearestIndex index_;
};

}  // namespace pegnn
