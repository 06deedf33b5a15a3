#include "flow/folder_lock.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fmt/core.h>

#include "pegnn/error.h"

namespace pegnn {

// The lock lies on the folder itself, so it needs no file and ends with the process, however that
// ends. Where the file system knows no locks, there is none.
FolderLock::FolderLock(const std::filesystem::path& folder)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0 || ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) {
    return;
  }
  ::close(descriptor_);
  throw Error(ErrorKind::resource, fmt::format("another run is writing into '{}'; wait for it or "
                                               "choose another folder with <option:out>",
                                               folder.string()));
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace pegnn
