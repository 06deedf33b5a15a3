#pragma once
// Rows of a made-up field, and a dense oracle for what is computed from neighbours.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/philox.h"
#include "base/thread_pool.h"
#include "baseline/baseline.h"
#include "baseline/covariance.h"
#include "baseline/local_gaussian.h"
#include "linalg/cholesky.h"

namespace pegnn::test {

struct SpatialRows {
  std::vector<Point> points;
  std::vector<double> features;  // rows x feature_count
  std::int64_t feature_count = 0;
  std::vector<double> target;
  std::vector<double> weight = {};  // empty: all alike

  BaselineRows rows() const {
    return {points,
            {features.data(), static_cast<std::int64_t>(points.size()), feature_count},
            target,
            weight};
  }
  SpatialRows picked(const std::vector<std::size_t>& which) const {
    SpatialRows out;
    out.feature_count = feature_count;
    const auto width = static_cast<std::ptrdiff_t>(feature_count);
    for (const std::size_t i : which) {
      out.points.push_back(points[i]);
      if (!target.empty()) out.target.push_back(target[i]);
      if (!weight.empty()) out.weight.push_back(weight[i]);
      const auto first = features.begin() + static_cast<std::ptrdiff_t>(i) * width;
      out.features.insert(out.features.end(), first, first + width);
    }
    return out;
  }
};

// Covariances of rows in the plane, noise on the diagonal.   out: n x n
inline std::vector<double> covariances(const std::vector<Point>& points,
                                       const SpatialModel& model) {
  const std::size_t n = points.size();
  std::vector<double> out(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double d = std::hypot(points[i].x - points[j].x, points[i].y - points[j].y);
      out[i * n + j] = model.sill * correlation(model.kernel, d / model.range);
    }
    out[i * n + i] += model.nugget;
  }
  return out;
}

// Points in the unit square and a draw of the process there, features uniform in [-1, 1) with
// coefficients 1, 2, ...; every `repeat`-th row stands where the row before it does (0: none).
inline SpatialRows simulate(std::size_t n, const SpatialModel& model, std::int64_t feature_count,
                            std::size_t repeat, std::uint64_t seed) {
  const Rng rng{seed, Stream::sample};
  SpatialRows out;
  out.feature_count = feature_count;
  for (std::size_t i = 0; i < n; ++i) {
    out.points.push_back({rng.uniform(1, i), rng.uniform(2, i)});
    if (repeat > 0 && i > 0 && i % repeat == 0) out.points[i] = out.points[i - 1];
  }
  SpatialModel field = model;
  field.nugget = 1e-9 * model.sill;  // for the factor to exist where rows coincide
  std::vector<double> factor = covariances(out.points, field);
  const ThreadPool pool(1);
  const auto size = static_cast<std::int64_t>(n);
  EXPECT_TRUE(cholesky(pool, {factor.data(), size, size}));
  for (std::size_t i = 0; i < n; ++i) {
    double y = std::sqrt(model.nugget) * rng.normal(3, i);
    for (std::size_t j = 0; j <= i; ++j) y += factor[i * n + j] * rng.normal(4, j);
    for (std::int64_t f = 0; f < feature_count; ++f) {
      out.features.push_back(2 * rng.uniform(5 + static_cast<std::uint64_t>(f), i) - 1);
      y += static_cast<double>(f + 1) * out.features.back();
    }
    out.target.push_back(y);
  }
  return out;
}

// Solves a x = b for any regular a by elimination with row pivots.   a: n x n, b: n
inline std::vector<double> solve(std::vector<double> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t j = 0; j < n; ++j) {
    std::size_t best = j;
    for (std::size_t i = j; i < n; ++i) {
      if (std::abs(a[i * n + j]) > std::abs(a[best * n + j])) best = i;
    }
    for (std::size_t c = 0; c < n; ++c) std::swap(a[j * n + c], a[best * n + c]);
    std::swap(b[j], b[best]);
    for (std::size_t i = j + 1; i < n; ++i) {
      const double f = a[i * n + j] / a[j * n + j];
      for (std::size_t c = j; c < n; ++c) a[i * n + c] -= f * a[j * n + c];
      b[i] -= f * b[j];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t c = i + 1; c < n; ++c) b[i] -= a[i * n + c] * b[c];
    b[i] /= a[i * n + i];
  }
  return b;
}

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// A baseline made with options, fitted and asked.
struct Asked {
  std::vector<double> mean, deviation;
};

class Fitted {
 public:
  Fitted(const BaselineEntry& entry, Options options, const SpatialRows& data,
         const ColumnScale& target = {}, Space space = Space::plane, int threads = 1)
      : pool_(threads) {
    // As if for a row more, so that k may be all of them.
    entry.resolve(options, static_cast<std::int64_t>(data.points.size()) + 1);
    baseline = entry.make({options, space, data.feature_count, {target}});
    const RunSettings run;
    FitProgress progress(run);
    baseline->fit(data.rows(), {}, pool_, progress);
  }

  Asked ask(const SpatialRows& queries) const {
    Asked out{std::vector<double>(queries.points.size()),
              std::vector<double>(queries.points.size())};
    BaselineRows rows = queries.rows();
    rows.target = {};
    baseline->predict(rows, pool_, out.mean, out.deviation);
    return out;
  }
  std::vector<double> left_out(const std::vector<std::int64_t>& rows) const {
    std::vector<double> mean(rows.size());
    baseline->predict_left_out(rows, pool_, mean);
    return mean;
  }

  std::unique_ptr<Baseline> baseline;

 private:
  ThreadPool pool_;
};

}  // namespace pegnn::test
