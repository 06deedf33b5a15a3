#include "flow/scheme.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/atomic_file.h"
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

TEST(EvaluateSettings, BlocksHaveTheUnitOfTheCoordinates) {
  const Table table = test::smooth_table(10);
  Roles roles = test::smooth_roles();
  EXPECT_EQ(50'000, evaluate_settings({.block_km = 50}, table, roles, false).block_size);
  roles.geographic = false;
  EXPECT_EQ(50, evaluate_settings({.block_km = 50}, table, roles, false).block_size);
  EXPECT_TRUE(evaluate_settings({}, table, roles, true).drop_missing);
}

TEST(EvaluateSettings, TestRowsAreReadFromTheirFile) {
  const test::Folder folder;
  write_file(folder / "rows.txt", "3\n0\n");
  const EvaluateSettings settings =
      evaluate_settings({.test_rows = (folder / "rows.txt").string()}, test::smooth_table(10),
                        test::smooth_roles(), false);
  EXPECT_EQ(2u, settings.test_rows.size());
}

}  // namespace
}  // namespace pegnn
