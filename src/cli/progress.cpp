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
// Seconds between two moves of the line of rows on a terminal.
constexpr double kMoveInterval = 0.5;

}  // namespace

ProgressDisplay::ProgressDisplay() : terminal_(::isatty(STDERR_FILENO) != 0) {
  winsize size{};
  if (terminal_ && ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    width_ = size.ws_col;
  }
}

std::string ProgressDisplay::line(const TrainProgress& p) const {
  std::string text = fmt::format("{}{}step {}/{}", p.part, p.part.empty() ? "" : ": ",
                                 format_count(p.step), format_count(p.steps));
  if (rate_ > 0 && p.step < p.steps) {
    text += fmt::format("  {} left ({} steps/s)",
                        format_seconds(static_cast<double>(p.steps - p.step) / rate_),
                        rate_ < 10 ? format_short(rate_, 2) : fmt::format("{:.0f}", rate_));
  }
  text += fmt::format("  loss {}", format_short(last_.measured ? last_.loss : p.loss));
  if (!last_.measured) return text;
  if (!std::isnan(last_.validation)) {
    text += fmt::format("  validation {}", format_short(last_.validation));
  }
  if (!std::isnan(last_.auxiliary)) {
    text += fmt::format("  (main {}, moran {})", format_short(last_.main),
                        format_short(last_.auxiliary));
  }
  return text;
}

void ProgressDisplay::update_rate(const TrainProgress& p) {
  // Another run began, or this one did: what went before its first word is no part of a step.
  if (rate_step_ == 0 || p.step <= rate_step_ || p.seconds < rate_seconds_) {
    last_ = {};
    rate_ = 0;
    rate_step_ = p.step;
    rate_seconds_ = p.seconds;
    next_line_ = 0;
  } else if (p.seconds - rate_seconds_ > 0.5) {
    const double now = static_cast<double>(p.step - rate_step_) / (p.seconds - rate_seconds_);
    rate_ = rate_ == 0 ? now : 0.7 * rate_ + 0.3 * now;
    rate_step_ = p.step;
    rate_seconds_ = p.seconds;
  }
}

void ProgressDisplay::operator()(const TrainProgress& p) {
  update_rate(p);
  if (p.measured) last_ = p;
  const bool done = p.step == p.steps;
  if (terminal_) {
    std::string text = line(p);
    // What does not fit would break into a second line that the next one cannot overwrite.
    text.resize(std::min(text.size(), static_cast<std::size_t>(std::max(1, width_ - 1))));
    talk_progress(text);
    if (done) end_progress();
  } else if (p.measured && (p.seconds >= next_line_ || done)) {
    talk(line(p));
    next_line_ = p.seconds + kLineInterval;
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
