#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

class AtomicFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("pegnn_atomic_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_),
                                                  std::filesystem::directory_iterator()));
  }
  std::filesystem::path folder_;
};

TEST_F(AtomicFileTest, WhatIsWrittenIsRead) {
  std::string bytes(100'000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 31);
  write_file(folder_ / "a", bytes);
  EXPECT_EQ(bytes, read_file(folder_ / "a"));
  write_file(folder_ / "a", "");
  EXPECT_EQ("", read_file(folder_ / "a"));
  EXPECT_EQ(1U, files());
}

TEST_F(AtomicFileTest, AFileThatIsNotCommittedLeavesNothingAndKeepsTheOld) {
  write_file(folder_ / "a", "old");
  {
    AtomicFile out(folder_ / "a");
    out.write("half of the new");
  }
  EXPECT_EQ("old", read_file(folder_ / "a"));
  EXPECT_EQ(1U, files());
}

TEST_F(AtomicFileTest, WhatAKilledRunHasLeftOfTheSameFileIsTakenAway) {
  for (const char* name :
       {"a.pegnn-123.tmp", "a.pegnn-123-4.tmp", "b.pegnn-123.tmp", "a.b.pegnn-123.tmp", "a.tmp",
        "a.pegnn-12x.tmp", "a.123.tmp", "a.pegnn-1-.tmp"}) {
    std::ofstream(folder_ / name) << "half";
  }
  write_file(folder_ / "a", "new");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a.pegnn-123.tmp"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a.pegnn-123-4.tmp"));
  EXPECT_EQ(7U, files());  // of other files, or not ours
}

TEST_F(AtomicFileTest, TwoThatWriteTheSameFileDoNotShareATemporary) {
  AtomicFile one(folder_ / "a");
  one.write("one");
  AtomicFile other(folder_ / "a");
  other.write("the other");
  EXPECT_EQ(2U, files());
  other.commit();
  EXPECT_EQ("the other", read_file(folder_ / "a"));
  one.commit();
  EXPECT_EQ("one", read_file(folder_ / "a"));
  EXPECT_EQ(1U, files());
}

TEST_F(AtomicFileTest, OfFilesThatBelongTogetherNoneAppearsUnlessAllCan) {
  write_file(folder_ / "a", "old");
  {
    FilesTogether together;
    together.add(folder_ / "a", "new");
    EXPECT_THROW(together.add(folder_ / "absent" / "b", "new"), Error);
  }
  EXPECT_EQ("old", read_file(folder_ / "a"));
  EXPECT_EQ(1U, files());
  FilesTogether together;
  together.add(folder_ / "a", "new");
  together.add(folder_ / "b", "new");
  EXPECT_EQ("old", read_file(folder_ / "a"));
  together.commit();
  EXPECT_EQ("new", read_file(folder_ / "a"));
  EXPECT_EQ("new", read_file(folder_ / "b"));
  EXPECT_EQ(2U, files());
}

TEST_F(AtomicFileTest, FailuresAreResourceErrorsThatNameTheFile) {
  for (const auto& path : {folder_ / "absent" / "a", folder_}) {
    try {
      write_file(path, "x");
      FAIL() << "no error for " << path;
    } catch (const Error& e) {
      EXPECT_EQ(ErrorKind::resource, e.kind());
      EXPECT_NE(std::string(e.what()).find(path.string()), std::string::npos) << e.what();
    }
  }
  EXPECT_EQ(0U, files());
  try {
    read_file(folder_);
    FAIL() << "a folder was read";
  } catch (const Error& e) {
    EXPECT_EQ(ErrorKind::resource, e.kind());
  }
}

}  // namespace
}  // namespace pegnn
