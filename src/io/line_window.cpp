#include "io/line_window.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/utf8.h"

namespace pegnn {
namespace {

constexpr std::size_t kPadding = 16;  // readable bytes behind the text

}  // namespace

LineWindow::LineWindow(std::unique_ptr<ByteSource> source, bool tabs_are_blank, std::size_t piece)
    : source_(std::move(source)),
      tabs_are_blank_(tabs_are_blank),
      piece_(piece),
      buffer_(kPadding, '\0') {}

// Behind the last line in [unseen_, to) that is not blank, without its end; `unseen_` when there is
// none. `to` is behind a line end or the end of the text.
std::size_t LineWindow::end_of_last_line(std::size_t to) const {
  const auto blank = [&](char c) {
    return c == ' ' || c == '\r' || c == '\n' || (c == '\t' && tabs_are_blank_);
  };
  while (to > unseen_ && blank(buffer_[to - 1])) --to;
  if (to == unseen_) return unseen_;
  const char* const from = buffer_.data() + to;
  const char* const line_end = static_cast<const char*>(
      std::memchr(from, '\n', static_cast<std::size_t>(buffer_.data() + filled_ - from)));
  return line_end == nullptr ? filled_ : static_cast<std::size_t>(line_end - buffer_.data());
}

// No line ends between the lines seen and the bytes from `fresh` on.
bool LineWindow::show_complete_lines(std::size_t fresh) {
  std::size_t to = filled_;
  while (to > fresh && buffer_[to - 1] != '\n') --to;
  if (to == fresh) return false;
  const std::size_t last = end_of_last_line(to);
  const bool found = last > unseen_;
  unseen_ = to;
  if (found) end_ = last + 1;
  return found;
}

bool LineWindow::show_the_rest() {
  const std::size_t last = end_of_last_line(filled_);
  const bool found = last > unseen_;
  unseen_ = filled_;
  if (!found) return false;
  end_ = last;
  if (buffer_[end_ - 1] == '\r') --end_;
  return true;
}

void LineWindow::read_bytes() {
  const std::size_t wanted = started_ ? piece_ : std::max(piece_, kByteOrderMark.size());
  if (buffer_.size() < filled_ + wanted + kPadding) {
    buffer_.resize(std::max(2 * filled_, filled_ + wanted) + kPadding);
  }
  const std::size_t got = read_fully(*source_, buffer_.data() + filled_, wanted);
  exhausted_ = got < wanted;
  filled_ += got;
  std::fill_n(buffer_.data() + filled_, kPadding, '\0');
  if (!started_ && std::string_view(buffer_.data(), filled_).starts_with(kByteOrderMark)) {
    begin_ = end_ = unseen_ = kByteOrderMark.size();
  }
  started_ = true;
}

bool LineWindow::read_on() {
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
            buffer_.begin() + static_cast<std::ptrdiff_t>(filled_), buffer_.begin());
  forgotten_ += begin_;
  filled_ -= begin_;
  end_ -= begin_;
  unseen_ -= begin_;
  begin_ = 0;
  std::fill_n(buffer_.data() + filled_, kPadding, '\0');
  while (!exhausted_) {
    const std::size_t fresh = filled_;
    read_bytes();
    if (show_complete_lines(std::max(fresh, unseen_))) return true;
  }
  return show_the_rest();
}

}  // namespace pegnn
