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
