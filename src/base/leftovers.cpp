#include "base/leftovers.h"

#include <cerrno>
#include <optional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/core.h>

#include "base/folder_entries.h"

namespace pegnn {
namespace {

constexpr std::string_view kMark = ".pegnn-", kEnd = ".tmp";
constexpr std::string_view kDigits = "0123456789";

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of(kDigits) == std::string_view::npos;
}

// The name of the file that `name` is a temporary of: "a.csv" of "a.csv.pegnn-123.tmp" and of
// "a.csv.pegnn-123-1.tmp".
std::optional<std::string_view> file_of(std::string_view name) {
  if (!name.ends_with(kEnd)) return {};
  name.remove_suffix(kEnd.size());
  const std::size_t mark = name.rfind(kMark);
  if (mark == std::string_view::npos || mark == 0) return {};
  const std::string_view numbers = name.substr(mark + kMark.size());
  const std::size_t dash = numbers.find('-');
  const bool ours = is_number(numbers.substr(0, dash)) &&
                    (dash == std::string_view::npos || is_number(numbers.substr(dash + 1)));
  if (!ours) return {};
  return name.substr(0, mark);
}

// Whoever writes a temporary holds its lock: who gets it has found one that nobody writes.
void remove_if_abandoned(const std::filesystem::path& path) {
  // Some file systems lock only what may be written; a folder cannot be opened so.
  int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0 && errno == EISDIR) {
    descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  }
  if (descriptor < 0) return;
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) remove_everything(path.c_str());
  ::close(descriptor);
}

}  // namespace

std::filesystem::path temporary_name(const std::filesystem::path& file, int attempt) {
  const long process = static_cast<long>(::getpid());
  std::filesystem::path name = file;
  name += attempt == 0 ? fmt::format("{}{}{}", kMark, process, kEnd)
                       : fmt::format("{}{}-{}{}", kMark, process, attempt, kEnd);
  return name;
}

bool lock_temporary(int descriptor) noexcept {
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
  struct stat info {};
  return ::fstat(descriptor, &info) == 0 && info.st_nlink > 0;
}

void remove_leftovers(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  remove_leftovers_in(file.has_parent_path() ? file.parent_path() : ".",
                      [&](std::string_view found) { return found == name; });
}

void remove_leftovers_in(const std::filesystem::path& folder,
                         const std::function<bool(std::string_view)>& is_ours) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  std::vector<std::string> found;
  try {
    FolderEntries entries(descriptor);
    while (const char* name = entries.next()) {
      const std::optional<std::string_view> file = file_of(name);
      if (file && is_ours(*file)) found.emplace_back(name);
    }
  } catch (...) {
    ::close(descriptor);
    throw;
  }
  ::close(descriptor);
  for (const std::string& name : found) remove_if_abandoned(folder / name);
}

}  // namespace pegnn
