#include "paper/dataset_files.h"

#include <algorithm>

#include <fmt/core.h>

#include "paper/download.h"
#include "paper/source_text.h"

namespace pegnn {
namespace {

namespace fs = std::filesystem;

// The files of these names, as they are or packed, in the data set's own folder and in `folder`.
std::vector<fs::path> files_named(const DatasetEntry& entry, const fs::path& folder,
                                  std::initializer_list<std::string> names) {
  std::vector<fs::path> found;
  for (const fs::path& place : {own_folder(entry, folder), folder}) {
    for (const std::string& name : names) {
      for (const char* ending : {"", ".gz"}) {
        const fs::path file = place / (name + ending);
        std::error_code ignored;
        if (!name.empty() && fs::is_regular_file(file, ignored)) found.push_back(file);
      }
    }
  }
  return found;
}

// One source of Election is called as its prepared table is: only that has coordinates.
bool is_source(const DatasetEntry& entry, const fs::path& file) {
  const std::string name = file.filename().string();
  const bool same_name = std::any_of(entry.sources.begin(), entry.sources.end(),
                                     [&](const SourceFile& s) { return name.starts_with(s.name); });
  return same_name && first_line(file).find(entry.x) == std::string::npos;
}

std::optional<fs::path> find_prepared(const DatasetEntry& entry, const fs::path& folder,
                                      std::string_view name) {
  if (name.empty()) return {};
  for (const fs::path& file : files_named(entry, folder, {std::string(name) + ".csv"})) {
    if (!is_source(entry, file)) return file;
  }
  return {};
}

}  // namespace

std::string DatasetFiles::name() const {
  return files.size() == 1 ? files[0].string() : files[0].parent_path().string();
}

fs::path own_folder(const DatasetEntry& entry, const fs::path& folder) {
  return folder / std::string(entry.name);
}

std::vector<const SourceFile*> missing_sources(const DatasetEntry& entry, const fs::path& folder) {
  std::vector<const SourceFile*> missing;
  if (find_prepared(entry, folder, entry.prepared)) return missing;
  for (const SourceFile& source : entry.sources) {
    const bool here =
        !files_named(entry, folder, {std::string(source.name), std::string(source.also)}).empty();
    if (!here) missing.push_back(&source);
  }
  return missing;
}

std::optional<DatasetFiles> find_dataset_files(const DatasetEntry& entry, const fs::path& folder) {
  if (const auto file = find_prepared(entry, folder, entry.prepared)) return DatasetFiles{{*file}};
  if (missing_sources(entry, folder).empty()) {
    DatasetFiles found{{}, true};
    for (const SourceFile& source : entry.sources) {
      found.files.push_back(
          files_named(entry, folder, {std::string(source.name), std::string(source.also)})[0]);
    }
    return found;
  }
  if (const auto file = find_prepared(entry, folder, entry.part)) return DatasetFiles{{*file}};
  return {};
}

std::string how_to_get(const DatasetEntry& entry, const fs::path& folder) {
  const std::vector<const SourceFile*> missing = missing_sources(entry, folder);
  const std::string fetch =
      can_download() ? fmt::format("`pegnn datasets {} --fetch` fetches it, ", entry.name) : "";
  std::string text = fmt::format(
      "{} is not in '{}'; {}<option:data-dir> names another folder, or put into '{}' by hand:",
      entry.title, folder.string(), fetch, own_folder(entry, folder).string());
  for (const SourceFile* file : missing) {
    text += fmt::format("\n  {}  from  {}", file->name, file->url);
  }
  return text;
}

}  // namespace pegnn
