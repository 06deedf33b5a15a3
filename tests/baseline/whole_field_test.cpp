#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "baseline/whole_field.h"
#include "support/spatial_rows.h"

namespace pegnn {
namespace {

constexpr SpatialModel kModel{Covariance::exponential, 0.3, 2.0, 0.5};
constexpr SpatialModel kExact{Covariance::exponential, 0.3, 2.0, 0.0};

// Observations at places of their own, some of which stand for several rows.
struct Field {
  SpatialModel model;
  bool local_mean;
  Array<Point> points;
  Array<Place> places;
  Array<double> residuals, counts;

  Field(const SpatialModel& m, bool with_mean, std::size_t n) : model(m), local_mean(with_mean) {
    const test::SpatialRows rows = test::simulate(n, kModel, 0, 0, 5);
    for (std::size_t i = 0; i < n; ++i) {
      points.push_back(rows.points[i]);
      residuals.push_back(rows.target[i]);
      counts.push_back(i % 4 == 0 ? 3.0 : 1.0);
    }
    places = places_of(Space::plane, points);
  }

  WholeField whole(int threads = 1) const {
    return {model, local_mean, places, residuals, counts, ThreadPool(threads)};
  }

  Field without(std::int64_t i) const {
    Field f = *this;
    f.points.erase(f.points.begin() + i);
    f.places.erase(f.places.begin() + i);
    f.residuals.erase(f.residuals.begin() + i);
    f.counts.erase(f.counts.begin() + i);
    return f;
  }

  // The bordered system, solved by elimination for this query alone; in units of sill + nugget.
  WholeField::Others krige(const Place& query) const {
    const Correlations r(model.kernel, model.range, model.share());
    const auto n = static_cast<std::size_t>(places.size()), m = n + (local_mean ? 1U : 0U);
    std::vector<double> a(m * m, 1.0), right(m, 1.0);
    if (local_mean) a[m * m - 1] = 0;
    const auto at = [&](std::size_t i) { return static_cast<std::int64_t>(i); };
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        a[i * m + j] = i == j ? r.own(counts[at(i)]) : r(places[at(i)], places[at(j)]);
      }
      right[i] = r(places[at(i)], query);
    }
    const std::vector<double> weights = test::solve(a, right);
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) mean += weights[i] * residuals[at(i)];
    return {mean, 1 - test::dot(weights, right)};
  }
};

const Field kFields[] = {{kModel, true, 37}, {kModel, false, 37}, {kExact, true, 37}, {kModel, true, 1}};

Array<Place> queries(std::size_t n) {
  const Rng rng{3, Stream::sample};
  Array<Point> points;
  for (std::size_t i = 0; i < n; ++i)
    points.push_back({1.4 * rng.uniform(0, i) - 0.2, 1.4 * rng.uniform(1, i) - 0.2});
  return places_of(Space::plane, points);
}

TEST(WholeField, IsTheBorderedSystem) {
  for (const Field& field : kFields) {
    const Array<Place> asked = queries(40);
    Array<double> mean(asked.size()), variance(asked.size());
    const WholeField whole = field.whole();
    whole.predict(asked, ThreadPool(1), mean, variance);
    for (std::int64_t q = 0; q < asked.size(); ++q) {
      const WholeField::Others want = field.krige(asked[q]);
      EXPECT_NEAR(mean[q], want.mean, 1e-10);
      EXPECT_NEAR(variance[q], want.variance, 1e-10);
    }
  }
}

TEST(WholeField, WithoutNoiseAnObservationIsWhatItSays) {
  const Field field(kExact, true, 37);
  const WholeField whole = field.whole();
  Array<double> mean(field.places.size()), variance(field.places.size());
  whole.predict(field.places, ThreadPool(1), mean, variance);
  for (std::int64_t i = 0; i < field.places.size(); ++i) {
    EXPECT_EQ(mean[i], field.residuals[i]);
    EXPECT_EQ(variance[i], 0);
  }
}

TEST(WholeField, AQueryDoesNotDependOnTheOthersNorOnThreads) {
  const Field field(kModel, true, 200);
  const Array<Place> asked = queries(700);
  Array<double> mean(asked.size()), variance(asked.size());
  const WholeField whole = field.whole(3);
  whole.predict(asked, ThreadPool(3), mean, variance);
  const WholeField again = field.whole(1);
  for (const std::int64_t q : {0, 15, 16, 255, 256, 650, 699}) {
    double m = 0, v = 0;
    again.predict(Span(asked).subspan(q, 1), ThreadPool(1), {&m, 1}, {&v, 1});
    EXPECT_EQ(m, mean[q]);
    EXPECT_EQ(v, variance[q]);
  }
  Array<double> alone(asked.size());
  again.predict(asked, ThreadPool(2), alone, {});
  EXPECT_EQ(alone, mean);
}

TEST(WholeField, WhatTheOthersSayIsAFieldWithoutTheObservation) {
  for (const Field& field : kFields) {
    if (field.places.size() == 1) continue;
    const Array<WholeField::Others> others = field.whole().leave_each_out(ThreadPool(2));
    const double noise = field.model.share();
    for (const std::int64_t i : {0, 1, 7, 36}) {
      const WholeField::Others want = field.without(i).krige(field.places[i]);
      EXPECT_NEAR(others[i].mean, want.mean, 1e-9);
      EXPECT_NEAR(others[i].variance, want.variance - noise, 1e-9) << "of the field, without noise";
    }
  }
}

TEST(WholeField, RowsThatNearlyCoincideUnderASmoothCovarianceAreSolvable) {
  Field field({Covariance::gaussian, 3.0, 1.0, 0.0}, true, 60);
  for (std::int64_t i = 1; i < 60; i += 2) {
    field.places[i] = field.places[i - 1];
    field.places[i].x += 1e-9;
  }
  const Array<Place> asked = queries(20);
  Array<double> mean(asked.size()), variance(asked.size());
  field.whole().predict(asked, ThreadPool(1), mean, variance);
  for (std::int64_t q = 0; q < asked.size(); ++q) {
    EXPECT_TRUE(std::isfinite(mean[q]));
    EXPECT_GE(variance[q], 0);
  }
}

}  // namespace
}  // namespace pegnn
