#include "cli/session.h"

#include <algorithm>
#include <atomic>
#include <csignal>

#include <unistd.h>

#include <fmt/core.h>

#include "base/options.h"
#include "base/text.h"
#include "cli/config.h"
#include "cli/progress.h"
#include "cli/talk.h"
#include "model/preset.h"
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
void StderrLog::warn(std::string_view text) { talk(fmt::format("warning: {}", text)); }
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

// Options that a named model would ignore are a misunderstanding.
void Session::refuse_contradictions(const Options& options) const {
  for (const char* flag : {"--backbone", "--encoder"}) {
    if (options.model == "network" || !was_given(flag)) continue;
    throw Error(ErrorKind::usage,
                fmt::format("--model {} has no network; leave out {}", options.model, flag));
  }
  for (const auto& [name, value] : given) {
    if (name != "model" || value == "network") continue;
    for (const char* flag : {"--backbone", "--encoder"}) {
      const bool encoder_of_pe = value.starts_with("pe-") && flag == std::string_view("--encoder");
      if (!was_given(flag) || (encoder_of_pe && options.encoder != "none")) continue;
      throw Error(
          ErrorKind::usage,
          fmt::format("--model {} says which network is trained; leave out {}", value, flag));
    }
  }
}

Options Session::options() const {
  Config file;
  if (!config.empty()) file = read_config(config);
  Options options = preset_options(preset.empty() ? file.preset : preset);
  // A model's name stands for several options: single ones beside it win, so it comes first.
  for (const ConfigEntry& entry : file.entries) {
    if (entry.name == "model") choose_model(options, entry.value);
    if (entry.name == "backbone") choose_backbone(options, entry.value);
  }
  for (const ConfigEntry& entry : file.entries) {
    if (entry.name != "model") set_option(options, entry.name, entry.value, entry.origin);
  }
  for (const auto& [name, value] : given) {
    if (name == "model") choose_model(options, value);
    if (name == "backbone") choose_backbone(options, value);
  }
  for (const auto& [name, value] : given) {
    if (name != "model") set_option(options, name, value, "--" + name);
  }
  // What was given by itself is not chosen.
  std::vector<std::string> left;
  for (const std::string& word : split_words(options.choose)) {
    const auto by_flag = [&](const auto& entry) { return entry.first == word; };
    const auto in_file = [&](const ConfigEntry& entry) { return entry.name == word; };
    if (std::ranges::none_of(given, by_flag) && std::ranges::none_of(file.entries, in_file)) {
      left.push_back(word);
    }
  }
  options.choose = left.empty() ? "none" : join(left, ",");
  refuse_contradictions(options);
  check_options(options);
  return options;
}

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
