#pragma once
// Files that other libraries write, often several for one name, and that appear together when they
// are done.

#include <filesystem>
#include <vector>

namespace pegnn {

// A folder beside the place of a file, in which the file and its companions are written under their
// own names. Destroyed before `commit`, it leaves nothing behind.
class StagedFiles {
 public:
  // Takes away what killed runs have left of the same file. Error{resource} when the folder cannot
  // be made there.
  explicit StagedFiles(std::filesystem::path file);
  StagedFiles(const StagedFiles&) = delete;
  StagedFiles& operator=(const StagedFiles&) = delete;
  ~StagedFiles();

  // Where the file will be: what a link of its name leads to.
  const std::filesystem::path& file() const { return file_; }
  // Where to write: the file's own name, in the folder.
  const std::filesystem::path& staged() const { return staged_; }
  // Everything in the folder is flushed to the disk and takes its place, the file itself last.
  // Error{resource} when one cannot be flushed or moved; what was there before is kept until its
  // successor takes its place.
  void commit();
  // Whether `commit` has put a file of this name beside it.
  bool wrote(const std::filesystem::path& companion) const;

 private:
  void create_folder();
  [[noreturn]] void fail(const char* doing) const;

  std::filesystem::path file_, folder_, staged_;
  int descriptor_ = -1;  // of the folder: holds the lock that says it is in use
  std::vector<std::filesystem::path> written_;
};

}  // namespace pegnn
