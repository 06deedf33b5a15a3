#include "train/snapshot_file.h"

#include <utility>

#include <fmt/core.h>

#include "pegnn/error.h"

namespace pegnn {
namespace {

template <class T>
std::optional<T> value_at(const std::map<std::string, T>& values, const std::string& key) {
  const auto found = values.find(key);
  return found == values.end() ? std::nullopt : std::optional<T>(found->second);
}

}  // namespace

SnapshotFile::SnapshotFile(std::filesystem::path file, bool resume, Fingerprints fingerprints)
    : file_(std::move(file)), fingerprints_(std::move(fingerprints)) {
  if (resume) {
    snapshot_ = load_snapshot(file_);
    const std::string& whose = snapshot_.fingerprint;
    if (whose != fingerprints_.run && whose != fingerprints_.diverged) {
      throw Error(ErrorKind::usage,
                  fmt::format("'{}' belongs to a run on other data or with other options; resume "
                              "with the same ones, or start anew with <option:overwrite>",
                              file_.string()));
    }
  }
  snapshot_.fingerprint = fingerprints_.run;
}

std::optional<TrainedNetwork> SnapshotFile::done(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  return value_at(snapshot_.done, key);
}

std::optional<TrainState> SnapshotFile::begun(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  return value_at(snapshot_.begun, key);
}

void SnapshotFile::store(const std::string& key, const TrainState& state, bool diverged) {
  const std::lock_guard lock(mutex_);
  snapshot_.begun[key] = state;
  if (diverged) snapshot_.fingerprint = fingerprints_.diverged;
  save_snapshot(snapshot_, file_);
}

void SnapshotFile::finish(const std::string& key, const TrainedNetwork& network) {
  if (!keeps()) return;
  const std::lock_guard lock(mutex_);
  snapshot_.done[key] = network;
  snapshot_.begun.erase(key);
}

void SnapshotFile::save() const {
  const std::lock_guard lock(mutex_);
  save_snapshot(snapshot_, file_);
}

}  // namespace pegnn
