#pragma once
// Tests that need the GDAL module say so where a build has none; folders of their own for files.

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "io/gdal.h"

#define PEGNN_NEEDS_GDAL() \
  if (!has_gdal()) GTEST_SKIP() << "this build has no GDAL module"

namespace pegnn::test {

// An empty folder that goes with the test.
class Folder {
 public:
  Folder() {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path(::testing::TempDir()) /
            (std::string("pegnn_") + info->test_suite_name() + "_" + info->name());
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  // How many files and folders lie in it.
  std::int64_t entries() const {
    return std::distance(std::filesystem::directory_iterator(path_), {});
  }

 private:
  std::filesystem::path path_;
};

}  // namespace pegnn::test
