// The index against nanoflann, an independent implementation, on points without ties.

#include <array>
#include <vector>

#include <gtest/gtest.h>
#include <nanoflann.hpp>

#include "geo/nearest.h"
#include "geo/sphere.h"
#include "point_sets.h"

namespace pegnn {
namespace {

// Unit vectors as nanoflann wants to see them.
struct Cloud {
  std::vector<std::array<double, 3>> vectors;

  std::size_t kdtree_get_point_count() const { return vectors.size(); }
  double kdtree_get_pt(std::size_t i, std::size_t d) const { return vectors[i][d]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Cloud>, Cloud,
                                                 3, std::uint32_t>;

void expect_as_nanoflann(const std::vector<Point>& points, std::size_t k) {
  Cloud cloud;
  for (const Point& p : points) {
    const UnitVector v = unit_vector(p);
    cloud.vectors.push_back({v.x, v.y, v.z});
  }
  const Tree tree(3, cloud);
  const ThreadPool pool(1);
  NearestIndex index;
  index.build(points, Space::sphere, pool);
  Neighbours out;
  index.search(points, static_cast<std::int64_t>(k), true, pool, out);

  std::vector<std::uint32_t> rows(k + 1);
  std::vector<double> squared(k + 1);
  for (std::size_t i = 0; i < points.size(); ++i) {
    tree.knnSearch(cloud.vectors[i].data(), k + 1, rows.data(), squared.data());
    ASSERT_EQ(rows[0], i);
    for (std::size_t j = 0; j < k; ++j) {
      ASSERT_EQ(out.rows[i * k + j], static_cast<std::int32_t>(rows[j + 1])) << i << " " << j;
      ASSERT_NEAR(out.distances[i * k + j], great_circle(points[i], points[rows[j + 1]]).value,
                  1e-8);
    }
  }
}

TEST(NearestAgainstNanoflann, AgreesInABox) {
  expect_as_nanoflann(box_points(5000, 21, {8.15, 56.58, 11.2, 57.76}), 5);
}

TEST(NearestAgainstNanoflann, AgreesOverTheGlobe) {
  expect_as_nanoflann(global_points(5000, 22), 5);
}

TEST(NearestAgainstNanoflann, AgreesOnRoads) { expect_as_nanoflann(road_points(5000, 23), 24); }

}  // namespace
}  // namespace pegnn
