#include "baseline/places.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace pegnn {
namespace {

TEST(Places, InThePlaneAreTheCoordinates) {
  for (const Space space : {Space::plane, Space::degrees}) {
    const Place p = place_of(space, {3, -4});
    EXPECT_EQ(p.x, 3);
    EXPECT_EQ(p.y, -4);
    EXPECT_EQ(p.z, 0);
  }
}

TEST(Places, OnTheSphereStandOnTheGlobeInMetres) {
  const Place equator = place_of(Space::sphere, {0, 0});
  EXPECT_EQ(equator.x, kEarthRadiusMetres);
  EXPECT_EQ(equator.y, 0);
  EXPECT_EQ(equator.z, 0);
  EXPECT_EQ(place_of(Space::sphere, {90, 0}).y, kEarthRadiusMetres);
  EXPECT_EQ(place_of(Space::sphere, {123, -90}).z, -kEarthRadiusMetres);
  // A quarter of the way around: the chord is the square root of two radii long.
  EXPECT_NEAR(std::sqrt(squared_distance(equator, place_of(Space::sphere, {90, 0}))),
              std::sqrt(2.0) * kEarthRadiusMetres, 1e-6);
}

TEST(Places, AreOneHoweverTheyAreWritten) {
  EXPECT_EQ(
      squared_distance(place_of(Space::sphere, {180, 12}), place_of(Space::sphere, {-180, 12})), 0);
  EXPECT_EQ(squared_distance(place_of(Space::sphere, {5, 90}), place_of(Space::sphere, {-60, 90})),
            0);
}

TEST(Places, DistanceUsesAllThreeCoordinates) {
  EXPECT_EQ(squared_distance({1, 2, 3}, {3, 5, 9}), 4 + 9 + 36);
}

TEST(Sites, TakeRowsAtOnePlaceTogetherInTheOrderOfTheirFirst) {
  const std::vector<Point> points{{5, 5}, {1, 1}, {5, 5}, {9, 9}, {5, 5}, {1, 1}};
  const std::vector<double> labels{1, 10, 2, 7, 6, 20};
  const Sites sites = merge_coincident(Space::plane, points, labels);
  EXPECT_EQ(sites.size(), 3);
  EXPECT_EQ(sites.points, (std::vector<Point>{{5, 5}, {1, 1}, {9, 9}}));
  EXPECT_EQ(sites.counts, (std::vector<double>{3, 2, 1}));
  EXPECT_EQ(sites.site_of, (std::vector<std::int32_t>{0, 1, 0, 2, 0, 1}));
  EXPECT_DOUBLE_EQ(sites.labels[0], 3);
  EXPECT_DOUBLE_EQ(sites.labels[1], 15);
  EXPECT_DOUBLE_EQ(sites.labels[2], 7);
}

TEST(Sites, KnowThatTheAntimeridianAndThePolesAreOnePlace) {
  const std::vector<Point> points{{180, 0}, {10, 90}, {-180, 0}, {-170, 90}, {179.9, 0}};
  const Sites sites = merge_coincident(Space::sphere, points, std::vector<double>(5, 1.0));
  EXPECT_EQ(sites.site_of, (std::vector<std::int32_t>{0, 1, 0, 1, 2}));
  EXPECT_EQ(merge_coincident(Space::degrees, points, std::vector<double>(5, 1.0)).size(), 5);
}

TEST(Sites, OfEqualLabelsHaveExactlyThatLabel) {
  const std::vector<Point> points(7, Point{2, 3});
  const Sites sites = merge_coincident(Space::plane, points, std::vector<double>(7, 0.1));
  EXPECT_EQ(sites.size(), 1);
  EXPECT_EQ(sites.labels[0], 0.1);
  EXPECT_EQ(sites.counts[0], 7);
}

}  // namespace
}  // namespace pegnn
