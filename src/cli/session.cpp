#include "cli/session.h"

#include <algorithm>
#include <atomic>
#include <csignal>

#include <unistd.h>

#include <fmt/core.h>

#include "cli/config.h"
#include "cli/progress.h"
#include "cli/talk.h"
#include "pegnn/error.h"

namespace pegnn {
namespace {

std::atomic<bool> run_watches{false};
std::atomic<int> interrupts{0};

void on_interrupt(int) {
  if (run_watches.load() && interrupts.fetch_add(1) == 0) return;
  constexpr std::string_view kWord = "pegnn: interrupted\n";
  // Nothing can be done about a word that does not get out.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kWord.data(), kWord.size());
  ::_exit(static_cast<int>(ErrorKind::interrupted));
}

}  // namespace

void StderrLog::note(std::string_view text) {
  if (level_ >= 1) talk(text);
}
void StderrLog::warn(std::string_view text) { talk(text, "warning: "); }
void StderrLog::detail(std::string_view text) {
  if (level_ >= 2) talk(text);
}

void watch_for_interrupts() {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  // A closed terminal ends a run as Ctrl-C does, unless nohup has it ignored.
  struct sigaction before {};
  ::sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) ::sigaction(SIGHUP, &action, nullptr);
  // A closed pipe and a file grown too large are reported by the write that meets them.
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
}

bool Session::was_given(std::string_view flag) const {
  return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

OptionRequest Session::request() const {
  OptionRequest request;
  if (!config.empty()) request = read_config(config);
  if (!preset.empty()) request.preset = preset;
  request.given = given;
  return request;
}

Options Session::options() const { return options_for(request()); }

RunSettings Session::run_settings() {
  run_watches = true;
  RunSettings run;
  run.threads = static_cast<int>(threads);
  run.log = &log_;
  run.stop = [] { return interrupts.load() > 0; };
  if (!quiet) run.progress = ProgressDisplay();
  return run;
}

}  // namespace pegnn
