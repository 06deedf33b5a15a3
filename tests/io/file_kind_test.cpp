#include "io/file_kind.h"

#include <gtest/gtest.h>

#include "io/csv_reader.h"
#include "pegnn/error.h"
#include "pegnn/table.h"

namespace pegnn {
namespace {

using namespace std::string_view_literals;

TEST(FileKind, OtherKindsOfFilesAreKnownByTheirFirstBytes) {
  EXPECT_TRUE(other_kind("PK\x03\x04rest")->starts_with("a ZIP archive or a spreadsheet"));
  EXPECT_TRUE(other_kind("SQLite format 3\0rest"sv)->ends_with(".gpkg"));
  EXPECT_TRUE(other_kind("PAR1\x15\x04")->starts_with("Parquet"));
  EXPECT_TRUE(other_kind("II*\0"sv)->starts_with("a TIFF image"));
  EXPECT_TRUE(other_kind("\x28\xB5\x2F\xFD")->starts_with("packed by zstd"));
}

TEST(FileKind, JsonIsKnownByWhatFollowsItsBracket) {
  for (const char* const json : {R"({"type": "FeatureCollection"})", "[{\"a\": 1}]", "[[1, 2]]",
                                 "\xEF\xBB\xBF \n{\n  \"a\": 1}", "[1, 2]", "{}", "[-1]"}) {
    EXPECT_TRUE(other_kind(json)->starts_with("JSON")) << json;
  }
}

TEST(FileKind, WebPagesAreKnownInAnyCase) {
  for (const char* const page : {"<!DOCTYPE html>", "<html>", "<?xml version=\"1.0\"?>", "<KML>"}) {
    EXPECT_TRUE(other_kind(page)->starts_with("XML or a web page")) << page;
  }
}

TEST(FileKind, NamesInBracketsBeginATable) {
  for (const char* const table :
       {"", " ", "a,b", "[lon],[lat]", "{lon},{lat}", "<lon>,<lat>", "\"a\"", "[", "{", "PK,a",
        "1,2", "PAR1,lon", "BZh,lon", "ARROW1,lon", "[1],[2]", "[-1];lat"}) {
    EXPECT_FALSE(other_kind(table)) << table;
  }
}

TEST(FileKind, TheReaderOfTablesSaysWhatTheFileIs) {
  try {
    parse_table("{\"type\": \"FeatureCollection\"}", "points.csv");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_STREQ(error.what(),
                 "points.csv is no table of text but JSON; give GeoJSON its ending .geojson, or "
                 "save the table as CSV");
  }
}

TEST(FileKind, IsToldAlikeHoweverFewBytesAreReadAtATime) {
  for (const std::size_t at_a_time : {1U, 3U, 1000U}) {
    try {
      const CsvReader reader(memory_bytes("[\n\n4, 5\n]\n"), "points.csv", {}, at_a_time);
      FAIL() << at_a_time;
    } catch (const Error& error) {
      EXPECT_NE(std::string_view(error.what()).find("JSON"), std::string_view::npos) << at_a_time;
    }
  }
}

}  // namespace
}  // namespace pegnn
