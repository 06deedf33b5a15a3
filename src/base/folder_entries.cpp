#include "base/folder_entries.h"

#include <cerrno>
#include <cstdint>
#include <cstring>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace pegnn {
namespace {

// As the kernel hands them out.
struct Entry {
  std::uint64_t inode;
  std::int64_t next;
  unsigned short length;
  unsigned char kind;
  char name[1];
};

constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;

void remove_entry(int parent, const char* name) noexcept {
  if (::unlinkat(parent, name, 0) == 0 || (errno != EISDIR && errno != EPERM)) return;
  const int folder = ::openat(parent, name, kFolder);
  if (folder < 0) return;
  FolderEntries entries(folder);
  while (const char* inside = entries.next()) remove_entry(folder, inside);
  ::close(folder);
  ::unlinkat(parent, name, AT_REMOVEDIR);
}

bool flush_entry(int parent, const char* name) noexcept;

bool flush_inside(int folder) noexcept {
  FolderEntries entries(folder);
  while (const char* name = entries.next()) {
    if (!flush_entry(folder, name)) return false;
  }
  return !entries.failed();
}

bool flush_entry(int parent, const char* name) noexcept {
  int opened = ::openat(parent, name, kFolder);
  const bool folder = opened >= 0;
  if (!folder) opened = ::openat(parent, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (opened < 0) return false;
  const bool good = folder ? flush_inside(opened) : flush(opened);
  const int reason = errno;
  ::close(opened);
  errno = reason;
  return good;
}

}  // namespace

const char* FolderEntries::next() noexcept {
  for (;;) {
    if (at_ == filled_) {
      filled_ = ::syscall(SYS_getdents64, descriptor_, room_, sizeof room_);
      at_ = 0;
      failed_ = filled_ < 0;
      if (filled_ <= 0) {
        filled_ = 0;
        return nullptr;
      }
    }
    const auto* entry = reinterpret_cast<const Entry*>(room_ + at_);
    at_ += entry->length;
    if (std::strcmp(entry->name, ".") != 0 && std::strcmp(entry->name, "..") != 0) {
      return entry->name;
    }
  }
}

void remove_everything(const char* path) noexcept { remove_entry(AT_FDCWD, path); }

bool flush_everything(const char* folder) noexcept { return flush_entry(AT_FDCWD, folder); }

bool flush(int descriptor) noexcept {
  return ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
}

}  // namespace pegnn
