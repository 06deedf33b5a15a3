#include "flow/map_request.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/refused.h"

namespace pegnn {
namespace {

TEST(ParseBox, TakesFourNumbers) {
  const Extent box = parse_box({"120", "-40", "-70", "40.5"});
  EXPECT_EQ(120, box.west);
  EXPECT_EQ(-40, box.south);
  EXPECT_EQ(-70, box.east);
  EXPECT_EQ(40.5, box.north);
  EXPECT_EQ("--bbox has 3 numbers; write xmin,ymin,xmax,ymax", test::refusal([] {
              parse_box({"1", "2", "3"});
            }));
  EXPECT_EQ("--bbox 1,2,3,east: 'east' is not a number; write xmin,ymin,xmax,ymax",
            test::refusal([] {
              parse_box({"1", "2", "3", "east"});
            }));
}

TEST(ParseCell, TakesOneOrTwo) {
  EXPECT_EQ(40, parse_cell({"40"}).y);
  EXPECT_EQ(20, parse_cell({"40", "20"}).y);
  EXPECT_EQ("--res 0: must be positive", test::refusal([] { parse_cell({"0"}); }));
  test::refusal([] { parse_cell({"1", "2", "3"}); });
}

TEST(ParseSize, TakesBothWaysOfWriting) {
  EXPECT_EQ(800, parse_size({"800x600"}).width);
  EXPECT_EQ(600, parse_size({"800", "600"}).height);
  for (const std::vector<std::string>& bad :
       {std::vector<std::string>{"800"}, {"800x"}, {"0x5"}, {"1", "2", "3"}, {"1.5x2"}}) {
    test::refusal([&] { parse_size(bad); });
  }
}

TEST(ParseNodata, IsWhatAFloatHolds) {
  EXPECT_EQ(-9999, parse_nodata("-9999"));
  EXPECT_TRUE(std::isnan(parse_nodata("NaN")));
  EXPECT_EQ(static_cast<double>(0.1F), parse_nodata("0.1"));
  for (const char* bad : {"1e39", "1e-60", "none"}) test::refusal([&] { parse_nodata(bad); });
}

TEST(ParseCovariates, ComeInTheOrderOfTheFeatures) {
  const auto found = parse_covariates({"age=city.tif#3", "slope=slope.tif"}, {"slope", "age"});
  ASSERT_EQ(2u, found.size());
  EXPECT_EQ("slope.tif", found[0].place);
  EXPECT_EQ(1, found[0].band);
  EXPECT_EQ("city.tif", found[1].place);
  EXPECT_EQ(3, found[1].band);
  EXPECT_EQ("city.tif", first_raster({"age=city.tif#3"}));
}

TEST(ParseCovariates, NameWhatIsMissingUnknownOrTwice) {
  const auto refused = [](const std::vector<std::string>& words,
                          const std::vector<std::string>& features) {
    return test::refusal([&] { parse_covariates(words, features); });
  };
  EXPECT_EQ("--covariates names 'a' twice", refused({"a=1.tif", "a=2.tif"}, {"a"}));
  EXPECT_EQ("--covariates: the model has no features; it needs no covariates",
            refused({"a=1.tif"}, {}));
  EXPECT_NE(std::string::npos, refused({"slop=1.tif"}, {"slope"}).find("slope"));
  EXPECT_NE(std::string::npos, refused({}, {"slope", "age"}).find("slope=FILE.tif,age=FILE.tif"));
  EXPECT_NE(std::string::npos, refused({"slope"}, {"slope"}).find("write FEATURE=RASTER"));
  EXPECT_NE(std::string::npos, refused({"slope=a.tif#0"}, {"slope"}).find("number of a band"));
}

}  // namespace
}  // namespace pegnn
