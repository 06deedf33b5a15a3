#include "flow/scheme.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "pegnn/log.h"
#include "support/gdal.h"
#include "support/refused.h"
#include "support/tables.h"

namespace pegnn {
namespace {

WasGiven given(std::vector<std::string_view> names) {
  return [names = std::move(names)](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
}

TEST(SettleScheme, AShareIsHeldOutOnce) {
  SchemeRequest request;
  settle_scheme(request, given({}));
  EXPECT_EQ(5, request.settings.folds);
  settle_scheme(request, given({"test-share"}));
  EXPECT_EQ(1, request.settings.folds);
}

TEST(SettleScheme, RefusesWhatWouldBeIgnored) {
  const auto refused = [](SchemeRequest request, std::vector<std::string_view> names) {
    return test::refusal([&] { settle_scheme(request, given(std::move(names))); });
  };
  EXPECT_EQ("--test-rows says which rows are held out; leave out --folds",
            refused({.test_rows = "rows.txt"}, {"folds"}));
  EXPECT_EQ("--block-km goes with --scheme block", refused({}, {"block-km"}));
  EXPECT_EQ("--test-share holds out rows once, --folds in turn; give one of them",
            refused({}, {"test-share", "folds"}));
}

TEST(SettleScheme, AFoldColumnHasAFoldForEachValueUnlessTheirNumberIsSaid) {
  SchemeRequest request;
  request.settings.fold_column = "year";
  settle_scheme(request, given({"fold-column"}));
  EXPECT_EQ(kFoldPerValue, request.settings.folds);
  request.settings.folds = 3;
  settle_scheme(request, given({"fold-column", "folds"}));
  EXPECT_EQ(3, request.settings.folds);
  settle_scheme(request, given({"fold-column", "test-share"}));
  EXPECT_EQ(1, request.settings.folds);
}

TEST(SettleScheme, RefusesTwoWordsForWhatIsHeldOut) {
  const auto refused = [](const std::string& scheme, const std::string& column,
                          std::vector<std::string_view> names) {
    SchemeRequest request;
    request.settings.scheme = scheme;
    request.settings.fold_column = column;
    return test::refusal([&] { settle_scheme(request, given(std::move(names))); });
  };
  EXPECT_EQ("--fold-column says which rows are held out; leave out --scheme",
            refused("block", "year", {"fold-column", "scheme"}));
  EXPECT_EQ("--fold-column says which rows are held out; leave out --block-size",
            refused("random", "year", {"fold-column", "block-size"}));
  EXPECT_EQ("--block-size goes with --scheme block", refused("knndm", "", {"block-size"}));
  EXPECT_EQ("--places goes with --scheme knndm", refused("block", "", {"places"}));
  for (const char* name : {"test-share", "buffer-km", "buffer-size"}) {
    EXPECT_EQ(std::string("--scheme knndm matches how far the rows held out in all folds lie from "
                          "the others; leave out --") +
                  name,
              refused("knndm", "", {name}));
  }
  EXPECT_EQ("--test-rows says which rows are held out; leave out --fold-column", test::refusal([] {
              SchemeRequest request{.test_rows = "rows.txt"};
              settle_scheme(request, given({"fold-column"}));
            }));
}

class Silent final : public Log {
 public:
  void note(std::string_view) override {}
  void warn(std::string_view) override {}
  void detail(std::string_view) override {}
};

EvaluateSettings settings_of(const SchemeRequest& request, const Roles& roles) {
  Silent log;
  return evaluate_settings(request, test::smooth_table(10), roles, true, log);
}

TEST(EvaluateSettings, LengthsInKilometresHaveTheUnitOfTheCoordinates) {
  Roles roles = test::smooth_roles();
  const SchemeRequest said{.block = {.km = 50}, .buffer = {.km = 2}};
  EXPECT_EQ(50'000, settings_of(said, roles).block_size);
  EXPECT_EQ(2'000, settings_of(said, roles).buffer);
  roles.geographic = false;
  roles.crs = {.wkt = "feet", .name = "feet", .geographic = false, .metres_per_unit = 0.3048};
  EXPECT_DOUBLE_EQ(50'000 / 0.3048, settings_of(said, roles).block_size);
  EXPECT_EQ(70, settings_of({.block = {.size = 70}}, roles).block_size);
  EXPECT_TRUE(settings_of({}, roles).drop_missing);
}

TEST(EvaluateSettings, KilometresOfAnUnknownUnitAreRefused) {
  Roles roles = test::smooth_roles();
  roles.geographic = false;
  const auto refused = [&](const SchemeRequest& said) {
    return test::refusal([&] { settings_of(said, roles); });
  };
  EXPECT_EQ(
      "--block-km 30: what lon, lat (projected) are in is not known, so nobody can say how "
      "much a kilometre is. Say it by --crs (--crs EPSG:...), or give --block-size in the "
      "table's own unit: 30000 if that is metres",
      refused({.block = {.km = 30}}));
  EXPECT_EQ(0u, refused({.buffer = {.km = 0.5}}).find("--buffer-km 0.5: what"));
  EXPECT_EQ(30, settings_of({.block = {.size = 30}}, roles).block_size);
  EXPECT_EQ("--block-km and --block-size say the same in two units; give one of them",
            refused({.block = {.km = 30, .size = 2}}));
  roles.geographic = true;
  EXPECT_EQ(
      "--buffer-size is in the unit of x and y, but lon, lat (degrees) are longitude and "
      "latitude; give --buffer-km",
      refused({.buffer = {.size = 30}}));
}

TEST(EvaluateSettings, PlacesAreReadFromTheirTable) {
  const test::Folder folder;
  const std::string file = (folder / "places.csv").string();
  write_file(file, "lon,lat,name\n11,46,a\n,,b\n12,47,c\n");
  const auto places = settings_of({.places = file}, test::smooth_roles()).places;
  EXPECT_EQ((std::vector<Point>{{11, 46}, {12, 47}}), places);
  write_file(file, "lon,lat\n,\n");
  EXPECT_NE(
      std::string::npos,
      test::refusal([&] { settings_of({.places = file}, test::smooth_roles()); }, ErrorKind::data)
          .find("holds no places"));
  write_file(file, "lon,lat\n11,99\n");
  EXPECT_NE(
      std::string::npos,
      test::refusal([&] { settings_of({.places = file}, test::smooth_roles()); }, ErrorKind::data)
          .find("longitude 11, latitude 99 is no place"));
}

TEST(EvaluateSettings, TestRowsAreReadFromTheirFile) {
  const test::Folder folder;
  write_file(folder / "rows.txt", "3\n0\n");
  const EvaluateSettings settings =
      settings_of({.test_rows = (folder / "rows.txt").string()}, test::smooth_roles());
  EXPECT_EQ(2u, settings.test_rows.size());
}

}  // namespace
}  // namespace pegnn
