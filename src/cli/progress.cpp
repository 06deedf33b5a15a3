#include "cli/progress.h"

#include <algorithm>
#include <cmath>

#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/core.h>

#include "base/text.h"
#include "cli/talk.h"

namespace pegnn {
namespace {

// Seconds between two lines where stderr is a file or a pipe.
constexpr double kLineInterval = 5.0;
// After this another of the networks trained side by side is shown.
constexpr auto kSilence = std::chrono::seconds(2);
// Seconds between two moves of the line of rows on a terminal.
constexpr double kMoveInterval = 0.5;

}  // namespace

ProgressDisplay::ProgressDisplay() : terminal_(::isatty(STDERR_FILENO) != 0) {
  winsize size{};
  if (terminal_ && ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    width_ = size.ws_col;
  }
}

std::string ProgressDisplay::Part::line(const TrainProgress& p) const {
  std::string text = fmt::format("{}{}step {}/{}", p.part, p.part.empty() ? "" : ": ",
                                 format_count(p.step), format_count(p.steps));
  if (rate > 0 && p.step < p.steps) {
    text += fmt::format("  {} left ({} steps/s)",
                        format_seconds(static_cast<double>(p.steps - p.step) / rate),
                        rate < 10 ? format_short(rate, 2) : fmt::format("{:.0f}", rate));
  }
  text += fmt::format("  loss {}", format_short(last.measured ? last.loss : p.loss));
  if (!last.measured) return text;
  if (!std::isnan(last.validation)) {
    text += fmt::format("  validation {}", format_short(last.validation));
  }
  if (!std::isnan(last.auxiliary)) {
    text +=
        fmt::format("  (main {}, moran {})", format_short(last.main), format_short(last.auxiliary));
  }
  return text;
}

void ProgressDisplay::Part::update_rate(const TrainProgress& p) {
  // Another run began, or this one did: what went before its first word is no part of a step.
  if (rate_step == 0 || p.step <= rate_step || p.seconds < rate_seconds) {
    *this = {};
    rate_step = p.step;
    rate_seconds = p.seconds;
  } else if (p.seconds - rate_seconds > 0.5) {
    const double now = static_cast<double>(p.step - rate_step) / (p.seconds - rate_seconds);
    rate = rate == 0 ? now : 0.7 * rate + 0.3 * now;
    rate_step = p.step;
    rate_seconds = p.seconds;
  }
}

bool ProgressDisplay::shown(const TrainProgress& p) {
  const Clock::time_point now = Clock::now();
  if (p.part != shown_ && now - heard_ < kSilence && p.step < p.steps) return false;
  if (p.part == shown_ || p.step < p.steps) {
    shown_ = p.part;
    heard_ = p.step < p.steps ? now : Clock::time_point();
  }
  return true;
}

void ProgressDisplay::operator()(const TrainProgress& p) {
  Part& part = parts_[p.part];
  part.update_rate(p);
  if (p.measured) part.last = p;
  const bool done = p.step == p.steps;
  if (terminal_) {
    if (!shown(p)) return;
    std::string text = part.line(p);
    // What does not fit would break into a second line that the next one cannot overwrite.
    text.resize(std::min(text.size(), static_cast<std::size_t>(std::max(1, width_ - 1))));
    talk_progress(text);
    if (done) end_progress();
  } else if (p.measured && (p.seconds >= part.next_line || done)) {
    talk(part.line(p));
    part.next_line = p.seconds + kLineInterval;
  }
}

// A table that is done within the first interval needs no progress.
RowProgress::RowProgress()
    : terminal_(::isatty(STDERR_FILENO) != 0), next_(terminal_ ? kMoveInterval : kLineInterval) {}

void RowProgress::operator()(std::int64_t rows, double seconds) {
  if (seconds < next_) return;
  next_ = seconds + (terminal_ ? kMoveInterval : kLineInterval);
  const std::string text =
      fmt::format("{} rows  ({} rows/s)", format_count(rows),
                  format_count(std::llround(static_cast<double>(rows) / seconds)));
  terminal_ ? talk_progress(text) : talk(text);
}

CellProgress::CellProgress(std::int64_t cells)
    : cells_(cells),
      terminal_(::isatty(STDERR_FILENO) != 0),
      next_(terminal_ ? kMoveInterval : kLineInterval) {}

void CellProgress::operator()(const char* doing, std::int64_t done) {
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (doing != doing_) {
    doing_ = doing;
    began_ = seconds;
  }
  if (seconds < next_) return;
  next_ = seconds + (terminal_ ? kMoveInterval : kLineInterval);
  shown_ = true;
  const double share =
      static_cast<double>(done) / static_cast<double>(std::max<std::int64_t>(1, cells_));
  const std::string left =
      share > 0.01
          ? fmt::format(", {} left", format_seconds((seconds - began_) * (1 - share) / share))
          : std::string();
  const std::string text =
      fmt::format("{} {:3.0f} % of {} cells{}", doing, 100 * share, format_count(cells_), left);
  terminal_ ? talk_progress(text) : talk(text);
}

void CellProgress::end() const {
  if (terminal_ && shown_) end_progress();
}

}  // namespace pegnn
