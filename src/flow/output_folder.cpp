#include "flow/output_folder.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/core.h>

#include "base/atomic_file.h"
#include "base/leftovers.h"
#include "base/text.h"
#include "pegnn/error.h"

namespace pegnn {

namespace fs = std::filesystem;

namespace {

// A log of a run, perhaps one that was killed before its first line.
bool is_log(const fs::path& file) {
  constexpr std::string_view kBegin = "{\"step\": ";
  std::string begin(kBegin.size(), '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return in.gcount() == 0 || begin == kBegin;
}

}  // namespace

// Behind the names that are used while a file is written.
SetAside::SetAside(const fs::path& file)
    : file_(file), aside_(temporary_name(file, kMostTemporaries)) {}

SetAside::~SetAside() {
  if (!holds()) return;
  ::unlink(aside_.c_str());
  ::close(descriptor_);
}

bool SetAside::take() {
  descriptor_ = ::open(file_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (!holds()) return errno == ENOENT;
  struct stat info {};
  if (::fstat(descriptor_, &info) == 0 && S_ISREG(info.st_mode)) {
    lock_temporary(descriptor_);
    if (::rename(file_.c_str(), aside_.c_str()) == 0) return true;
  }
  ::close(descriptor_);
  descriptor_ = -1;
  return false;
}

void SetAside::put_back() noexcept {
  if (!holds()) return;
  if (::rename(aside_.c_str(), file_.c_str()) != 0) return;
  ::close(descriptor_);
  descriptor_ = -1;
}

MadeFolders::~MadeFolders() {
  for (const fs::path& made : made_) ::rmdir(made.c_str());  // only while they are empty
}

void MadeFolders::make(const fs::path& folder) {
  std::error_code error;
  fs::path missing = folder.has_filename() ? folder : folder.parent_path();  // "model/"
  while (!missing.empty() && !fs::exists(missing, error)) {
    made_.push_back(missing);
    missing = missing.parent_path();
  }
  fs::create_directories(folder, error);
  std::error_code ignored;
  if (!error && !fs::is_directory(folder, ignored))
    error = std::make_error_code(std::errc::not_a_directory);
  if (!error) return;
  throw Error(ErrorKind::resource,
              fmt::format("cannot create the folder '{}': {}; choose another with <option:out>",
                          folder.string(), error.message()));
}

OutputFolder::OutputFolder(fs::path folder, bool overwrite, bool resume,
                           const std::vector<std::string>& further)
    : folder_(std::move(folder)),
      model_(folder_ / "model.safetensors"),
      options_(folder_ / "options.toml"),
      metrics_(folder_ / "metrics.jsonl"),
      report_(folder_ / "report.html"),
      snapshot_(folder_ / "snapshot.safetensors"),
      old_metrics_(metrics_),
      old_snapshot_(snapshot_) {
  refuse_other_kinds();
  refuse_existing(overwrite, resume, further);
  std::error_code ignored;
  resumes_ = resume && fs::exists(snapshot(), ignored);
  snapshot_time_ = fs::last_write_time(snapshot(), ignored);
  made_.make(folder_);
  lock_.emplace(folder_);
  // Nobody else writes here now.
  for (const fs::path& file : {model_, options_, metrics_, report_, snapshot_}) {
    remove_leftovers(file);
  }
  // Better to learn now than after an hour of training that nothing can be written here.
  const AtomicFile probe(model());
}

OutputFolder::~OutputFolder() {
  // Without a snapshot there is nothing to resume: leave no half of a run behind.
  if (finished_ || !begun_ || resumes_ || ::access(snapshot_.c_str(), F_OK) == 0) return;
  if (logs_) ::unlink(metrics_.c_str());
  old_metrics_.put_back();
  old_snapshot_.put_back();
}

// What is no file cannot be replaced by one; told now, not when the others have been replaced.
void OutputFolder::refuse_other_kinds() const {
  for (const fs::path& file : {model_, options_, metrics_, report_, snapshot_}) {
    std::error_code ignored;
    const fs::file_status status = fs::status(file, ignored);
    if (!fs::exists(status) || fs::is_regular_file(status)) continue;
    throw Error(
        ErrorKind::resource,
        fmt::format("cannot write '{}': it is {}; choose another folder with <option:out>",
                    file.string(), fs::is_directory(status) ? "a folder" : "no plain file"));
  }
}

void OutputFolder::refuse_existing(bool overwrite, bool resume,
                                   const std::vector<std::string>& further) const {
  std::error_code ignored;
  const bool has_model = fs::exists(model(), ignored);
  const bool has_snapshot = fs::exists(snapshot(), ignored);
  if (overwrite || (resume && has_snapshot)) return;
  if (has_snapshot) {
    throw Error(ErrorKind::usage, fmt::format("'{}' holds an interrupted run; <option:resume> "
                                              "continues it, <option:overwrite> starts anew",
                                              folder_.string()));
  }
  if (has_model && resume) {
    throw Error(ErrorKind::usage, fmt::format("the run in '{}' is finished, there is nothing to "
                                              "resume; <option:overwrite> starts anew",
                                              folder_.string()));
  }
  std::vector<fs::path> files{model(), options(), report()};
  if (!is_log(metrics())) files.push_back(metrics());  // somebody else's
  for (const std::string& name : further) files.push_back(folder_ / name);
  for (const fs::path& file : files) {
    if (!fs::exists(file, ignored)) continue;
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "'{}' exists; <option:overwrite> replaces it, <option:out> takes another folder",
            file.string()));
  }
}

// The run takes its first steps: what an earlier one left would now mislead.
void OutputFolder::begin() {
  begun_ = true;
  logs_ = true;
  if (resumes_) return;
  std::error_code ignored;
  // This run may have kept a snapshot of its own by now.
  if (fs::last_write_time(snapshot(), ignored) == snapshot_time_) old_snapshot_.take();
  logs_ = old_metrics_.take();
}

void OutputFolder::log_progress(RunSettings& run) {
  run.progress = [this, file = std::make_shared<std::ofstream>(),
                  show = run.progress](const TrainProgress& p) {
    if (!begun_) {
      begin();
      if (logs_) file->open(metrics(), std::ios::app);
    }
    if (p.measured) *file << metrics_line(p) << std::flush;
    if (show) show(p);
  };
}

void OutputFolder::finish() {
  finished_ = true;
  std::error_code ignored;
  fs::remove(snapshot(), ignored);
}

std::string metrics_line(const TrainProgress& p) {
  std::string line = fmt::format("{{\"step\": {}", p.step);
  if (!p.part.empty()) line += fmt::format(", \"part\": \"{}\"", p.part);
  const auto field = [&](const char* name, double value) {
    if (std::isfinite(value)) line += fmt::format(", \"{}\": {}", name, format_number(value));
  };
  field("loss", p.loss);
  field("main", p.main);
  field("auxiliary", p.auxiliary);
  field("validation", p.validation);
  field("sigma_main", p.sigma_main);
  field("sigma_auxiliary", p.sigma_auxiliary);
  field("seconds", p.seconds);
  return line + "}\n";
}

std::string metrics_lines(const std::vector<TrainProgress>& curve) {
  std::string lines;
  for (const TrainProgress& p : curve) lines += metrics_line(p);
  return lines;
}

}  // namespace pegnn
