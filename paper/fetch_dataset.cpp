#include "paper/fetch_dataset.h"

#include <cstdlib>

#include <fmt/core.h>

#include "base/text.h"
#include "paper/dataset_files.h"
#include "paper/download.h"
#include "pegnn/error.h"
#include "pegnn/log.h"

namespace pegnn {
namespace {

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error) return;
  throw Error(
      ErrorKind::resource,
      fmt::format("cannot make the folder '{}': {}; choose another one with <option:data-dir>",
                  folder.string(), error.message()));
}

// With what to do about a network that does not give the file.
void fetch(const Download& wanted) {
  try {
    download(wanted);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::resource) throw;
    throw Error(error.kind(), fmt::format("{}; try again, or fetch it by hand into '{}'",
                                          error.what(), wanted.file.string()));
  }
}

// Leaves no empty folders behind that were not there before.
class NewFolders {
 public:
  NewFolders(const std::filesystem::path& folder, const std::filesystem::path& own)
      : folders_{own, folder}, were_there_{exists(own), exists(folder)} {}
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;
  ~NewFolders() {
    std::error_code ignored;  // of a folder that is not empty, which is what is hoped for
    for (std::size_t i = 0; i < 2; ++i) {
      if (!were_there_[i]) std::filesystem::remove(folders_[i], ignored);
    }
  }

 private:
  static bool exists(const std::filesystem::path& folder) {
    std::error_code ignored;
    return std::filesystem::exists(folder, ignored);
  }

  std::filesystem::path folders_[2];
  bool were_there_[2];
};

}  // namespace

std::string address_of(const DatasetEntry& entry, const SourceFile& file) {
  const char* mirror = std::getenv("PEGNN_DATA_MIRROR");
  if (mirror == nullptr || *mirror == '\0') return std::string(file.url);
  std::string_view place = mirror;
  while (place.ends_with('/')) place.remove_suffix(1);
  return fmt::format("{}/{}/{}", place, entry.name, file.name);
}

std::int64_t fetch_dataset(const DatasetEntry& entry, const std::filesystem::path& folder,
                           const FetchSettings& settings, Log& log) {
  const std::vector<const SourceFile*> missing = missing_sources(entry, folder);
  if (!missing.empty() && !can_download()) {
    throw Error(ErrorKind::resource,
                "this build cannot fetch, for want of libcurl; " + how_to_get(entry, folder));
  }
  std::int64_t fetched = 0;
  const NewFolders folders(folder, own_folder(entry, folder));
  for (const SourceFile* source : missing) {
    const std::string name(source->name);
    Download wanted;
    wanted.url = address_of(entry, *source);
    wanted.file = own_folder(entry, folder) / name;
    wanted.sha256 = std::string(source->sha256);
    wanted.bytes = source->bytes;
    wanted.stop = settings.stop;
    if (settings.progress) {
      wanted.progress = [&](std::int64_t now, std::int64_t of) {
        settings.progress(name, now, of);
      };
    }
    make_folder(wanted.file.parent_path());
    fetch(wanted);
    ++fetched;
    log.note(fmt::format("{}: {} from {}", entry.title, name, wanted.url));
  }
  return fetched;
}

}  // namespace pegnn
