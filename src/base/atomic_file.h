#pragma once
// Files that appear whole or not at all.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <list>
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
// it leaves nothing behind. What killed processes left of the same file is taken away.
class AtomicFile {
 public:
  // `advice` ends the message of a failure: what the user can do about it.
  explicit AtomicFile(std::filesystem::path file,
                      const char* advice = "choose another place with <option:out>");
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::string_view bytes);
  // All of it is on the disk, though not yet under its name: files that belong together are all
  // settled before the first of them is committed.
  void settle();
  // Settles what is not, and gives it its name. Asks for no memory unless it fails.
  void commit();

 private:
  void create_temporary();
  [[noreturn]] void fail(const char* doing) const;

  std::filesystem::path file_, folder_;
  std::filesystem::path temporary_;  // none: the file is a device or a pipe
  const char* advice_;
  int descriptor_ = -1;
  bool settled_ = false, committed_ = false;
};

// Several files of one run: all are on the disk before the first of them appears under its name.
class FilesTogether {
 public:
  // Valid until `commit`.
  AtomicFile& add(const std::filesystem::path& file);
  void add(const std::filesystem::path& file, std::string_view bytes) { add(file).write(bytes); }
  void commit();

 private:
  std::list<AtomicFile> files_;
};

}  // namespace pegnn
