#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/folder_entries.h"
#include "base/leftovers.h"

namespace pegnn {
namespace {

namespace fs = std::filesystem;

class LeftoversTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("pegnn_leftovers_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  void touch(const fs::path& name) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << "x";
  }
  std::set<std::string> names() const {
    std::set<std::string> found;
    const int descriptor = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY);
    FolderEntries entries(descriptor);
    while (const char* name = entries.next()) found.insert(name);
    EXPECT_FALSE(entries.failed());
    ::close(descriptor);
    return found;
  }
  fs::path folder_;
};

TEST_F(LeftoversTest, EveryNameOfALargeFolderIsSeenOnce) {
  std::set<std::string> made;
  for (int i = 0; i < 500; ++i) {
    made.insert("a file with a long name, so that several looks are needed " + std::to_string(i));
  }
  for (const std::string& name : made) touch(name);
  EXPECT_EQ(made, names());
}

TEST_F(LeftoversTest, AFolderThatIsNoneFails) {
  FolderEntries entries(-1);
  EXPECT_EQ(nullptr, entries.next());
  EXPECT_TRUE(entries.failed());
}

TEST_F(LeftoversTest, OnlyTemporariesOfOurFilesAreTakenAway) {
  for (const char* name :
       {"one.json.pegnn-77.tmp", "two.json.pegnn-77-3.tmp", "three.csv.pegnn-77.tmp", "one.json",
        "one.json.tmp", "one.json.77.tmp"}) {
    touch(name);
  }
  remove_leftovers_in(folder_, [](std::string_view name) { return name.ends_with(".json"); });
  EXPECT_EQ((std::set<std::string>{"one.json", "one.json.tmp", "one.json.77.tmp",
                                   "three.csv.pegnn-77.tmp"}),
            names());
}

TEST_F(LeftoversTest, ATemporaryThatIsLockedStays) {
  touch("a.csv.pegnn-77.tmp");
  const int descriptor = ::open((folder_ / "a.csv.pegnn-77.tmp").c_str(), O_RDWR);
  EXPECT_TRUE(lock_temporary(descriptor));
  remove_leftovers(folder_ / "a.csv");
  EXPECT_EQ(1U, names().size());
  ::close(descriptor);
  remove_leftovers(folder_ / "a.csv");
  EXPECT_EQ(0U, names().size());
}

TEST_F(LeftoversTest, AFolderIsRemovedWithWhatIsInItAndLinksAreNotFollowed) {
  touch("kept/a");
  touch("gone/b");
  touch("gone/deep/er/c");
  fs::create_directory_symlink(folder_ / "kept", folder_ / "gone" / "link");
  remove_everything((folder_ / "gone").c_str());
  EXPECT_EQ(std::set<std::string>{"kept"}, names());
  EXPECT_TRUE(fs::exists(folder_ / "kept" / "a"));
  remove_everything((folder_ / "absent").c_str());
}

}  // namespace
}  // namespace pegnn
