// The four data sets of the paper, as far as they are at hand, and what is said of their entries.

#include "paper/datasets.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "paper/sha256.h"
#include "pegnn/error.h"
#include "pegnn/log.h"
#include "support/places.h"

namespace pegnn {
namespace {

TEST(Datasets, TheyStandInTheOrderOfThePaper) {
  ASSERT_EQ(datasets().size(), 4u);
  EXPECT_EQ(datasets()[0]->name, "california-housing");
  EXPECT_EQ(datasets()[1]->name, "election");
  EXPECT_EQ(datasets()[2]->name, "air-temperature");
  EXPECT_EQ(datasets()[3]->name, "3d-road");
  EXPECT_EQ(find_dataset("3d-road").rows, 434874);
}

TEST(Datasets, AnUnknownNameNamesTheNearest) {
  try {
    find_dataset("3d-raod");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find("did you mean '3d-road'?"), std::string::npos)
        << error.what();
  }
}

TEST(Datasets, ThePreparedFilesAreThoseOfTheirReadme) {
  if (!std::filesystem::exists(test::data_folder())) {
    GTEST_SKIP() << "shared/data is not here; set PEGNN_DATA";
  }
  const auto sum = [](const char* name) { return sha256(read_file(test::data_folder() / name)); };
  EXPECT_EQ(sum("california_housing.csv"),
            "94ef369b909f5c725340b512b7c9a05c1550a554b6592d29303990e3ba521a1f");
  EXPECT_EQ(sum("election.csv"),
            "5799e0234625ddd4a5793541b4b7fb089c6a0ad15047acd50940aedaf6716d17");
  EXPECT_EQ(sum("air_temperature.csv"),
            "b661d751781ca47c6af7bbc6be0358f70c79439cce356b83cf668a49d852b325");
  EXPECT_EQ(sum("3d_road_sample5000.csv.gz"),
            "409cb8493f0b77e64288605037a66338e1cd9ba681f33d324577ae92563f9e60");
}

TEST(Datasets, ThePreparedFilesHoldTheKnownValues) {
  if (!std::filesystem::exists(test::data_folder())) {
    GTEST_SKIP() << "shared/data is not here; set PEGNN_DATA";
  }
  for (const DatasetEntry* entry : datasets()) {
    SCOPED_TRACE(entry->name);
    const PaperData data = load_dataset(*entry, test::data_folder(), silent_log());
    EXPECT_TRUE(data.verified);
    EXPECT_EQ(data.entry, entry);
    EXPECT_EQ(data.whole, data.table.rows() == entry->rows);
    EXPECT_TRUE(data.roles.geographic);
    EXPECT_EQ(data.roles.features.size(), entry->features.size());
    const Edition& known = data.whole ? entry->whole : entry->known_part;
    EXPECT_EQ(data.table.rows(), known.rows);
    if (!known.digest.empty()) {
      EXPECT_EQ(value_digest(data.table, *entry), known.digest);
    }
  }
}

}  // namespace
}  // namespace pegnn
