#include <cmath>

#include <gtest/gtest.h>

#include "encoder/encoder.h"
#include "encoder/scales.h"
#include "pegnn/options.h"

namespace pegnn {
namespace {

TEST(Grid, ScalesAreGeometricFromTheFinestToTheCoarsest) {
  const std::vector<double> scales = geometric_scales(3, 0.1, 10);
  EXPECT_NEAR(0.1, scales[0], 1e-15);
  EXPECT_NEAR(1.0, scales[1], 1e-15);
  EXPECT_NEAR(10.0, scales[2], 1e-14);
  EXPECT_EQ(std::vector<double>{0.1}, geometric_scales(1, 0.1, 10));
}

TEST(Grid, TheTransformIsLaidOutByCoordinateThenScaleThenSineAndCosine) {
  Options o;
  o.scales = 2;
  o.sigma_min = 1;
  o.sigma_max = 2;
  const auto encoder = make_encoder<double>(o);
  ASSERT_EQ(8, encoder->basis_width());
  const double c[2] = {0.3, -0.7};
  double out[8];
  encoder->basis(reference::kernels<double>(), ThreadPool(1), {c, 1, 2}, {out, 1, 8});
  const double want[8] = {std::sin(0.3),  std::cos(0.3),  std::sin(0.15),  std::cos(0.15),
                          std::sin(-0.7), std::cos(-0.7), std::sin(-0.35), std::cos(-0.35)};
  for (int i = 0; i < 8; ++i) EXPECT_NEAR(want[i], out[i], 1e-15);
}

TEST(Grid, TheDeepNetworkHasTheWidthsOfThePublishedCode) {
  Options o;
  o.sigma_min = 1e-6;
  o.sigma_max = 360;
  const auto encoder = make_encoder<float>(o);
  ParamLayout layout;
  WorkPlan plan;
  encoder->plan({layout, plan, "encoder"});
  ASSERT_EQ(8U, layout.entries().size());
  const std::int64_t widths[] = {64, 128, 64, 32, 64};
  for (std::size_t l = 0; l < 4; ++l) {
    EXPECT_EQ(widths[l], layout.entries()[2 * l].slot.cols);
    EXPECT_EQ(widths[l + 1], layout.entries()[2 * l].slot.rows);
  }
}

TEST(Grid, NaturalScalesSpanTheSpacingAndTheExtent) {
  const std::vector<Point> points{{0, 0}, {1, 0}, {0, 10}, {1, 10}};
  const ScaleRange range = natural_scales(points, 1.0);
  EXPECT_LT(range.lowest, range.highest);
  EXPECT_NEAR(20.0 / (2 * M_PI), range.highest, 1e-12);
  EXPECT_NEAR(4.0 / (2 * M_PI), range.lowest, 1e-12);
}

TEST(Grid, NaturalScalesOfOnePlaceArePositive) {
  const ScaleRange range = natural_scales(std::vector<Point>(5, Point{3, 4}), 0.0);
  EXPECT_GT(range.lowest, 0);
  EXPECT_GE(range.highest, range.lowest);
}

}  // namespace
}  // namespace pegnn
