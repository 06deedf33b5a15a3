#include "io/connection.h"

#include <gtest/gtest.h>

namespace pegnn {
namespace {

TEST(Connection, IsAWordAndAColonOrAFileSystemOfGdal) {
  for (const char* place : {"PG:dbname=city", "postgresql://host/base", "/vsizip/a.zip"}) {
    EXPECT_TRUE(is_connection(place)) << place;
  }
  for (const char* place : {"", "t.gpkg", "C:/t.gpkg", "./PG:x", "my data: old.gpkg", ":x"}) {
    EXPECT_FALSE(is_connection(place)) << place;
  }
}

}  // namespace
}  // namespace pegnn
