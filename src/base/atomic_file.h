#pragma once
// Files that appear whole or not at all.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace pegnn {

// Writes `bytes` to `file`: into a temporary file in the same folder, flushed to the disk, then
// renamed over the old one. On any failure the temporary is removed, the old file is untouched, and
// an Error{resource} names the file and the reason. A device or a pipe is written to as it is.
void write_file(const std::filesystem::path& file, std::string_view bytes);

// The whole file. Error{resource} when it cannot be opened or read.
std::string read_file(const std::filesystem::path& file);

// A file, a pipe or a device read from front to back. Errors as in `read_file`.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& file);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  // Puts up to `room` > 0 bytes at `out` and says how many; 0 means the end.
  std::size_t read(char* out, std::size_t room);
  // Of a file; what comes from a pipe or a device is not known beforehand.
  std::optional<std::uint64_t> size() const { return size_; }

 private:
  [[noreturn]] void fail(const char* reason) const;

  std::string name_;
  int descriptor_;
  std::optional<std::uint64_t> size_;
};

// A file written bit by bit that appears under its name only on `commit()`. Destroyed before that,
// it leaves nothing behind.
class AtomicFile {
 public:
  // `advice` ends the message of a failure: what the user can do about it.
  explicit AtomicFile(std::filesystem::path file,
                      const char* advice = "choose another place with -o");
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::string_view bytes);
  void commit();

 private:
  [[noreturn]] void fail(const char* doing) const;

  std::filesystem::path file_, temporary_;  // no temporary: the file is a device or a pipe
  const char* advice_;
  int descriptor_ = -1;
};

}  // namespace pegnn
