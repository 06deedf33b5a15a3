#include "report/colour.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace pegnn {
namespace {

TEST(ReportColour, SequentialBrightensAllTheWay) {
  for (int i = 1; i <= 200; ++i) {
    EXPECT_GT(luminance(sequential(i / 200.0)), luminance(sequential((i - 1) / 200.0))) << i;
  }
  EXPECT_EQ(hex(sequential(0)), "#440154");
  EXPECT_EQ(hex(sequential(1)), "#fde725");
}

TEST(ReportColour, UncertaintyDarkensAllTheWayAndIsNoneOfTheOthers) {
  for (int i = 1; i <= 200; ++i) {
    EXPECT_LT(luminance(uncertainty(i / 200.0)), luminance(uncertainty((i - 1) / 200.0))) << i;
  }
  EXPECT_EQ(hex(uncertainty(0)), hex(uncertainty(-1)));
  EXPECT_EQ(hex(uncertainty(1)), hex(uncertainty(2)));
  // No colour of one is near a colour of the other.
  for (int i = 0; i <= 100; ++i) {
    for (int j = 0; j <= 100; ++j) {
      const Rgb a = uncertainty(i / 100.0), b = sequential(j / 100.0);
      EXPECT_GT(std::hypot(a.r - b.r, a.g - b.g, a.b - b.b), 0.1) << i << ' ' << j;
    }
  }
}

TEST(ReportColour, DivergingWeighsBothSidesTheSame) {
  for (const Ground ground : {Ground::light, Ground::dark}) {
    for (int i = 0; i <= 50; ++i) {
      const double low = luminance(diverging(i / 100.0, ground));
      const double high = luminance(diverging(1 - i / 100.0, ground));
      // Equal in Oklab lightness is not quite equal in luminance; 3 would be readable contrast.
      const double contrast = (std::max(low, high) + 0.05) / (std::min(low, high) + 0.05);
      EXPECT_LT(contrast, 1.15) << i;
    }
  }
}

TEST(ReportColour, DivergingRecedesInTheMiddle) {
  for (int i = 1; i <= 50; ++i) {
    const double nearer = i / 100.0, farther = (i - 1) / 100.0;
    for (const bool mirrored : {false, true}) {
      const auto at = [&](double t) { return mirrored ? 1 - t : t; };
      EXPECT_GT(luminance(diverging(at(nearer))), luminance(diverging(at(farther)))) << nearer;
      EXPECT_LT(luminance(diverging(at(nearer), Ground::dark)),
                luminance(diverging(at(farther), Ground::dark)))
          << nearer;
    }
  }
}

TEST(ReportColour, DivergingIsBlueBelowNeutralAtZeroRedAbove) {
  for (const Ground ground : {Ground::light, Ground::dark}) {
    const Rgb low = diverging(0, ground), middle = diverging(0.5, ground),
              high = diverging(1, ground);
    EXPECT_GT(low.b, low.r + 0.2);
    EXPECT_GT(high.r, high.b + 0.2);
    EXPECT_NEAR(middle.r, middle.b, 0.01);
  }
}

TEST(ReportColour, LevelsCoverTheRangeAndStopAtItsEnds) {
  const Range range{-2, 2};
  EXPECT_EQ(colour_level(-2, range), 0);
  EXPECT_EQ(colour_level(0, range), kColourLevels / 2);
  EXPECT_EQ(colour_level(2, range), kColourLevels - 1);
  EXPECT_EQ(colour_level(-1e300, range), 0);
  EXPECT_EQ(colour_level(1e300, range), kColourLevels - 1);
  EXPECT_EQ(colour_level(std::numeric_limits<double>::quiet_NaN(), range), 0);
  EXPECT_EQ(colour_level(7, {7, 7}), kColourLevels / 2);
}

TEST(ReportColour, StyleSheetNamesEveryLevel) {
  for (const Ground ground : {Ground::light, Ground::dark}) {
    const std::string css = palette_css(ground);
    for (int level = 0; level < kColourLevels; ++level) {
      for (const ColourMap map : {ColourMap::sequential, ColourMap::diverging}) {
        EXPECT_NE(css.find("." + level_class(map, level) + "{color:#"), std::string::npos) << level;
      }
    }
  }
}

}  // namespace
}  // namespace pegnn
