#pragma once
// Many training runs: side by side, kept as files, so that what was trained once is not trained
// again.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "paper/training_run.h"

namespace pegnn {

class Log;

// Data sets by name.
using PaperSets = std::map<std::string, PaperRows, std::less<>>;

// Results by run, those of earlier times included.
class RunBook {
 public:
  // `folder` holds a file per run; it is made when the first one is written. `sets` is borrowed.
  // `anew`: files that are there are not looked at, and replaced.
  RunBook(std::filesystem::path folder, const PaperSets& sets, bool anew = false)
      : folder_(std::move(folder)), sets_(sets), anew_(anew) {}

  // Null when the run has not been done. It is then noted as wanted.
  const RunResult* find(const RunSpec& spec);
  // What was asked for and not found, each once, in the order of asking.
  const std::vector<RunSpec>& wanted() const { return wanted_; }

  // A result with a reason, of a run that failed, is not kept on the disk: it will be tried again.
  void add(const RunSpec& spec, RunResult result);

  const PaperSets& sets() const { return sets_; }
  const PaperRows& rows_of(const RunSpec& spec) const { return sets_.at(spec.dataset); }
  std::int64_t runs() const;  // that were done, or found on the disk
  double compute_seconds() const;

 private:
  std::filesystem::path folder_;
  const PaperSets& sets_;
  std::map<std::string, RunResult> results_;
  std::vector<RunSpec> wanted_;
  std::set<std::string> asked_;
  bool anew_;
};

struct RunnerSettings {
  int jobs = 1;     // runs side by side
  int threads = 1;  // of all of them together
  Log* log = nullptr;
  std::function<bool()> stop = {};  // asked from several threads at once
};

// Does every run that the book wants, the longest first; those that are timed come last and alone.
// What finds too little memory beside the others is tried again by itself. A run that cannot be
// done becomes a result with the reason, and a warning. Error{interrupted} when `stop` says so:
// what was finished is kept.
void do_wanted_runs(RunBook& book, const RunnerSettings& settings);

}  // namespace pegnn
