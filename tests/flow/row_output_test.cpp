#include "flow/row_output.h"

#include <limits>

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/thread_pool.h"
#include "flow/table_input.h"
#include "pegnn/log.h"
#include "support/gdal.h"
#include "support/refused.h"

namespace pegnn {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(RowOutput, RowsGoOutAsTheyCameWithFieldsMore) {
  const test::Folder folder;
  const std::string table = (folder / "places.csv").string();
  write_file(table, "name;lon;lat\n\"a;b\"; 1,50;2\nc;3,0;4\n");
  TableInput input({.table = table}, true);
  input.settle({}, silent_log());
  const Table rows = input.next(kAllRows);

  std::string taken;
  RowOutput out("-", {}, false, [&](std::string_view text) { taken += text; });
  EXPECT_TRUE(out.needs_text(table));
  const std::vector<AddedColumn> added{
      {.name = "pred", .values = {0.5, kNan}, .digits = 3},
      {.name = "fold", .kind = AddedColumn::Kind::integer, .values = {kNan, 2}},
      {.name = "kind", .kind = AddedColumn::Kind::text, .texts = {"HH", "x;y"}}};
  out.begin(input, added, silent_log());
  out.append(rows, added, ThreadPool(2));
  out.commit(silent_log());
  EXPECT_EQ("name;lon;lat;pred;fold;kind\n\"a;b\"; 1,50;2;0,5;;HH\nc;3,0;4;;2;\"x;y\"\n", taken);
}

TEST(RowOutput, NothingIsWrittenToNoPlace) {
  const RowOutput out("", {}, false);
  EXPECT_FALSE(out.wanted());
  EXPECT_FALSE(out.needs_text("places.csv"));
}

TEST(RowOutput, AFormatNeedsAFile) {
  EXPECT_EQ("--of GPKG needs a file to write to, by -o",
            test::refusal([] { RowOutput("-", {.format = "GPKG"}, false); }));
  EXPECT_EQ("--co goes with vector files (.gpkg, .geojson, ...)",
            test::refusal([] { RowOutput("out.csv", {.creation = {"A=B"}}, false); }));
}

}  // namespace
}  // namespace pegnn
