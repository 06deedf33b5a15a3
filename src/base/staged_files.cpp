#include "base/staged_files.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/core.h>

#include "pegnn/error.h"

namespace pegnn {
namespace {

// False with errno set when what was written does not reach the disk.
bool flush(const std::filesystem::path& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool good = ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
  const int reason = errno;
  ::close(descriptor);
  errno = reason;
  return good;
}

// What a run that was killed has left of the same file. Where processes cannot be looked up,
// nothing is touched.
void remove_left_behind(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::path processes = "/proc";
  if (!std::filesystem::exists(processes / "self", error)) return;
  const std::string begin = file.filename().string() + ".", end = ".tmp";
  std::vector<std::filesystem::path> left;
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.size() <= begin.size() + end.size() || !name.starts_with(begin) ||
        !name.ends_with(end)) {
      continue;
    }
    const std::string process = name.substr(begin.size(), name.size() - begin.size() - end.size());
    const bool number = process.find_first_not_of("0123456789") == std::string::npos;
    if (number && entry.is_directory(error) &&
        !std::filesystem::exists(processes / process, error)) {
      left.push_back(entry.path());
    }
  }
  for (const std::filesystem::path& path : left) std::filesystem::remove_all(path, error);
}

}  // namespace

StagedFiles::StagedFiles(std::filesystem::path file) : file_(std::move(file)) {
  std::error_code error;
  // A link stays one: what it leads to is replaced.
  if (std::filesystem::is_symlink(file_, error)) {
    const std::filesystem::path target = std::filesystem::weakly_canonical(file_, error);
    if (!error) file_ = target;
  }
  remove_left_behind(file_);
  folder_ = file_;
  // The process id keeps two runs that write the same file from sharing a folder.
  folder_ += fmt::format(".{}.tmp", static_cast<long>(::getpid()));
  staged_ = folder_ / file_.filename();
  std::filesystem::remove_all(folder_, error);
  std::filesystem::create_directory(folder_, error);
  if (!error) return;
  folder_.clear();
  errno = error.value();
  fail("create");
}

StagedFiles::~StagedFiles() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

void StagedFiles::commit() {
  std::vector<std::filesystem::path> companions;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
    if (entry.is_regular_file() && !flush(entry.path(), O_RDONLY)) fail("write");
    const bool inside = entry.path().parent_path() == folder_;
    if (inside && entry.path() != staged_) companions.push_back(entry.path());
  }
  const auto move = [&](const std::filesystem::path& from) {
    std::filesystem::path to = file_;
    to.replace_filename(from.filename());
    if (::rename(from.c_str(), to.c_str()) != 0) fail("write");
  };
  for (const std::filesystem::path& companion : companions) move(companion);
  move(staged_);
  // The moves themselves must survive a power cut: flush the folder too.
  flush(file_.has_parent_path() ? file_.parent_path() : ".", O_RDONLY | O_DIRECTORY);
}

void StagedFiles::fail(const char* doing) const {
  const char* reason = std::strerror(errno);
  throw Error(ErrorKind::resource, fmt::format("cannot {} '{}': {}; choose another place with -o",
                                               doing, file_.string(), reason));
}

}  // namespace pegnn
