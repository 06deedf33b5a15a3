// A library to be preloaded (LD_PRELOAD) that makes the n-th request for memory fail, or the n-th
// call that writes; see fault_plan.cpp for how it is told.

#include "fault_plan.h"

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

using pegnn::torture::allocation_fails;
using pegnn::torture::Kind;
using pegnn::torture::write_fault;

// The next definition of the function, found once. Nothing here may ask for memory.
#define REAL(name) \
  static const auto real = reinterpret_cast<decltype(&name)>(::dlsym(RTLD_NEXT, #name))

// ---------------------------------------------------------------------------------------- memory

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);
}

namespace {

void* refused() {
  errno = ENOMEM;
  return nullptr;
}

// As the C++ library's own: a handler may find memory. A request refused once is refused again when
// the handler has it repeated.
template <class Ask>
void* ask_until_refused(std::size_t size, const void* caller, Ask ask) {
  const bool refused_for_good = allocation_fails(size, caller);
  for (bool first = true;; first = false) {
    const bool fails_now = refused_for_good && (first || !pegnn::torture::released_serves(size));
    void* found = fails_now ? nullptr : ask();
    if (found != nullptr) return found;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

// What is given back can be had again (fault_plan.h).
void give_back(void* memory) {
  if (memory != nullptr) pegnn::torture::note_released(::malloc_usable_size(memory));
  __libc_free(memory);
}

}  // namespace

#define CALLER __builtin_return_address(0)

extern "C" {

void* malloc(size_t size) {
  return allocation_fails(size, CALLER) ? refused() : __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  return allocation_fails(count * size, CALLER) ? refused() : __libc_calloc(count, size);
}

void free(void* memory) { give_back(memory); }

void* realloc(void* old, size_t size) {
  return size > 0 && allocation_fails(size, CALLER) ? refused() : __libc_realloc(old, size);
}

void* memalign(size_t alignment, size_t size) {
  return allocation_fails(size, CALLER) ? refused() : __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  return allocation_fails(size, CALLER) ? refused() : __libc_memalign(alignment, size);
}

int posix_memalign(void** out, size_t alignment, size_t size) {
  void* found = allocation_fails(size, CALLER) ? nullptr : __libc_memalign(alignment, size);
  if (found == nullptr) return ENOMEM;
  *out = found;
  return 0;
}

}  // extern "C"

void* operator new(std::size_t size) {
  return ask_until_refused(size, CALLER, [=] { return __libc_malloc(size > 0 ? size : 1); });
}
void* operator new[](std::size_t size) {
  return ask_until_refused(size, CALLER, [=] { return __libc_malloc(size > 0 ? size : 1); });
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return ask_until_refused(size, CALLER, [=] {
    return __libc_memalign(static_cast<std::size_t>(alignment), size > 0 ? size : 1);
  });
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return ask_until_refused(size, CALLER, [=] {
    return __libc_memalign(static_cast<std::size_t>(alignment), size > 0 ? size : 1);
  });
}
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete[](void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }

// ---------------------------------------------------------------------------------------- writing

namespace {

[[noreturn]] void die() {
  ::raise(SIGKILL);
  ::_exit(137);
}

// Sets errno and says whether the call is to fail. Calls without bytes are not cut short; those
// that are never interrupted by signals are done as usual.
bool fails(const char* call, int descriptor, const char* path, int reason) {
  switch (write_fault(call, descriptor, path)) {
    case Kind::write:
      errno = reason;
      return true;
    case Kind::torn:
      die();
    default:
      return false;
  }
}

// A call that moves `size` bytes by move(size).
template <class Move>
ssize_t moved(const char* call, int descriptor, std::size_t size, Move move) {
  const std::size_t half = size / 2;
  switch (write_fault(call, descriptor, nullptr)) {
    case Kind::write:
      errno = ENOSPC;
      return -1;
    case Kind::signal:
      errno = EINTR;
      return -1;
    case Kind::short_write:
      return move(half > 0 ? half : size);
    case Kind::torn:
      if (half > 0) (void)!move(half);
      die();
    default:
      return move(size);
  }
}

bool writes(int flags) {
  return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
}

bool is_for_writing(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

bool writes(const char* mode) { return std::strpbrk(mode, "wa+") != nullptr; }

bool needs_mode(int flags) { return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE; }

}  // namespace

extern "C" {

#define MODE_ARGUMENT(flags)     \
  mode_t mode = 0;               \
  if (needs_mode(flags)) {       \
    va_list rest;                \
    va_start(rest, flags);       \
    mode = va_arg(rest, mode_t); \
    va_end(rest);                \
  }

int open(const char* path, int flags, ...) {
  REAL(open);
  MODE_ARGUMENT(flags)
  if (writes(flags) && fails("open", -1, path, ENOSPC)) return -1;
  return real(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  REAL(open64);
  MODE_ARGUMENT(flags)
  if (writes(flags) && fails("open", -1, path, ENOSPC)) return -1;
  return real(path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  REAL(openat);
  MODE_ARGUMENT(flags)
  if (writes(flags) && fails("open", -1, path, ENOSPC)) return -1;
  return real(folder, path, flags, mode);
}

int openat64(int folder, const char* path, int flags, ...) {
  REAL(openat64);
  MODE_ARGUMENT(flags)
  if (writes(flags) && fails("open", -1, path, ENOSPC)) return -1;
  return real(folder, path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  REAL(fopen);
  if (writes(mode) && fails("fopen", -1, path, ENOSPC)) return nullptr;
  return real(path, mode);
}

FILE* fopen64(const char* path, const char* mode) {
  REAL(fopen64);
  if (writes(mode) && fails("fopen", -1, path, ENOSPC)) return nullptr;
  return real(path, mode);
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  REAL(write);
  return moved("write", descriptor, size,
               [&](std::size_t some) { return real(descriptor, bytes, some); });
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t at) {
  REAL(pwrite);
  return moved("pwrite", descriptor, size,
               [&](std::size_t some) { return real(descriptor, bytes, some, at); });
}

ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t at) {
  REAL(pwrite64);
  return moved("pwrite", descriptor, size,
               [&](std::size_t some) { return real(descriptor, bytes, some, at); });
}

ssize_t writev(int descriptor, const iovec* pieces, int count) {
  REAL(writev);
  // Cut short, it is a write of the first piece alone.
  return moved("writev", descriptor, count > 1 ? 2 : 1, [&](std::size_t some) {
    return real(descriptor, pieces, some == 1 && count > 1 ? 1 : count);
  });
}

ssize_t sendfile(int to, int from, off_t* at, size_t size) {
  REAL(sendfile);
  return moved("sendfile", to, size, [&](std::size_t some) { return real(to, from, at, some); });
}

ssize_t copy_file_range(int from, off64_t* at, int to, off64_t* place, size_t size,
                        unsigned flags) {
  REAL(copy_file_range);
  return moved("copy_file_range", to, size,
               [&](std::size_t some) { return real(from, at, to, place, some, flags); });
}

size_t fwrite(const void* bytes, size_t size, size_t count, FILE* file) {
  REAL(fwrite);
  // A stream takes care of signals and of halves by itself: it fails, or it does not.
  if (fails("fwrite", ::fileno(file), nullptr, ENOSPC)) return 0;
  return real(bytes, size, count, file);
}

int fflush(FILE* file) {
  REAL(fflush);
  if (file != nullptr && fails("fflush", ::fileno(file), nullptr, ENOSPC)) return EOF;
  return real(file);
}

int fclose(FILE* file) {
  REAL(fclose);
  const bool bad = is_for_writing(::fileno(file)) && fails("fclose", ::fileno(file), nullptr, EIO);
  const int result = real(file);
  if (!bad) return result;
  errno = EIO;
  return EOF;
}

int close(int descriptor) {
  REAL(close);
  const bool bad = is_for_writing(descriptor) && fails("close", descriptor, nullptr, EIO);
  const int result = real(descriptor);  // closed even where it fails, as Linux does
  if (!bad) return result;
  errno = EIO;
  return -1;
}

int fsync(int descriptor) {
  REAL(fsync);
  return fails("fsync", descriptor, nullptr, EIO) ? -1 : real(descriptor);
}

int fdatasync(int descriptor) {
  REAL(fdatasync);
  return fails("fdatasync", descriptor, nullptr, EIO) ? -1 : real(descriptor);
}

int ftruncate(int descriptor, off_t size) {
  REAL(ftruncate);
  return fails("ftruncate", descriptor, nullptr, ENOSPC) ? -1 : real(descriptor, size);
}

int ftruncate64(int descriptor, off64_t size) {
  REAL(ftruncate64);
  return fails("ftruncate", descriptor, nullptr, ENOSPC) ? -1 : real(descriptor, size);
}

int posix_fallocate(int descriptor, off_t at, off_t size) {
  REAL(posix_fallocate);
  return fails("posix_fallocate", descriptor, nullptr, ENOSPC) ? ENOSPC
                                                               : real(descriptor, at, size);
}

int rename(const char* from, const char* to) {
  REAL(rename);
  return fails("rename", -1, to, ENOSPC) ? -1 : real(from, to);
}

int mkdir(const char* path, mode_t mode) {
  REAL(mkdir);
  return fails("mkdir", -1, path, ENOSPC) ? -1 : real(path, mode);
}

}  // extern "C"
