#include <filesystem>
#include <string>

#include <unistd.h>

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/staged_files.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

class StagedFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("pegnn_staged_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_),
                                                  std::filesystem::directory_iterator()));
  }
  std::filesystem::path folder_;
};

TEST_F(StagedFilesTest, WhatAKilledRunHasLeftOfTheSameFileIsTakenAway) {
  // One of another file and one that is being written stay.
  std::filesystem::create_directories(folder_ / "map.tif.pegnn-99999999.tmp" / "inside");
  write_file(folder_ / "map.tif.pegnn-99999999.tmp" / "inside" / "a", "x");
  std::filesystem::create_directories(folder_ / "other.tif.pegnn-99999999.tmp");
  const StagedFiles written(folder_ / "map.tif");
  { const StagedFiles staged(folder_ / "map.tif"); }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "map.tif.pegnn-99999999.tmp"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "other.tif.pegnn-99999999.tmp"));
  EXPECT_TRUE(std::filesystem::exists(written.staged().parent_path()));
}

TEST_F(StagedFilesTest, WhatWasWrittenBesideTheFileIsKnown) {
  StagedFiles files(folder_ / "a.tif");
  write_file(files.staged(), "new");
  write_file(files.staged().string() + ".aux.xml", "beside");
  files.commit();
  EXPECT_TRUE(files.wrote(folder_ / "a.tif.aux.xml"));
  EXPECT_FALSE(files.wrote(folder_ / "a.tif.ovr"));
}

TEST_F(StagedFilesTest, AFileAndItsCompanionsAppearTogether) {
  write_file(folder_ / "a.shp", "old");
  StagedFiles files(folder_ / "a.shp");
  EXPECT_EQ("a.shp", files.staged().filename());
  write_file(files.staged(), "new");
  write_file(std::filesystem::path(files.staged()).replace_extension(".dbf"), "beside");
  EXPECT_EQ("old", read_file(folder_ / "a.shp"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a.dbf"));
  files.commit();
  EXPECT_EQ("new", read_file(folder_ / "a.shp"));
  EXPECT_EQ("beside", read_file(folder_ / "a.dbf"));
}

TEST_F(StagedFilesTest, WhatIsNotCommittedLeavesNothingAndKeepsTheOld) {
  write_file(folder_ / "a.shp", "old");
  {
    StagedFiles files(folder_ / "a.shp");
    write_file(files.staged(), "half");
    EXPECT_EQ(2U, entries());
  }
  EXPECT_EQ("old", read_file(folder_ / "a.shp"));
  EXPECT_EQ(1U, entries());
}

TEST_F(StagedFilesTest, NothingIsLeftBesideTheFilesAfterACommit) {
  {
    StagedFiles files(folder_ / "a");
    write_file(files.staged(), "new");
    files.commit();
  }
  EXPECT_EQ(1U, entries());
}

TEST_F(StagedFilesTest, ALinkStaysALink) {
  write_file(folder_ / "target", "old");
  std::filesystem::create_symlink("target", folder_ / "link");
  StagedFiles files(folder_ / "link");
  write_file(files.staged(), "new");
  files.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link"));
  EXPECT_EQ("new", read_file(folder_ / "target"));
}

TEST_F(StagedFilesTest, AFolderThatIsNotThereIsAResourceErrorThatNamesTheFile) {
  try {
    const StagedFiles files(folder_ / "absent" / "a");
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(ErrorKind::resource, e.kind());
    EXPECT_NE(std::string(e.what()).find("absent"), std::string::npos) << e.what();
  }
  EXPECT_EQ(0U, entries());
}

TEST_F(StagedFilesTest, NothingWrittenIsAnErrorAndKeepsTheOld) {
  write_file(folder_ / "a", "old");
  {
    StagedFiles files(folder_ / "a");
    EXPECT_THROW(files.commit(), Error);
  }
  EXPECT_EQ("old", read_file(folder_ / "a"));
  EXPECT_EQ(1U, entries());
}

}  // namespace
}  // namespace pegnn
