#include "flow/vector_place.h"

#include <gtest/gtest.h>

#include "support/gdal.h"

namespace pegnn {
namespace {

TEST(VectorPlace, IsKnownByEndingFolderOrConnection) {
  const test::Folder folder;
  EXPECT_TRUE(is_vector_place("houses.GPKG"));
  EXPECT_TRUE(is_vector_place("PG:dbname=city"));
  EXPECT_TRUE(is_vector_place((folder / "").string()));
  EXPECT_FALSE(is_vector_place("-"));
  EXPECT_FALSE(is_vector_place("houses.csv"));
  EXPECT_FALSE(is_vector_place(".gpkg"));
  EXPECT_FALSE(has_vector_ending("PG:dbname=city"));
}

}  // namespace
}  // namespace pegnn
