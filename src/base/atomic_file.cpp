#include "base/atomic_file.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/core.h>

#include "base/folder_entries.h"
#include "base/leftovers.h"
#include "base/links.h"
#include "base/memory.h"
#include "pegnn/error.h"

namespace pegnn {

AtomicFile::AtomicFile(std::filesystem::path file, const char* advice)
    : file_(std::move(file)), advice_(advice) {
  struct stat info {};
  if (::stat(file_.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
    // A device or a pipe: a file renamed over /dev/null would take its place.
    descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("write");
    return;
  }
  file_ = behind_links(std::move(file_));
  folder_ = file_.has_parent_path() ? file_.parent_path() : std::filesystem::path(".");
  remove_leftovers(file_);
  create_temporary();
}

void AtomicFile::create_temporary() {
  for (int attempt = 0; attempt < kMostTemporaries; ++attempt) {
    temporary_ = temporary_name(file_, attempt);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) {
      if (lock_temporary(descriptor_)) return;
      ::close(descriptor_);
      descriptor_ = -1;
    } else if (errno != EEXIST) {
      break;
    }
  }
  temporary_.clear();
  fail("create");
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  if (!temporary_.empty() && !committed_) ::unlink(temporary_.c_str());
  ::close(descriptor_);
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      fail("write");
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::settle() {
  if (settled_) return;
  if (!flush(descriptor_)) fail("write");
  // Some file systems tell of a full disk as late as when a descriptor is closed. Another one stays
  // open: it holds the lock that says this temporary is in use.
  const int copy = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (copy >= 0 && ::close(copy) != 0) fail("write");
  settled_ = true;
}

void AtomicFile::commit() {
  settle();
  if (temporary_.empty() || committed_) return;
  if (::rename(temporary_.c_str(), file_.c_str()) != 0) fail("write");
  committed_ = true;
  // The rename itself must survive a power cut: flush the folder too.
  const int folder = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    flush(folder);
    ::close(folder);
  }
}

void AtomicFile::fail(const char* doing) const {
  const char* reason = std::strerror(errno);
  throw Error(ErrorKind::resource,
              fmt::format("cannot {} '{}': {}; {}", doing, file_.string(), reason, advice_));
}

AtomicFile& FilesTogether::add(const std::filesystem::path& file) {
  return files_.emplace_back(file);
}

void FilesTogether::commit() {
  for (AtomicFile& file : files_) file.settle();
  for (AtomicFile& file : files_) file.commit();
}

void write_file(const std::filesystem::path& file, std::string_view bytes) {
  AtomicFile out(file);
  out.write(bytes);
  out.commit();
}

InputFile::InputFile(const std::filesystem::path& file)
    : name_(file.string()), descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) fail(std::strerror(errno));
  struct stat info {};
  const char* reason = nullptr;
  if (::fstat(descriptor_, &info) != 0) {
    reason = std::strerror(errno);
  } else if (S_ISDIR(info.st_mode)) {
    reason = "it is a folder";
  } else if (S_ISREG(info.st_mode)) {
    size_ = static_cast<std::uint64_t>(info.st_size);
  }
  if (reason == nullptr) return;
  ::close(descriptor_);
  fail(reason);
}

InputFile::~InputFile() { ::close(descriptor_); }

std::size_t InputFile::read(char* out, std::size_t room) {
  for (;;) {
    const ssize_t got = ::read(descriptor_, out, room);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) fail(std::strerror(errno));
  }
}

void InputFile::fail(const char* reason) const {
  throw Error(ErrorKind::resource, fmt::format("cannot read '{}': {}", name_, reason));
}

std::string read_file(const std::filesystem::path& file) {
  InputFile input(file);
  constexpr std::size_t kFirst = 1 << 16;
  const auto ask = [&](std::size_t size) {
    require_memory(static_cast<double>(size), fmt::format("'{}'", file.string()),
                   "is it the right file?");
    return size;
  };
  std::string bytes(ask(input.size() ? static_cast<std::size_t>(*input.size()) + 1 : kFirst), '\0');
  std::size_t filled = 0;
  while (const std::size_t got = input.read(bytes.data() + filled, bytes.size() - filled)) {
    filled += got;
    if (filled == bytes.size()) bytes.resize(ask(bytes.size() * 2));
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace pegnn
