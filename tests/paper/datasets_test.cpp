// The four data sets of the paper, as far as they are at hand, and what is said of their entries.

#include "paper/datasets.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "pegnn/error.h"
#include "pegnn/log.h"

namespace pegnn {
namespace {

std::filesystem::path data_folder() {
  if (const char* given = std::getenv("PEGNN_DATA")) return given;
  return PEGNN_SOURCE_DIR "/../shared/data";
}

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

TEST(Datasets, ThePreparedFilesHoldTheKnownValues) {
  if (!std::filesystem::exists(data_folder())) {
    GTEST_SKIP() << "shared/data is not here; set PEGNN_DATA";
  }
  for (const DatasetEntry* entry : datasets()) {
    SCOPED_TRACE(entry->name);
    const PaperData data = load_dataset(*entry, data_folder(), silent_log());
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
