#include "base/links.h"

#include <cerrno>
#include <cstring>
#include <system_error>

#include <fmt/core.h>

#include "pegnn/error.h"

namespace pegnn {

namespace fs = std::filesystem;

fs::path behind_links(fs::path file) {
  constexpr int kMostLinks = 40;  // as the kernel
  for (int followed = 0; followed < kMostLinks; ++followed) {
    std::error_code error;
    const fs::path target = fs::read_symlink(file, error);
    if (error) return file;              // no link, or nothing there
    file = file.parent_path() / target;  // an absolute target stands for itself
  }
  throw Error(ErrorKind::resource,
              fmt::format("cannot write '{}': {}; choose another place with <option:out>",
                          file.string(), std::strerror(ELOOP)));
}

}  // namespace pegnn
