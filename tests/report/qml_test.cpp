#include "report/qml.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "report/colour.h"
#include "support/markup.h"

namespace pegnn {
namespace {

using testing_report::holds_no_number;
using testing_report::markup_fault;
using testing_report::occurrences;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// QGIS 3.22 itself has read styles made by these functions; here is what it depends on.

TEST(Qml, StyleOfARasterRunsFromLowToHighInOurColours) {
  const std::string style = raster_qml({.knots = {{-12.5, 0}, {842.25, 1}}, .band = 2});
  EXPECT_EQ(markup_fault(style), "");
  EXPECT_NE(style.find("type=\"singlebandpseudocolor\" band=\"2\" alphaBand=\"-1\""), style.npos);
  EXPECT_NE(style.find("classificationMin=\"-12.5\" classificationMax=\"842.25\""), style.npos);
  EXPECT_NE(style.find("colorRampType=\"INTERPOLATED\""), style.npos);
  EXPECT_NE(style.find("<item value=\"-12.5\" label=\"-12.5\" color=\"#440154\""), style.npos);
  EXPECT_NE(style.find("<item value=\"842.25\" label=\"842.2\" color=\"#fde725\""), style.npos);
  EXPECT_NE(style.find("value=\"414.875\" label=\"414.9\" color=\"" + hex(sequential(0.5))),
            style.npos);
}

TEST(Qml, StyleOfARasterFadesByABandWhereThereIsOne) {
  const std::string style = raster_qml({.knots = {{0, 0}, {1, 1}}, .opacity_band = 5});
  EXPECT_EQ(markup_fault(style), "");
  EXPECT_NE(style.find("band=\"1\" alphaBand=\"5\""), style.npos);
}

TEST(Qml, StyleOfARasterFollowsTheCourseOfItsValues) {
  const std::string style =
      raster_qml({.knots = {{1, 0}, {2, 0.5}, {100, 1}}, .colour = uncertainty});
  EXPECT_EQ(markup_fault(style), "");
  EXPECT_NE(style.find("<item value=\"2\" label=\"2\" color=\"" + hex(uncertainty(0.5))),
            style.npos);
  EXPECT_NE(style.find("<item value=\"100\" label=\"100\" color=\"" + hex(uncertainty(1))),
            style.npos);
  // A sixth of the colours, a third of the way from 1 to 2.
  EXPECT_NE(style.find("label=\"1.333\" color=\"" + hex(uncertainty(3.0 / 18))), style.npos);
  // A knot between two of the colours told anyhow is told too.
  EXPECT_NE(raster_qml({.knots = {{1, 0}, {2, 0.51}, {100, 1}}}).find("<item value=\"2\""),
            style.npos);
}

TEST(Qml, ColumnsOfAnyNameAreEscaped) {
  const std::string style = lisa_qml("a<b> & \"c\" é");
  EXPECT_EQ(markup_fault(style), "");
  EXPECT_NE(style.find("attr=\"a&lt;b&gt; &amp; &quot;c&quot; é\""), style.npos);
}

TEST(Qml, StyleOfLocalMoranHasACategoryForEveryWord) {
  const std::string style = lisa_qml();
  EXPECT_EQ(markup_fault(style), "");
  EXPECT_NE(style.find("type=\"categorizedSymbol\" attr=\"cluster\""), style.npos);
  for (const char* word : {"HH", "LL", "LH", "HL", "ns"}) {
    EXPECT_EQ(occurrences(style, "value=\"" + std::string(word) + "\""), 1) << word;
  }
  EXPECT_EQ(occurrences(style, "<symbol "), 5);
}

TEST(Qml, RangesThatAreNoneBecomeOnes) {
  const auto range = [](double lo, double hi) { return raster_qml({.knots = {{lo, 0}, {hi, 1}}}); };
  for (const std::string& style : {range(kNaN, kNaN), range(5, kNaN), range(kNaN, 5),
                                   range(-kInfinity, kInfinity), range(3, 3)}) {
    EXPECT_EQ(markup_fault(style), "");
    EXPECT_FALSE(holds_no_number(style));
  }
  EXPECT_EQ(range(9, 4), range(4, 9));
  EXPECT_NE(range(3, 3).find("classificationMin=\"2.7\" classificationMax=\"3.3"),
            std::string::npos);
}

}  // namespace
}  // namespace pegnn
