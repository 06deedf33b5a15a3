#include "evaluate/leaks.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/philox.h"

namespace pegnn {
namespace {

Dataset rows_at(std::vector<Point> points) {
  Dataset data;
  data.points = std::move(points);
  for (std::int64_t i = 0; i < data.points.size(); ++i) {
    data.y.push_back(static_cast<double>(i));
    data.table_rows.push_back(i);
  }
  return data;
}

// One feature, made from the target; the target is random.
Dataset with_feature(
    std::size_t rows, double (*feature)(double y, std::size_t row),
    double (*target)(double y) = [](double y) { return y; }) {
  const Rng rng{3, Stream::sample};
  Dataset data = rows_at(std::vector<Point>(rows, Point{0, 0}));
  data.feature_names = {"copy"};
  for (std::size_t i = 0; i < rows; ++i) {
    data.y[i] = target(rng.normal(1, i));
    data.x.push_back(feature(data.y[i], i));
  }
  return data;
}

TEST(Coincidence, CountsHeldOutRowsAtThePlaceOfATrainingRow) {
  const Dataset data = rows_at({{1, 1}, {1, 1}, {2, 2}, {3, 3}, {3, 3}, {3, 3}});
  const std::string warning = coincidence_warning(data, true, {{{0, 3}, {1, 2, 4, 5}}});
  EXPECT_NE(warning.find("3 of 4 held-out rows (75 %)"), std::string::npos) << warning;
  EXPECT_NE(warning.find("<option:scheme> block"), std::string::npos);
}

TEST(Coincidence, IsSeenHoweverAPlaceIsWritten) {
  const Dataset data = rows_at({{180, 5}, {-180, 5}, {10, 90}, {-77, 90}});
  EXPECT_NE(coincidence_warning(data, true, {{{0, 2}, {1, 3}}}).find("2 of 2"), std::string::npos);
  EXPECT_EQ(coincidence_warning(data, false, {{{0, 2}, {1, 3}}}), "");
}

TEST(Coincidence, OfARowInAThousandIsNotWorthAWord) {
  std::vector<Point> points = {{1, 1}, {1, 1}};
  Split fold{{0}, {1}};
  for (std::int64_t i = 2; i < 1001; ++i) {
    points.push_back({static_cast<double>(i) / 10, 50});
    fold.test.push_back(i);
  }
  EXPECT_EQ(coincidence_warning(rows_at(points), true, {fold}), "");
  fold.test.pop_back();
  EXPECT_NE(coincidence_warning(rows_at(points), true, {fold}), "");
}

TEST(Coincidence, OnOneSideOfTheSplitIsNoLeak) {
  const Dataset data = rows_at({{1, 1}, {1, 1}, {2, 2}, {2, 2}});
  EXPECT_EQ(coincidence_warning(data, true, {{{0, 1}, {2, 3}}}), "");
  EXPECT_EQ(coincidence_warning(rows_at({}), true, {}), "");
}

TEST(Copies, ALinearOneIsNamed) {
  const auto found =
      copy_warnings(with_feature(50, [](double y, std::size_t) { return 7 - 3 * y; }));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find("'copy' copies the target"), std::string::npos);
  EXPECT_NE(found[0].find("<option:features>"), std::string::npos);
}

TEST(Copies, AMonotoneOneIsFoundByItsOrder) {
  const auto found =
      copy_warnings(with_feature(50, [](double y, std::size_t) { return std::exp(4 * y); }));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find("order"), std::string::npos);
}

TEST(Copies, OtherNumbersForTheSameClassesAreFound) {
  const auto codes = [](double y, std::size_t) { return y == 0 ? 5.0 : y == 1 ? 9.0 : 2.0; };
  const auto classes = [](double y) { return y < -0.4 ? 0.0 : y < 0.4 ? 1.0 : 2.0; };
  EXPECT_EQ(copy_warnings(with_feature(60, codes, classes)).size(), 1U);
}

TEST(Copies, AUsefulFeatureIsNoCopy) {
  const auto useful = [](double y, std::size_t row) {
    return y + 0.2 * Rng{9, Stream::sample}.normal(1, row);
  };
  EXPECT_TRUE(copy_warnings(with_feature(200, useful)).empty());
  const auto number = [](double, std::size_t row) { return static_cast<double>(row * 7919 % 200); };
  EXPECT_TRUE(copy_warnings(with_feature(200, number)).empty());
}

TEST(Copies, ConstantColumnsAndFewRowsAreNoSign) {
  const auto same = [](double y, std::size_t) { return y; };
  EXPECT_TRUE(copy_warnings(with_feature(50, same, [](double) { return 4.0; })).empty());
  EXPECT_TRUE(copy_warnings(with_feature(50, [](double, std::size_t) { return 4.0; })).empty());
  EXPECT_TRUE(copy_warnings(with_feature(9, same)).empty());
  EXPECT_TRUE(copy_warnings(rows_at({})).empty());
}

}  // namespace
}  // namespace pegnn
