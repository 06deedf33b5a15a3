#include "table/dataset.h"

#include <cmath>

#include <gtest/gtest.h>

#include "pegnn/error.h"
#include "pegnn/log.h"

namespace pegnn {
namespace {

using Texts = std::vector<std::string>;
using Values = std::vector<double>;
using Rows = std::vector<std::int64_t>;

class DatasetLog : public Log {
 public:
  void note(std::string_view text) override { notes.emplace_back(text); }
  void warn(std::string_view text) override { warnings.emplace_back(text); }
  void detail(std::string_view text) override { details.emplace_back(text); }
  Texts notes, warnings, details;
};

struct Case {
  std::string bytes;
  ColumnChoice choice = {};
  Space space = Space::sphere;
  MissingRows missing = MissingRows::refuse;
};

Dataset make(const Case& c, Log& log = silent_log()) {
  const Table table = parse_table(c.bytes, "t.csv");
  const Roles roles = resolve_roles(table, c.choice, silent_log());
  return make_dataset(table, roles, c.space, c.missing, log);
}

std::string error_of(const Case& c, ErrorKind kind = ErrorKind::data) {
  try {
    make(c);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "no error";
}

TEST(Dataset, TakesPointsFeaturesAndTargetRowByRow) {
  const Dataset data = make({"a,lat,y,lon,b\n1,10,100,20,5\n2,11,200,21,6\n", {.target = "y"}});
  EXPECT_EQ(data.rows(), 2);
  EXPECT_EQ(data.features(), 2);
  EXPECT_EQ(data.points, (std::vector<Point>{{20, 10}, {21, 11}}));
  EXPECT_EQ(data.space, Space::sphere);
  EXPECT_EQ(data.feature_names, (Texts{"a", "b"}));
  EXPECT_EQ(data.x, (Values{1, 5, 2, 6}));
  EXPECT_EQ(data.y, (Values{100, 200}));
  EXPECT_EQ(data.table_rows, (Rows{0, 1}));
}

TEST(Dataset, WithoutATargetYIsEmpty) {
  const Dataset data = make({"lon,lat,a\n1,2,3\n", {.no_features = true}});
  EXPECT_TRUE(data.y.empty());
  EXPECT_TRUE(data.x.empty());
  EXPECT_EQ(data.features(), 0);
  EXPECT_EQ(data.rows(), 1);
}

TEST(Dataset, ALatitudePastThePoleIsRefusedWithTheHint) {
  EXPECT_EQ(error_of({"lon,lat\n1,90\n2,-90\n3,97.31\n"}),
            "t.csv, line 4, column 'lat': 97.31 is outside [-90, 90]; are longitude and latitude "
            "swapped? (--lon, --lat); projected coordinates go by --x, --y");
}

TEST(Dataset, ALongitudeOutsideTheCircleIsRefused) {
  EXPECT_NE(error_of({"lon,lat\n-180.5,9\n"})
                .find("line 2, column 'lon': -180.5 is outside [-180, "
                      "360]"),
            std::string::npos);
  EXPECT_NE(error_of({"lon,lat\n361,9\n"}).find("361 is outside"), std::string::npos);
}

TEST(Dataset, LongitudesAbove180AreWrappedAndNotedOnce) {
  DatasetLog log;
  const Dataset data = make({"lon,lat\n-180,0\n180,1\n180.5,2\n359,3\n360,4\n"}, log);
  EXPECT_EQ(data.points[0].x, -180);
  EXPECT_EQ(data.points[1].x, 180);
  EXPECT_EQ(data.points[2].x, -179.5);
  EXPECT_EQ(data.points[3].x, -1);
  EXPECT_EQ(data.points[4].x, 0);
  EXPECT_EQ(log.notes, Texts{"3 longitudes above 180 degrees are taken as west of Greenwich (minus "
                             "360)"});
}

TEST(Dataset, ProjectedCoordinatesMayBeAnyNumber) {
  const Dataset data = make({"x,y\n500000,4649776\n-1e7,0\n", {}, Space::plane});
  EXPECT_EQ(data.points[0], (Point{500000, 4649776}));
  EXPECT_EQ(data.points[1], (Point{-1e7, 0}));
}

TEST(Dataset, ProjectedCoordinatesHaveNoGreatCircle) {
  EXPECT_NE(error_of({"x,y\n1,2\n"}, ErrorKind::usage).find("needs --lon and --lat"),
            std::string::npos);
}

TEST(Dataset, MissingAndInfiniteValuesAreRefusedWithTheirLines) {
  EXPECT_EQ(error_of({"lon,lat,v\n1,2,3\n1,2,\n,2,3\n1,2,3\n1,2,-inf\n", {.target = "v"}}),
            "t.csv: 3 rows have a missing or infinite value: line 3 (column 'v'), line 4 (column "
            "'lon'), line 6 (column 'v'); --drop-na leaves these rows out");
  EXPECT_EQ(error_of({"lon,lat,v\n1,2,NA\n"}).find("no error"), 0U);  // v has no values: left out
  EXPECT_EQ(error_of({"lon,lat,v\n1,2,NA\n1,2,3\n"}),
            "t.csv: 1 row has a missing or infinite value: line 2 (column 'v'); --drop-na leaves "
            "these rows out");
}

TEST(Dataset, OnlyTheFirstFiveLinesAreListed) {
  std::string bytes = "lon,lat,v\n1,2,3\n";
  for (int i = 0; i < 1200; ++i) bytes += "1,2,\n";
  const std::string message = error_of({bytes});
  EXPECT_NE(message.find("1,200 rows have"), std::string::npos) << message;
  EXPECT_NE(message.find("line 7 (column 'v'), ...; --drop-na"), std::string::npos) << message;
}

TEST(Dataset, RowsWithMissingValuesCanBeLeftOut) {
  DatasetLog log;
  const Dataset data = make({"lon,lat,v\n1,2,3\n1,2,\n5,6,7\ninf,2,3\n",
                             {.target = "v"},
                             Space::sphere,
                             MissingRows::drop},
                            log);
  EXPECT_EQ(data.y, (Values{3, 7}));
  EXPECT_EQ(data.points[1], (Point{5, 6}));
  EXPECT_EQ(data.table_rows, (Rows{0, 2}));
  EXPECT_EQ(log.notes, Texts{"t.csv: 2 of 4 rows left out for missing or infinite values"});
  EXPECT_TRUE(log.warnings.empty());
}

TEST(Dataset, LeavingOutMoreThanHalfTheRowsIsAWarning) {
  DatasetLog log;
  make({"lon,lat,v\n1,2,3\n1,2,\n5,6,\n", {.target = "v"}, Space::sphere, MissingRows::drop}, log);
  EXPECT_EQ(log.warnings, Texts{"t.csv: 2 of 3 rows left out for missing or infinite values"});
}

TEST(Dataset, ARowLeftOutMayHaveAnyLatitude) {
  const Case c{"lon,lat,v\n1,2,3\n1,99,\n", {.target = "v"}, Space::sphere, MissingRows::drop};
  EXPECT_EQ(make(c).rows(), 1);
}

TEST(Dataset, NoRowsAreRefused) {
  EXPECT_EQ(error_of({"lon,lat,v\n"}),
            "t.csv: no data rows; below the header one line for each point is expected");
  EXPECT_EQ(error_of({"lon,lat,v\n1,2,\n", {.target = "v"}, Space::sphere, MissingRows::drop}),
            "t.csv: no data rows without missing or infinite values");
}

TEST(Dataset, RowsThatShareAPlaceAreCounted) {
  DatasetLog log;
  make({"lon,lat\n1,2\n1,2\n0,0\n-0,0\n2,1\n1,2\n"}, log);
  EXPECT_EQ(log.details, Texts{"6 rows at 3 places; 3 rows repeat an earlier place"});
}

TEST(Dataset, NamesOfTheOtherCoordinateGiveAWarning) {
  DatasetLog log;
  make({"lon,lat\n1,2\n", {.lon = "lat", .lat = "lon"}}, log);
  EXPECT_EQ(log.warnings, Texts{"the longitude is taken from column 'lat' and the latitude from "
                                "'lon'; are --lon and --lat swapped?"});
  log.warnings.clear();
  make({"lon,lat\n1,2\n"}, log);
  EXPECT_TRUE(log.warnings.empty());
}

TEST(Dataset, ASubsetKeepsTheGivenOrder) {
  const Dataset data =
      make({"lon,lat,a,b,v\n1,2,3,4,5\n6,7,8,9,10\n11,12,13,14,15\n", {.target = "v"}});
  const Dataset part = subset(data, Rows{2, 0});
  EXPECT_EQ(part.points, (std::vector<Point>{{11, 12}, {1, 2}}));
  EXPECT_EQ(part.x, (Values{13, 14, 3, 4}));
  EXPECT_EQ(part.y, (Values{15, 5}));
  EXPECT_EQ(part.table_rows, (Rows{2, 0}));
  EXPECT_EQ(part.feature_names, data.feature_names);
  EXPECT_EQ(part.space, data.space);
  EXPECT_EQ(subset(data, Rows{}).rows(), 0);
}

TEST(Dataset, ASubsetWithoutFeaturesOrTargetIsPointsAlone) {
  const Dataset data = make({"x,y\n1,2\n3,4\n", {}, Space::plane});
  const Dataset part = subset(data, Rows{1});
  EXPECT_EQ(part.points, (std::vector<Point>{{3, 4}}));
  EXPECT_TRUE(part.x.empty());
  EXPECT_TRUE(part.y.empty());
  EXPECT_EQ(part.space, Space::plane);
}

}  // namespace
}  // namespace pegnn
