#include "base/staged_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/core.h>

#include "base/folder_entries.h"
#include "base/leftovers.h"
#include "base/links.h"
#include "pegnn/error.h"

namespace pegnn {
StagedFiles::StagedFiles(std::filesystem::path file) : file_(behind_links(std::move(file))) {
  remove_leftovers(file_);
  create_folder();
}

void StagedFiles::create_folder() {
  for (int attempt = 0; attempt < kMostTemporaries; ++attempt) {
    folder_ = temporary_name(file_, attempt);
    staged_ = folder_ / file_.filename();
    if (::mkdir(folder_.c_str(), 0777) == 0) {
      descriptor_ = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      if (descriptor_ >= 0 && lock_temporary(descriptor_)) return;
      // Another process has taken it away, or it cannot be opened at all.
      const int reason = descriptor_ < 0 ? errno : ENOENT;
      if (descriptor_ >= 0) ::close(descriptor_);
      descriptor_ = -1;
      ::rmdir(folder_.c_str());
      errno = reason;
      if (reason != ENOENT) break;
    } else if (errno != EEXIST) {
      break;
    }
  }
  folder_.clear();
  fail("create");
}

StagedFiles::~StagedFiles() {
  if (!folder_.empty()) remove_everything(folder_.c_str());
  if (descriptor_ >= 0) ::close(descriptor_);
}

void StagedFiles::commit() {
  struct Move {
    std::filesystem::path from, to;
  };
  std::vector<Move> moves;
  const auto plan = [&](const std::filesystem::path& from) {
    Move move{from, file_};
    move.to.replace_filename(from.filename());
    moves.push_back(std::move(move));
  };
  if (!flush_everything(folder_.c_str())) fail("write");
  if (::lseek(descriptor_, 0, SEEK_SET) != 0) fail("write");
  FolderEntries entries(descriptor_);
  while (const char* name = entries.next()) {
    if (staged_.filename() != name) plan(folder_ / name);
  }
  if (entries.failed()) fail("write");
  plan(staged_);
  const auto folder = file_.has_parent_path() ? file_.parent_path() : std::filesystem::path(".");
  written_.reserve(moves.size());
  // From here on nothing asks for memory, of which there may be none left.
  for (Move& move : moves) {
    if (::rename(move.from.c_str(), move.to.c_str()) != 0) fail("write");
    written_.push_back(std::move(move.to));
  }
  // The moves themselves must survive a power cut: flush the folder too.
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  flush(descriptor);
  ::close(descriptor);
}

bool StagedFiles::wrote(const std::filesystem::path& companion) const {
  return std::find(written_.begin(), written_.end(), companion) != written_.end();
}

void StagedFiles::fail(const char* doing) const {
  const char* reason = std::strerror(errno);
  throw Error(ErrorKind::resource,
              fmt::format("cannot {} '{}': {}; choose another place with <option:out>", doing,
                          file_.string(), reason));
}

}  // namespace pegnn
