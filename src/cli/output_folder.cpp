#include "cli/output_folder.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <system_error>

#include <fmt/core.h>

#include "base/atomic_file.h"
#include "base/text.h"
#include "pegnn/error.h"

namespace pegnn {

namespace fs = std::filesystem;

OutputFolder::OutputFolder(fs::path folder, bool overwrite, bool resume,
                           const std::vector<std::string>& further)
    : folder_(std::move(folder)) {
  refuse_existing(overwrite, resume, further);
  std::error_code ignored;
  resumes_ = resume && fs::exists(snapshot(), ignored);
  old_snapshot_ = fs::last_write_time(snapshot(), ignored);
  make_folder();
  try {
    lock_.emplace(folder_);
    remove_leftovers();
    // Better to learn now than after an hour of training that nothing can be written here.
    const AtomicFile probe(model());
  } catch (...) {
    for (const fs::path& made : made_) fs::remove(made, ignored);
    throw;
  }
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  // Without a snapshot there is nothing to resume: leave no half of a run behind.
  if (!finished_ && !fs::exists(snapshot(), ignored) && !fs::exists(model(), ignored)) {
    if (begun_) fs::remove(metrics(), ignored);
    for (const fs::path& made : made_) fs::remove(made, ignored);  // only while they are empty
  }
}

void OutputFolder::refuse_existing(bool overwrite, bool resume,
                                   const std::vector<std::string>& further) const {
  std::error_code ignored;
  const bool has_model = fs::exists(model(), ignored);
  const bool has_snapshot = fs::exists(snapshot(), ignored);
  if (overwrite || (resume && has_snapshot)) return;
  if (has_snapshot) {
    throw Error(ErrorKind::usage, fmt::format("'{}' holds an interrupted run; --resume continues "
                                              "it, --overwrite starts anew",
                                              folder_.string()));
  }
  if (has_model && resume) {
    throw Error(ErrorKind::usage, fmt::format("the run in '{}' is finished, there is nothing to "
                                              "resume; --overwrite starts anew",
                                              folder_.string()));
  }
  std::vector<fs::path> files{model(), options(), report()};
  for (const std::string& name : further) files.push_back(folder_ / name);
  for (const fs::path& file : files) {
    if (!fs::exists(file, ignored)) continue;
    throw Error(ErrorKind::usage,
                fmt::format("'{}' exists; --overwrite replaces it, -o takes another folder",
                            file.string()));
  }
}

void OutputFolder::make_folder() {
  std::error_code error;
  fs::path missing = folder_.has_filename() ? folder_ : folder_.parent_path();  // "model/"
  while (!missing.empty() && !fs::exists(missing, error)) {
    made_.push_back(missing);
    missing = missing.parent_path();
  }
  fs::create_directories(folder_, error);
  std::error_code ignored;
  if (!error && !fs::is_directory(folder_, ignored))
    error = std::make_error_code(std::errc::not_a_directory);
  if (!error) return;
  for (const fs::path& made : made_) fs::remove(made, ignored);
  throw Error(ErrorKind::resource,
              fmt::format("cannot create the folder '{}': {}; choose another with -o",
                          folder_.string(), error.message()));
}

// A process killed while it wrote leaves its temporary file. Nobody else writes here now.
void OutputFolder::remove_leftovers() const {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    for (const fs::path& file : {model(), options(), metrics(), report(), snapshot()}) {
      if (name.starts_with(file.filename().string() + ".") && name.ends_with(".tmp")) {
        fs::remove(entry.path(), error);
      }
    }
  }
}

// The run takes its first steps: what an earlier one left would now mislead.
void OutputFolder::begin() {
  begun_ = true;
  if (resumes_) return;
  std::error_code ignored;
  // This run may have kept a snapshot of its own by now.
  if (fs::last_write_time(snapshot(), ignored) == old_snapshot_) fs::remove(snapshot(), ignored);
  fs::remove(metrics(), ignored);
}

void OutputFolder::log_progress(RunSettings& run) {
  run.progress = [this, file = std::make_shared<std::ofstream>(),
                  show = run.progress](const TrainProgress& p) {
    if (!begun_) {
      begin();
      file->open(metrics(), std::ios::app);
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
