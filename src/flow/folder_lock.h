#pragma once
// Two runs must not write into one folder at the same time.

#include <filesystem>

namespace pegnn {

// Holds the folder, which is there, for its lifetime. Error{resource} when another run does.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

 private:
  int descriptor_;
};

}  // namespace pegnn
