#pragma once
// What a command runs with: the log, the options the user gave, threads.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pegnn/log.h"
#include "pegnn/run.h"
#include "pegnn/train.h"

namespace pegnn {

// Talk on stderr: notes unless -q, details with -v, warnings always.
class StderrLog final : public Log {
 public:
  void note(std::string_view text) override;
  void warn(std::string_view text) override;
  void detail(std::string_view text) override;
  bool wants_detail() const override { return level_ >= 2; }
  void set_level(int level) { level_ = level; }  // 0 quiet, 1 usual, 2 verbose
  int level() const { return level_; }

 private:
  int level_ = 1;
};

class Session {
 public:
  // Flags shared by all commands.
  bool quiet = false, verbose = false;
  std::int64_t threads = 0;

  std::string command_line;        // as a shell would read it
  std::vector<std::string> flags;  // long names of the arguments given: "--folds"

  // For commands that take model options.
  std::string preset, config;
  std::vector<GivenOption> given;

  StderrLog& log() { return log_; }
  bool was_given(std::string_view flag) const;

  // The preset's options, changed by the config file, changed by the command line.
  OptionRequest request() const;
  Options options() const;

  // Threads, log, interruption by Ctrl-C, and a progress display on stderr. From here on the first
  // Ctrl-C asks the run to stop; the second ends the process at once.
  RunSettings run_settings();

 private:
  StderrLog log_;
};

// Ctrl-C ends the process at once, with a word, until a run watches for it.
void watch_for_interrupts();

}  // namespace pegnn
