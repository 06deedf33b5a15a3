#pragma once
// What is in a folder, and what is done with all of it. Nothing here asks for memory: it cleans up
// when there is none, and the standard library's iterators end the process where they get none.

#include <cstddef>

namespace pegnn {

// The names in a folder, in any order, without "." and "..".
class FolderEntries {
 public:
  // `descriptor` is of the folder, opened for reading, and stays the caller's.
  explicit FolderEntries(int descriptor) noexcept : descriptor_(descriptor) {}
  // Null at the end; good until the next call. Entries may be removed meanwhile.
  const char* next() noexcept;
  // True when the end was no end: errno said why.
  bool failed() const { return failed_; }

 private:
  int descriptor_;
  bool failed_ = false;
  long filled_ = 0, at_ = 0;
  alignas(std::max_align_t) char room_[4096];
};

// Removes a file, or a folder with all that is in it, as far as that is possible.
void remove_everything(const char* path) noexcept;

// Flushes every file in the folder, and in those in it, to the disk. False with errno set when one
// cannot be.
bool flush_everything(const char* folder) noexcept;

// Flushes what `descriptor` is open on; true where that is not known to the file system.
bool flush(int descriptor) noexcept;

}  // namespace pegnn
